import { HubError, PROBLEMS } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { HubClock } from '#base/time/hub-clock.ts';

/** Names a request that makes something, so that it can be sent again when its answer was lost. */
export type KeyedRequest = {
  /** Id of the session or API token. */
  readonly caller: string;
  /** The `Idempotency-Key` that it chose. */
  readonly key: string;
  /** Equal for equal requests. It tells nothing about what is in them. */
  readonly fingerprint: string;
};

/** A kept request, with the time of its beginning as its epoch counts it. */
export type KeptRequest = KeyedRequest & {
  /** Equal as long as the caller sees the same of the home. */
  readonly rights: string;
  readonly epoch: string;
  readonly atMs: number;
  /** `null` until the work is done. */
  readonly answer: KeptAnswer | null;
};

/** `place`: the path of what was made. `whole` is `null` for an answer that is not kept. */
export type KeptAnswer = { readonly place: string | null; readonly whole: WholeAnswer | null };
type WholeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: JsonValue;
};

export type RequestKeyStore = {
  readonly findKey: (caller: string, key: string) => Promise<KeptRequest | undefined>;
  /** Keeps a request without an answer, instead of an earlier one with its key. */
  readonly saveKey: (request: Omit<KeptRequest, 'answer'>) => Promise<void>;
  /** Does nothing if the request was forgotten meanwhile. */
  readonly saveKeyAnswer: (caller: string, key: string, answer: KeptAnswer) => Promise<void>;
  readonly deleteKey: (caller: string, key: string) => Promise<void>;
  readonly loadKeyEpochs: () => Promise<readonly string[]>;
  /** Forgets the requests of this epoch that began before this time of it. */
  readonly deleteKeysBefore: (epoch: string, beforeMs: number) => Promise<void>;
};

type Making<Made> = {
  readonly make: () => Made | Promise<Made>;
  readonly keep: (made: Made) => KeptAnswer;
  /** The rights of the caller as of now. Throws the refusal that a request would get now. */
  readonly rights: () => string;
};

export type RequestKeys = {
  /**
   * Makes something once. A repeat within a day gets what is kept of the first answer, also when the hub restarted in
   * between; one that comes while the first is under way waits for it. Makes nothing if the key cannot be written before.
   * Throws HubError IDEMPOTENCY_KEY_REUSED, OUTCOME_UNKNOWN, and ANSWER_NOT_KEPT with the place of what was made.
   */
  readonly once: <Made>(request: KeyedRequest, making: Making<Made>) => Promise<Made | WholeAnswer>;
  /** Forgets what is older than a day. Call it hourly. */
  readonly upkeep: () => Promise<void>;
};

type Deps = {
  readonly store: RequestKeyStore;
  readonly hubClock: Pick<HubClock, 'nowMs' | 'epoch' | 'nowInEpochMs'>;
  readonly log: Log;
};

const DAY_MS = 86_400_000;

export function createRequestKeys({ store, hubClock, log }: Deps): RequestKeys {
  const running = new Map<string, Promise<void>>();
  /** The work is done or refused already: that the disk does not take the note must not change its answer. */
  const note = async (writing: Promise<void>): Promise<void> => {
    await writing.catch((cause: unknown) => {
      log.warn('what became of a request with an Idempotency-Key cannot be kept', { cause });
    });
  };
  /** From when on requests of this epoch are kept. Of an epoch of another hub nobody knows how long ago it was. */
  const keptSinceMs = (epoch: string): number => (hubClock.nowInEpochMs(epoch) ?? Number.MAX_VALUE) - DAY_MS;

  const attempt = async <Made>(request: KeyedRequest, { make, keep, rights }: Making<Made>) => {
    const { caller, key } = request;
    const first = await store.findKey(caller, key);
    if (first !== undefined && first.atMs >= keptSinceMs(first.epoch)) return repeated(first, request, rights());
    await store.saveKey({ ...request, rights: rights(), epoch: hubClock.epoch(), atMs: hubClock.nowMs() });
    let made: Made;
    try {
      made = await make();
    } catch (cause) {
      if (isRefusal(cause)) await note(store.deleteKey(caller, key));
      throw cause;
    }
    await note(store.saveKeyAnswer(caller, key, keep(made)));
    return made;
  };

  return {
    once: async (request, making) => {
      const name = `${request.caller} ${request.key}`;
      while (running.has(name)) await running.get(name);
      const work = attempt(request, making);
      const end = (): void => void running.delete(name);
      running.set(name, work.then(end, end));
      return work;
    },
    upkeep: async () => {
      for (const epoch of await store.loadKeyEpochs()) await store.deleteKeysBefore(epoch, keptSinceMs(epoch));
    },
  };
}

/** Nothing was made. After any other failure something may have been. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof HubError && (PROBLEMS[cause.code][0] < 500 || cause.code === 'OVERLOADED');
}

function repeated(first: KeptRequest, request: KeyedRequest, rights: string): WholeAnswer {
  if (first.fingerprint !== request.fingerprint) {
    throw new HubError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
  }
  const { answer } = first;
  if (answer === null) {
    throw new HubError(
      'OUTCOME_UNKNOWN',
      'The hub failed or ended during the first request with this Idempotency-Key: what it was to make may be there. Look for it; if it is not there, send the request with a new key.',
    );
  }
  if (answer.whole !== null && first.rights === rights) return answer.whole;
  throw new HubError(
    'ANSWER_NOT_KEPT',
    `The first request with this Idempotency-Key made ${answer.place ?? 'what it was to make'}, but its answer is shown only once.`,
    answer.place === null ? {} : { headers: { Location: answer.place } },
  );
}
