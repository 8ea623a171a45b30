import type { ServerResponse } from 'node:http';
import type { StartTimer } from '#base/time/timer.ts';
import type { EventFeed } from './feed.ts';
import type { FrameOf } from './frame.ts';
import type { KeptEvent } from '#core/event/event-log.ts';

/** Whose a stream or poll is. */
export type EventClientOwner = {
  /** The login or API token. */
  readonly callerId: string;
  readonly userId: string;
  /** Whose ration of new streams it takes from. */
  readonly rationName: string;
  /** Some streams are kept free for those who look after the hub. */
  readonly isKeeper: boolean;
};

/** A stream, or a poll while it waits. Nothing here ever throws. */
export type EventClient = {
  readonly owner: EventClientOwner;
  /** False once the login or API token has ended or its role has changed; asked before each event is sent. */
  readonly mayRead: () => boolean;
  /** The same, and false once the access token has expired: true as long as a new request with it would be answered. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Sends what there is, as far as the client takes it. */
  readonly pump: () => void;
  readonly beat: () => void;
  /** To call about once a second: cuts off a client that does not read. */
  readonly watch: () => void;
  /** Ends it, after this event where there is one. */
  readonly end: (lastEvent?: KeptEvent) => void;
};

export type EventStreamDeps = Pick<EventClient, 'owner' | 'mayRead' | 'isStillAllowed'> & {
  readonly feed: EventFeed;
  readonly frameOf: FrameOf;
  /** Its head is sent already. */
  readonly outgoing: ServerResponse;
  readonly monotonicMs: () => number;
  readonly startTimer: StartTimer;
  readonly onClose: () => void;
  /** Called with a fault of the feed, which ends this stream only. */
  readonly onFault: (cause: unknown) => void;
};

/** A client that takes nothing for this long is cut off; its position is where it left off, should it come back. */
const STALLED_MS = 30_000;
/** How long an ended stream may take to deliver its last bytes. */
const FAREWELL_MS = 1_000;
const KEEP_ALIVE_MS = 30_000;

/**
 * Sends a feed as server-sent events. At any time no more than one frame or batch beyond what the socket buffers waits
 * for a client (64 KiB each), in memory that the clients share: whatever else it is owed stays in the log.
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
  // A reset connection closes right after; no client is left.
  outgoing.on('error', cut);
  outgoing.on('close', () => {
    isEnded = true;
    cancelFarewell?.();
    feed.close();
    deps.onClose();
  });
  outgoing.socket?.setKeepAlive(true, KEEP_ALIVE_MS);
  // A limit that an earlier answer on this connection set must not cut a silent home.
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
      if (lastEvent !== undefined && canWrite()) write(deps.frameOf(lastEvent));
      finish();
    },
  };
}
