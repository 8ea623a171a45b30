import { StorageDriver, MemoryStorageDriver, fromJson, toJson } from '@matter/main';
import { NotKeptError } from './hub-channel.ts';

/** Matter must remember fabrics, keys, who may do what, and the numbers that it has given. */
export type NodeStore = ReturnType<typeof createNodeStore>;

type Store = Record<string, Record<string, unknown>>;
type Kept = { readonly numbers: Readonly<Record<string, number>>; readonly store: Store };

/** Contexts that are not written with each change, by their names with dots between. */
type Unwritten = {
  /** Comes from the hub at each start: never written. */
  readonly passing?: RegExp;
  /** Is read again from elsewhere, or may be lost: written with what else is, and when `flush` is called. */
  readonly slow?: RegExp;
};

export type NodeStoreOptions = Unwritten & {
  /** Numbers that somebody else remembers; those in the text come before them. */
  readonly numbers?: Readonly<Record<string, number>>;
  /** Whether a change there, by the name of the context, holds before the disk takes it. */
  readonly mayWait?: (name: string) => boolean;
  /** The disk does not take something. It is tried again until it does. */
  readonly onFull?: () => void;
  readonly onRoom?: () => void;
  /** Endpoints have numbers on disk that had none before. */
  readonly onNumbers?: (numbers: Readonly<Record<string, number>>) => void;
};

/**
 * Sessions that can be resumed, subscriptions that the node would take up by itself, and how long it has run. Without them
 * homes begin anew with both. Each of them changes often, and all would be written.
 */
export const EASILY_LOST = /^(?:[^.]+\.)?(?:sessions|root\.(?:subscriptions|generalDiagnostics))\./;

/** 0 is the node itself, 1 the aggregator. */
const FIRST_NUMBER = 2;
/** A full disk is asked again after these, each time later. */
const TRY_AGAIN = { minMs: 5_000, maxMs: 60_000 };

/** `keep` resolves once the text is on disk, and rejects where it cannot be. */
export function createNodeStore(
  memory: string | null,
  keep: (text: string) => Promise<void>,
  { passing, slow, numbers: remembered = {}, mayWait, ...on }: NodeStoreOptions,
) {
  const { numbers: own, store } = readKept(memory);
  const numbers = mergeNumbers(own, remembered);
  let next = Math.max(FIRST_NUMBER - 1, ...numbers.values()) + 1;
  /** Numbers below this one are on disk, here or where they are remembered. */
  let safeBelow = next;
  let written = memory;
  let writing: Promise<void> | undefined;
  let isFull = false;
  let waitMs = TRY_AGAIN.minMs;
  let isAbandoned = false;

  const write = async (isForced: boolean): Promise<void> => {
    const text = toJson({ numbers: Object.fromEntries(numbers), store: keptPart(store, passing) });
    if (isAbandoned || (text === written && !isForced)) return;
    const below = next;
    try {
      await keep(text);
    } catch (cause) {
      if (!isFull) tryLater();
      isFull = true;
      on.onFull?.();
      throw cause;
    }
    written = text;
    if (below > safeBelow) on.onNumbers?.(Object.fromEntries([...numbers].filter(([, number]) => number < below)));
    safeBelow = Math.max(safeBelow, below);
    if (isFull) on.onRoom?.();
    isFull = false;
    waitMs = TRY_AGAIN.minMs;
  };
  const tryAgain = (): void => {
    if (!isFull || isAbandoned) return;
    // The hub tells it, in its log and to people.
    write(true).catch(tryLater);
  };
  const tryLater = (): void => {
    setTimeout(tryAgain, waitMs).unref();
    waitMs = Math.min(TRY_AGAIN.maxMs, 2 * waitMs);
  };
  const gather = async (): Promise<void> => {
    // All that changes in this turn of the event loop is one write.
    await new Promise<void>((resolve) => setImmediate(resolve));
    writing = undefined;
    await write(false);
  };
  const flush = (): Promise<void> => (writing ??= gather());
  const flushOf = async (contexts: readonly string[]): Promise<void> => {
    const name = `${contexts.join('.')}.`;
    if (passing?.test(name) === true || slow?.test(name) === true) return;
    await (mayWait?.(name) === true ? flush().catch(acceptNotKept) : flush());
  };
  const driver = createDriver(store, flushOf);
  void driver.initialize();
  return {
    driver,
    /** Resolves once all is on disk. */
    flush,
    /** Resolves if the disk takes what is kept, also where nothing of it has changed. */
    probe: (): Promise<void> => write(true),
    /** Nothing is written any more: what is on disk counts. */
    abandon: (): void => void (isAbandoned = true),
    /** The numbers of these endpoints, the same for ever; without those that the disk does not take. */
    numbersOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      for (const id of ids) {
        if (numbers.has(id)) continue;
        numbers.set(id, next);
        next += 1;
      }
      const isSafe = (id: string): boolean => (numbers.get(id) ?? next) < safeBelow;
      if (!isFull && !ids.every(isSafe)) await flush().catch(acceptNotKept);
      return new Map([...numbers].filter(([id]) => isSafe(id)));
    },
  };
}

/** The hub has told it, and it is tried again. */
function acceptNotKept(cause: unknown): void {
  if (!(cause instanceof NotKeptError)) throw cause;
}

function mergeNumbers(
  own: Readonly<Record<string, number>>,
  remembered: Readonly<Record<string, number>>,
): Map<string, number> {
  const taken = new Set(Object.values(own));
  const others = Object.entries(remembered).filter(([id, number]) => !(id in own) && !taken.has(number));
  return new Map([...Object.entries(own), ...others]);
}

function readKept(kept: string | null): Kept {
  if (kept === null) return { numbers: {}, store: {} };
  // The hub has checked that it is the text that it was given.
  return fromJson(kept) as Kept;
}

function keptPart(store: Store, passing: RegExp | undefined): Store {
  return Object.fromEntries(
    Object.entries(store).filter(
      ([context, values]) => passing?.test(context) !== true && Object.keys(values).length > 0,
    ),
  );
}

/** In memory, with a write to the disk after each change that is kept. */
function createDriver(store: Store, flushOf: (contexts: readonly string[]) => Promise<void>): StorageDriver {
  const memory = new MemoryStorageDriver(store as ConstructorParameters<typeof MemoryStorageDriver>[0]);
  class KeptDriver extends StorageDriver {
    override get initialized() {
      return memory.initialized;
    }

    override initialize() {
      memory.initialize();
    }

    override close() {
      return memory.close();
    }

    override get(contexts: string[], key: string) {
      return memory.get(contexts, key);
    }

    override values(contexts: string[]) {
      return memory.values(contexts);
    }

    override keys(contexts: string[]) {
      return memory.keys(contexts);
    }

    override contexts(contexts: string[]) {
      return memory.contexts(contexts);
    }

    override set(...given: Parameters<MemoryStorageDriver['set']>): Promise<void> {
      memory.set(...given);
      return flushOf(given[0]);
    }

    override delete(contexts: string[], key: string): Promise<void> {
      memory.delete(contexts, key);
      return flushOf(contexts);
    }

    override clearAll(contexts: string[]): Promise<void> {
      memory.clearAll(contexts);
      return flushOf(contexts);
    }
  }
  return new KeptDriver();
}
