import { createHash } from 'node:crypto';
import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { waitMs } from '#base/time/timer.ts';
import type { MqttLink } from '#integrations/ports.ts';
import { farewellOf, readOwnConfig } from './messages.ts';
import type { Places } from './places.ts';

/** Brings what the broker keeps in line with what is offered, one device after the other. */
export type Publisher = ReturnType<typeof createPublisher>;

type PublisherDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly link: Pick<MqttLink, 'publish'>;
  readonly places: Places;
  readonly prefix: string;
  readonly messagesFor: (id: string) => ReadonlyMap<string, string>;
};

/** Values that change together go out together. */
const GATHER_MS = 20;
/** So many devices at once; a broker on a small computer takes some hundred messages a second. */
const AT_ONCE = 8;
const REST_MS = 20;
const RETRY_MS = 5_000;

export function createPublisher(deps: PublisherDeps) {
  const { startTimer, log } = deps;
  const messages = createKeptMessages(deps);
  const due = new Set<string>();
  const ended = new AbortController();
  const state = { isReady: false, isWorking: false };
  let stopTimer: (() => void) | undefined;
  let lastError: { readonly code: string; readonly message: string } | null = null;
  const waiting = new Set<() => void>();

  const trySend = async (id: string): Promise<boolean> => {
    try {
      await messages.send(id);
      return true;
    } catch (cause) {
      due.add(id);
      if (!(cause instanceof HubError)) log.error('offering a device failed', { device: id, cause });
      lastError = { code: 'NOT_TAKEN', message: cause instanceof HubError ? cause.message : 'A message failed.' };
      return false;
    }
  };
  const work = async (): Promise<void> => {
    while (state.isReady && due.size > 0 && !ended.signal.aborted) {
      const ids = [...due].slice(0, AT_ONCE);
      for (const id of ids) due.delete(id);
      const taken = await Promise.all(ids.map(trySend));
      const isTaken = taken.every(Boolean);
      if (isTaken) lastError = null;
      if (isTaken && due.size === 0) return;
      await waitMs(isTaken ? REST_MS : RETRY_MS, startTimer, ended.signal);
    }
  };
  const start = (): void => {
    if (state.isWorking || !state.isReady || due.size === 0 || ended.signal.aborted) return;
    stopTimer ??= startTimer(GATHER_MS, () => {
      stopTimer = undefined;
      if (state.isWorking) return;
      state.isWorking = true;
      void work().finally(() => {
        state.isWorking = false;
        for (const look of waiting) look();
        start();
      });
    });
  };
  const mark = (ids: Iterable<string>): void => {
    for (const id of ids) due.add(id);
    start();
  };

  return {
    /** The messages of these may be others, or are none any more. */
    mark,
    /** The broker, or those who read it, may have lost everything. */
    forgetSent: messages.forgetSent,
    /** A discovery message of an earlier run, which the broker kept. */
    noteKept: (id: string, config: string): void => {
      if (messages.noteKept(id, config)) mark([id]);
    },
    /** Sends nothing before, and nothing while the connection is down. */
    setReady: (isReady: boolean): void => {
      state.isReady = isReady;
      start();
    },
    /** The devices of which the broker keeps something. */
    keptIds: messages.ids,
    /** Resolves when nothing is left to send, or it cannot be sent, or the signal aborts. */
    settled: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          const isDone = signal.aborted || !state.isReady || (due.size === 0 && !state.isWorking);
          if (!isDone) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        signal.addEventListener('abort', look, { once: true });
        look();
      }),
    lastError: (): { readonly code: string; readonly message: string } | null => lastError,
    stop: (): void => {
      ended.abort();
      stopTimer?.();
    },
  };
}

type KeptDeps = Pick<PublisherDeps, 'link' | 'places' | 'prefix' | 'messagesFor'>;

/** The messages that the broker keeps, as far as they are known. */
function createKeptMessages({ link, places, prefix, messagesFor }: KeptDeps) {
  /** The hash of each message, by id and topic; empty where the broker may have lost it. */
  const kept = new Map<string, Map<string, string>>();
  const platforms = new Map<string, ReadonlyMap<string, string>>();
  /** How often all was forgotten: what was under way meanwhile may be lost as well. */
  let losses = 0;
  const clear = (topic: string): Promise<void> => link.publish(topic, '', { retain: true });

  const keep = async (id: string, topic: string, payload: string): Promise<void> => {
    const known = kept.get(id) ?? new Map<string, string>();
    kept.set(id, known);
    const hash = createHash('sha1').update(payload).digest('base64');
    if (known.get(topic) === hash) return;
    known.set(topic, '');
    const lossesBefore = losses;
    await link.publish(topic, payload, { retain: true });
    if (losses === lossesBefore) known.set(topic, hash);
  };
  const withdraw = async (id: string): Promise<void> => {
    // The entities first: nobody shall see them without values.
    const usual = [
      places.configTopic(prefix, id),
      places.stateTopic(id, 'state'),
      places.stateTopic(id, 'availability'),
    ];
    for (const topic of new Set([...usual, ...(kept.get(id)?.keys() ?? [])])) await clear(topic);
    kept.delete(id);
    platforms.delete(id);
  };
  return {
    ids: () => kept.keys(),
    forgetSent: (): void => {
      losses += 1;
      for (const topics of kept.values()) for (const topic of topics.keys()) topics.set(topic, '');
    },
    /** True for a device of which nothing was known. */
    noteKept: (id: string, config: string): boolean => {
      if (kept.has(id)) return false;
      const own = readOwnConfig(config);
      // A stranger may have written the message: nothing but the hub's own topics is ever emptied.
      const topics = own.topics.filter((topic) => topic.startsWith(places.stateTopic(id, '')));
      kept.set(id, new Map(topics.map((topic) => [topic, ''])));
      platforms.set(id, own.platforms);
      return true;
    },
    send: async (id: string): Promise<void> => {
      const wanted = messagesFor(id);
      if (wanted.size === 0) return withdraw(id);
      const configTopic = places.configTopic(prefix, id);
      const config = wanted.get(configTopic) ?? '';
      const before = platforms.get(id);
      const farewell = before === undefined ? undefined : farewellOf(config, before);
      for (const [topic, payload] of wanted) {
        if (topic === configTopic && farewell !== undefined) await keep(id, topic, farewell);
        await keep(id, topic, payload);
      }
      platforms.set(id, readOwnConfig(config).platforms);
      for (const topic of [...(kept.get(id)?.keys() ?? [])].filter((one) => !wanted.has(one))) {
        await clear(topic);
        kept.get(id)?.delete(topic);
      }
    },
  };
}
