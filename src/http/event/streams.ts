import type { ServerResponse } from 'node:http';
import { repeat } from '#base/time/repeat.ts';
import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { createBatchReader, createEventFeed, type EventFeed, type FeedStart } from './feed.ts';
import { type EventClient, type EventClientOwner, openEventStream } from './stream.ts';
import { pollEvents, type PollQuery } from './poll.ts';
import { createEventSelector, type EventFilter } from './filter.ts';
import { createHomeSnapshots, type HomeSnapshotDeps } from './snapshot.ts';
import { rationUsedUp } from '#http/routing/rations.ts';

export type EventStreams = ReturnType<typeof createEventStreams>;

export type Listener = Pick<EventClient, 'owner' | 'mayRead' | 'isStillAllowed'> & {
  readonly filter: EventFilter | undefined;
};

type EventStreamsDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> &
  Pick<HomeSnapshotDeps, 'devices' | 'rooms' | 'scenes' | 'deviceBytes'> & {
    readonly events: EventLog;
  };

const MAX_CLIENTS = 256;
const MAX_CLIENTS_OF_PERSON = 32;
const MAX_CLIENTS_OF_CALLER = 16;
/** This many of `MAX_CLIENTS` are reserved for owners and admins. */
const KEPT_FOR_KEEPERS = 32;
const RETRY_AFTER_S = 5;
/** A new stream may send the whole home, so a caller may open this many at once and then one per interval. */
const OPENINGS = { capacity: 60, refillMs: 200, maxNames: 2_048 };
/** Sending takes at most a quarter of the time: after it comes a pause, whose events go out together. */
const PAUSE_PER_FLUSH = 3;
const MAX_PAUSE_MS = 20;
const WATCH_MS = 1_000;
const BEAT_EVERY = 15;
const CHECK_EVERY = 2;

export function createEventStreams(deps: EventStreamsDeps) {
  const { clock, startTimer, events, log } = deps;
  const { monotonicMs, wallMs } = clock;
  const clients = new Set<EventClient>();
  const openings = createTokenBuckets({ ...OPENINGS, monotonicMs });
  const select = createEventSelector(events, monotonicMs);
  const feedDeps = {
    log: events,
    readBatch: createBatchReader(select, monotonicMs),
    snapshots: createHomeSnapshots({ ...deps, log: events, monotonicMs }),
    wallMs,
  };
  let isStopped = false;

  const flush = createFlush({ clients, monotonicMs, startTimer });
  const watch = createWatch({ clients, startTimer, log });
  const unsubscribe = events.subscribe((_event, kept) => {
    const { onlyFor } = kept.subject;
    if (onlyFor === null) return flush();
    for (const client of clients) if (client.owner.callerId === onlyFor) client.end(kept);
  });
  const add = (client: EventClient): void => {
    clients.add(client);
    watch();
  };

  return {
    /**
     * Makes room for one more stream or poll. If the hub is full, ends the newest of a person with more. Throws HubError
     * OVERLOADED or TOO_MANY_REQUESTS if there are too many, or if a new stream comes too soon after the last; polls have
     * no such interval.
     */
    makeRoomFor: (owner: EventClientOwner, kind: 'stream' | 'poll'): void => {
      if (isStopped) throw new HubError('RESTARTING', 'The hub is restarting.', { retryAfterS: RETRY_AFTER_S });
      refuseExcess(clients, owner);
      if (kind === 'stream' && !openings.take(owner.rationName)) throw rationUsedUp('event streams');
      if (clients.size < MAX_CLIENTS - (owner.isKeeper ? 0 : KEPT_FOR_KEEPERS)) return;
      const given = findNewestOfHeaviest(clients, owner);
      if (given === undefined) throw tooMany('OVERLOADED', 'The hub already serves as many event streams as it can.');
      given.end();
    },
    /** Writes the stream to an answer whose head is already sent, until the client leaves or the hub ends the stream. */
    open: (outgoing: ServerResponse, { filter, ...listener }: Listener, start: FeedStart): void => {
      // While the answer to an earlier request is unfinished, this one has no socket yet: nothing would report its end.
      if (outgoing.destroyed || outgoing.socket === null || isStopped) {
        outgoing.end();
        return;
      }
      const onFault = (cause: unknown): void => log.error('an event stream failed', { cause });
      const onClose = (): void => void clients.delete(client);
      let feed: EventFeed;
      try {
        feed = createEventFeed(feedDeps, start, filter);
      } catch (cause) {
        onFault(cause);
        outgoing.destroy();
        return;
      }
      const client = openEventStream({
        ...listener,
        feed,
        outgoing,
        monotonicMs,
        startTimer,
        onClose,
        onFault,
      });
      add(client);
    },
    poll: (
      { filter, ...listener }: Listener & { readonly signal: AbortSignal },
      query: Omit<PollQuery, 'filter'>,
    ): Promise<string> => {
      const onClose = (client: EventClient): void => void clients.delete(client);
      return pollEvents(
        { ...listener, log: events, select, wallMs, startTimer, onOpen: add, onClose },
        { ...query, filter },
      );
    },
    count: (): number => clients.size,
    stop: (): void => {
      isStopped = true;
      unsubscribe();
      for (const client of clients) client.end();
    },
  };
}

