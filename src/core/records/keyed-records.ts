import { HubError, requireThing } from '#base/hub-error.ts';
import { isNumber, isText, isWhole } from './record-check.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { ChangeTerms } from './change-terms.ts';

/** Something that its owner names with a key, which never changes. */
export type KeyedRecord = { readonly key: string; readonly revision: number };

/** Keeps the records. A resolved promise means: on disk. */
export type KeyedStore<Item extends KeyedRecord> = {
  readonly load: () => Promise<readonly Item[]>;
  readonly save: (item: Item) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
};

/** Records by their keys. Changes are on disk before they are visible. */
type KeyedRecords<Item extends KeyedRecord> = {
  /** By key. */
  readonly all: () => readonly Item[];
  readonly find: (key: string) => Item | undefined;
  /** Throws HubError NAME_TAKEN, LIMIT_REACHED and, as every change here, what `authorize` throws. */
  readonly add: (item: Item, terms?: ChangeTerms) => Promise<Item>;
  /** `change` gets the present record and returns the new one, or the same for no change. Throws NOT_FOUND, PRECONDITION_FAILED. */
  readonly change: (key: string, change: (item: Item) => Item, terms?: ChangeTerms) => Promise<Item>;
  /** Throws HubError NOT_FOUND, PRECONDITION_FAILED, and NOT_SUPPORTED for what is built in. */
  readonly remove: (key: string, terms?: ChangeTerms) => Promise<Item>;
};

type KeyedRecordsDeps<Item extends KeyedRecord> = {
  readonly store: KeyedStore<Item>;
  readonly turn: TurnQueue;
  /** What one record is, for messages: `mode`. */
  readonly noun: string;
  readonly maxCount: number;
  /** Records that are always there; they are written with their first change. */
  readonly builtIn?: readonly Item[];
};

/** A key as people choose it. */
export const RECORD_KEY = /^[a-z][a-z0-9_-]{0,39}$/;

/** A stored record with a name has these members beside its key. */
export const KEYED_CHECKS = { name: isText, changedAtMs: isNumber, revision: isWhole };

/** Reads the records, which from then on change only here. */
export async function openKeyedRecords<Item extends KeyedRecord>(
  deps: KeyedRecordsDeps<Item>,
): Promise<KeyedRecords<Item>> {
  const { store, turn, noun, maxCount } = deps;
  const builtIn = new Map(deps.builtIn?.map((item) => [item.key, item]));
  const byKey = new Map(builtIn);
  for (const item of await store.load()) byKey.set(item.key, item);
  const presentItem = (key: string, { ifRevision, authorize }: ChangeTerms = {}): Item => {
    authorize?.();
    const item = requireThing(byKey.get(key), noun);
    if (ifRevision !== undefined && ifRevision !== item.revision) {
      throw new HubError('PRECONDITION_FAILED', `The ${noun} is at revision ${item.revision}.`);
    }
    return item;
  };
  return {
    all: () => [...byKey.values()].sort((left, right) => (left.key < right.key ? -1 : 1)),
    find: (key) => byKey.get(key),
    add: (item, terms = {}) =>
      turn(async () => {
        terms.authorize?.();
        if (byKey.has(item.key)) throw new HubError('NAME_TAKEN', `Another ${noun} has this key.`);
        if (byKey.size >= maxCount) throw new HubError('LIMIT_REACHED', `There can be ${maxCount} of them.`);
        await store.save(item);
        byKey.set(item.key, item);
        return item;
      }),
    change: (key, change, terms) =>
      turn(async () => {
        const old = presentItem(key, terms);
        const item = change(old);
        if (item === old) return old;
        await store.save(item);
        byKey.set(key, item);
        return item;
      }),
    remove: (key, terms) =>
      turn(async () => {
        const item = presentItem(key, terms);
        if (builtIn.has(key)) throw new HubError('NOT_SUPPORTED', `This ${noun} is part of every hub.`);
        await store.remove(key);
        byKey.delete(key);
        return item;
      }),
  };
}
