import { createLogTurn, type Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createBudget } from '#base/token-buckets.ts';
import type { MqttLinkListener, MqttMessage } from '#integrations/ports.ts';
import { createFilterTable, isWildcard } from './filter-table.ts';

/** Takes what one share needs of the messages of a connection. */
export type ShareIntake = {
  readonly take: (message: MqttMessage) => void;
  /** Some share has subscribed something, so the broker may repeat messages that it keeps. */
  readonly noteSubscription: () => void;
  /** The share itself has subscribed these, so it takes their kept messages again. */
  readonly forget: (filters: readonly string[]) => void;
  /** Another connection begins. */
  readonly reset: () => void;
  readonly stop: () => void;
};

type ShareIntakeDeps = {
  readonly listener: MqttLinkListener;
  readonly log: Log;
  readonly startTimer: StartTimer;
  readonly monotonicMs: () => number;
};

/**
 * Far above what a Zigbee network can send; the burst is for the states of the largest home, which come at once. A
 * message costs one, and one more for each 4 KiB.
 */
const MESSAGES = { burst: 20_000, perSecond: 2_000 };
const BYTES_PER_UNIT = 4_096;
const RELEASE_EVERY_MS = 100;
const LOG_EVERY_MS = 60_000;
const MAX_HELD = { topics: 5_000, bytes: 4 * 1024 * 1024 };

/** The share takes no messages of a kind that it has taken already. Topics longer than a device's are not remembered. */
const MAX_HEARD = 20_000;
const MAX_HEARD_LENGTH = 512;
/** A broker that has not repeated its kept messages after this time will not. */
const REPEATS_MS = 60_000;

/**
 * Keeps a share from delaying the others: beyond its ration its messages wait, the newest of each topic, and those of
 * other shares pass them. A share that sends too much for that loses its oldest messages.
 */
export function createShareIntake({ listener, log, startTimer, monotonicMs }: ShareIntakeDeps): ShareIntake {
  const ration = createBudget(MESSAGES, monotonicMs);
  const logTurn = createLogTurn(LOG_EVERY_MS, monotonicMs);
  const heard = createHeardTopics(monotonicMs);
  const held = new Map<string, MqttMessage>();
  let heldBytes = 0;
  let stopTimer: (() => void) | undefined;

  const deliver = (message: MqttMessage): void => {
    ration.spend(1 + Math.floor(message.payload.length / BYTES_PER_UNIT));
    try {
      listener.onMessage(message);
    } catch (cause) {
      log.error('handling a message failed', { topic: message.topic, cause });
    }
  };
  const drop = (topic: string): void => {
    heldBytes -= held.get(topic)?.payload.length ?? 0;
    held.delete(topic);
  };
  const hold = ({ topic, payload, retained }: MqttMessage): void => {
    drop(topic);
    // A copy, because the payload is part of a larger buffer.
    held.set(topic, { topic, payload: Buffer.from(payload), retained });
    heldBytes += payload.length;
    for (const oldest of held.keys()) {
      if (held.size === 1 || (held.size <= MAX_HELD.topics && heldBytes <= MAX_HELD.bytes)) break;
      drop(oldest);
      const turn = logTurn();
      if (turn !== undefined) log.warn('messages come too fast: some are dropped', { topic: oldest.slice(0, 200) });
    }
    stopTimer ??= startTimer(RELEASE_EVERY_MS, releaseDue);
  };
  const releaseDue = (): void => {
    stopTimer = undefined;
    for (const message of held.values()) {
      if (!ration.isLeft()) break;
      drop(message.topic);
      deliver(message);
    }
    if (held.size > 0) stopTimer ??= startTimer(RELEASE_EVERY_MS, releaseDue);
  };
  const stop = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    held.clear();
    heldBytes = 0;
  };

  return {
    take: (message) => {
      if (heard.isOld(message)) return;
      if (held.size === 0 && ration.isLeft()) deliver(message);
      else hold(message);
    },
    noteSubscription: heard.expectRepeats,
    forget: heard.forget,
    reset: () => {
      heard.forget(null);
      stop();
    },
    stop,
  };
}

type HeardTopics = {
  /** To be called once for each message, in order. */
  readonly isOld: (message: MqttMessage) => boolean;
  readonly expectRepeats: () => void;
  /** `null`: all. */
  readonly forget: (filters: readonly string[] | null) => void;
};

/**
 * A broker that reads kept messages while others pass (as Aedes does) may deliver a kept message after the one that
 * replaced it, and each subscription makes it repeat them, also for those who have had them. So a kept message is old
 * once a live one of its topic has come, and for a while once it has come itself.
 */
function createHeardTopics(monotonicMs: () => number): HeardTopics {
  const heard = new Map<string, 'kept' | 'live'>();
  let repeatsUntilMs = Number.NEGATIVE_INFINITY;

  const remember = (topic: string, how: 'kept' | 'live'): void => {
    if (topic.length > MAX_HEARD_LENGTH) return;
    heard.set(topic, how);
    if (heard.size <= MAX_HEARD) return;
    for (const oldest of heard.keys()) {
      heard.delete(oldest);
      break;
    }
  };

  return {
    isOld: ({ topic, retained }) => {
      const before = heard.get(topic);
      if (!retained) {
        if (before !== 'live') remember(topic, 'live');
        return false;
      }
      if (before === 'live') return true;
      if (before === 'kept') return monotonicMs() < repeatsUntilMs;
      remember(topic, 'kept');
      return false;
    },
    expectRepeats: () => {
      repeatsUntilMs = monotonicMs() + REPEATS_MS;
    },
    forget: (filters) => {
      if (filters === null) return heard.clear();
      const asked = createFilterTable<true>();
      for (const filter of filters) {
        asked.add(filter, true);
        heard.delete(filter);
      }
      if (!filters.some(isWildcard)) return;
      for (const topic of heard.keys()) if (asked.usersOf(topic).length > 0) heard.delete(topic);
    },
  };
}
