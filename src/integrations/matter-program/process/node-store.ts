import { StorageDriver, MemoryStorageDriver, fromJson, toJson } from '@matter/main';

/** What Matter must remember: fabrics, keys, who may do what, and the numbers that it has given. */
export type NodeStore = {
  readonly driver: StorageDriver;
  /** The numbers of these endpoints, the same for ever. On disk once resolved. */
  readonly numbersOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Resolves once all is on disk. */
  readonly flush: () => Promise<void>;
};

type Store = Record<string, Record<string, unknown>>;
type Kept = { readonly numbers: Readonly<Record<string, number>>; readonly store: Store };

/** Contexts that are not written with each change, by their names with dots between. */
export type Unwritten = {
  /** Comes from the hub at each start: never written. */
  readonly passing?: RegExp;
  /** Is read again from elsewhere: written with what else is, and when `flush` is called. */
  readonly slow?: RegExp;
};

/** 0 is the node itself, 1 the aggregator. */
const FIRST_NUMBER = 2;

/** `keep` resolves once the text is on disk, and rejects where it cannot be. */
export function createNodeStore(
  kept: string | null,
  keep: (text: string) => Promise<void>,
  { passing, slow }: Unwritten,
): NodeStore {
  const { numbers: known, store } = readKept(kept);
  const numbers = new Map(Object.entries(known));
  let next = Math.max(FIRST_NUMBER - 1, ...numbers.values()) + 1;
  let written = kept;
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    // All that changes in this turn of the event loop is one write.
    await new Promise<void>((resolve) => setImmediate(resolve));
    writing = undefined;
    const text = toJson({ numbers: Object.fromEntries(numbers), store: keptPart(store, passing) });
    if (text === written) return;
    await keep(text);
    written = text;
  };
  const flush = (): Promise<void> => (writing ??= write());
  const flushOf = async (contexts: readonly string[]): Promise<void> => {
    const name = `${contexts.join('.')}.`;
    if (passing?.test(name) !== true && slow?.test(name) !== true) await flush();
  };
  const driver = createDriver(store, flushOf);
  void driver.initialize();
  return {
    driver,
    flush,
    numbersOf: async (ids) => {
      const fresh = ids.filter((id) => !numbers.has(id));
      for (const id of fresh) {
        numbers.set(id, next);
        next += 1;
      }
      if (fresh.length > 0) await flush();
      return numbers;
    },
  };
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