function refuseExcess(clients: ReadonlySet<EventClient>, { callerId, userId }: EventClientOwner): void {
  let ofCaller = 0;
  let ofPerson = 0;
  for (const { owner } of clients) {
    if (owner.callerId === callerId) ofCaller += 1;
    if (owner.userId === userId) ofPerson += 1;
  }
  if (ofCaller >= MAX_CLIENTS_OF_CALLER) {
    throw tooMany('TOO_MANY_REQUESTS', `There are ${ofCaller} event streams of this login or API token already.`);
  }
  if (ofPerson >= MAX_CLIENTS_OF_PERSON) {
    throw tooMany('TOO_MANY_REQUESTS', `There are ${ofPerson} event streams of this person already.`);
  }
}

function tooMany(code: 'OVERLOADED' | 'TOO_MANY_REQUESTS', message: string): HubError {
  return new HubError(code, message, { retryAfterS: RETRY_AFTER_S });
}

/** The newest stream of the person with the most, if that person has at least two more than the new stream's person. */
function findNewestOfHeaviest(clients: ReadonlySet<EventClient>, newcomer: EventClientOwner): EventClient | undefined {
  const byPerson = new Map<string, EventClient[]>();
  for (const client of clients) {
    const { userId } = client.owner;
    byPerson.set(userId, [...(byPerson.get(userId) ?? []), client]);
  }
  const own = byPerson.get(newcomer.userId)?.length ?? 0;
  const [heaviest = []] = [...byPerson.values()].sort((left, right) => right.length - left.length);
  return heaviest.length >= own + 2 ? heaviest.at(-1) : undefined;
}

type Clients = { readonly clients: ReadonlySet<EventClient>; readonly startTimer: StartTimer };

/** Sends to all clients, once for all events of one turn of the event loop, or of a pause after a long sending. */
function createFlush({ clients, monotonicMs, startTimer }: Clients & Pick<Clock, 'monotonicMs'>): () => void {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let isDue = false;
  const run = (): void => {
    isDue = false;
    const startMs = monotonicMs();
    for (const client of clients) client.pump();
    const endMs = monotonicMs();
    pausedUntilMs = endMs + Math.min((endMs - startMs) * PAUSE_PER_FLUSH, MAX_PAUSE_MS);
  };
  return () => {
    if (isDue || clients.size === 0) return;
    isDue = true;
    const pauseMs = pausedUntilMs - monotonicMs();
    // Timers have whole milliseconds.
    if (pauseMs < 1) setImmediate(run);
    else startTimer(pauseMs, run);
  };
}

/** Sends heartbeats and ends clients that stopped reading or lost their rights, as long as there are clients. */
function createWatch({ clients, startTimer, log }: Clients & { readonly log: Log }): () => void {
  let ticks = 0;
  let stopTicking: (() => void) | undefined;
  const check = async (client: EventClient): Promise<void> => {
    try {
      if (await client.isStillAllowed()) return;
    } catch (cause) {
      log.error('checking the rights of an event stream failed', { cause });
    }
    client.end();
  };
  const tick = (): void => {
    if (clients.size === 0) {
      stopTicking?.();
      stopTicking = undefined;
      return;
    }
    ticks += 1;
    for (const client of clients) {
      client.watch();
      if (ticks % BEAT_EVERY === 0) client.beat();
      if (ticks % CHECK_EVERY === 0) void check(client);
    }
  };
  return () => {
    stopTicking ??= repeat(startTimer, WATCH_MS, tick);
  };
}
