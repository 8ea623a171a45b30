import type { Runtime } from '#base/time/runtime.ts';
import type { ServerResponse } from 'node:http';
import type { EventFeed } from './feed.ts';
import type { KeptEvent } from '#core/event/event-log.ts';

/** The caller behind a stream or poll. */
export type EventClientOwner = {
  /** The login or API token. */
  readonly callerId: string;
  readonly userId: string;
  /** Name of the ration from which each new stream takes. */
  readonly rationName: string;
  /** An owner or admin, for whom some streams are reserved. */
  readonly isKeeper: boolean;
};

/** A stream, or a poll while it waits. Nothing here ever throws. */
export type EventClient = {
  readonly owner: EventClientOwner;
  /** False once the login or API token has ended or its role has changed; checked before each event. */
  readonly mayRead: () => boolean;
  /** As `mayRead`, but also false once the access token has expired, so that a new request would be refused. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Sends what is ready, as far as the client takes it. */
  readonly pump: () => void;
  readonly beat: () => void;
  /** Cuts off a client that does not read; to call about once a second. */
  readonly watch: () => void;
  /** Ends the stream, after this event if there is one. */
  readonly end: (lastEvent?: KeptEvent) => void;
};

type EventStreamDeps = Pick<Runtime, 'monotonicMs' | 'startTimer'> &
  Pick<EventClient, 'owner' | 'mayRead' | 'isStillAllowed'> & {
    readonly feed: EventFeed;
    /** The answer, whose head is already sent. */
    readonly outgoing: ServerResponse;
    readonly onClose: () => void;
    /** Called with an error of the feed, which ends only this stream. */
    readonly onFault: (cause: unknown) => void;
  };

/** The hub cuts off a client that takes nothing for this long. The client may resume at its last position. */
const STALLED_MS = 30_000;
/** How long an ended stream may take to deliver its last bytes. */
const FAREWELL_MS = 1_000;
const KEEP_ALIVE_MS = 30_000;

/**
 * Sends a feed as server-sent events. For each client, at most one frame or batch (64 KiB) waits beyond the socket's
 * buffer, in memory that the clients share. All later events stay in the log.
 */
export function openEventStream(deps: EventStreamDeps): EventClient {
  const { feed, outgoing, monotonicMs } = deps;
  let blockedSinceMs: number | undefined;
  let isEnded = false;
  let cancelFarewell: (() => void) | undefined;

  const cut = (): void => void outgoing.destroy();
  const write = (bytes: Buffer): void => {
    if (!outgoing.write(bytes)) blockedSinceMs = monotonicMs();
  };
  const canWrite = (): boolean => blockedSinceMs === undefined && !isEnded && !outgoing.destroyed;
  const pump = (): void => {
    try {
      while (canWrite()) {
        if (!deps.mayRead()) {
          finish();
          return;
        }
        const frame = feed.next();
        if (frame === undefined) return;
        write(frame);
      }
    } catch (cause) {
      deps.onFault(cause);
      cut();
    }
  };
  const finish = (): void => {
    if (isEnded) return;
    isEnded = true;
    outgoing.end();
    cancelFarewell = deps.startTimer(FAREWELL_MS, cut);
  };
  const beat = (): void => {
    if (canWrite()) write(feed.heartbeat());
  };

  outgoing.on('drain', () => {
    blockedSinceMs = undefined;
    pump();
  });
  // A reset connection closes right after, so nothing is left to do.
  outgoing.on('error', cut);
  outgoing.on('close', () => {
    isEnded = true;
    cancelFarewell?.();
    feed.close();
    deps.onClose();
  });
  outgoing.socket?.setKeepAlive(true, KEEP_ALIVE_MS);
  // An earlier answer on this connection may have set a time limit, which must not end a stream without events.
  outgoing.socket?.setTimeout(0);

  beat();
  pump();
  return {
    owner: deps.owner,
    mayRead: deps.mayRead,
    isStillAllowed: deps.isStillAllowed,
    pump,
    beat,
    watch: () => {
      if (blockedSinceMs !== undefined && monotonicMs() - blockedSinceMs >= STALLED_MS) cut();
    },
    end: (lastEvent) => {
      // The client also gets the events before the end of its login, unless it may not read any more.
      if (deps.mayRead()) pump();
      if (lastEvent !== undefined && canWrite()) write(lastEvent.frame);
      finish();
    },
  };
}
