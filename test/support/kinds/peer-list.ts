import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameJson, type JsonValue } from '#base/json.ts';

/** Lists of a peer, copied as facts from a version of it. */
export type PeerLists = {
  /** Where they were copied from. */
  readonly source: string;
  readonly version: string;
  readonly lists: Readonly<Record<string, JsonValue>>;
};

export function readPeerLists(kind: string): PeerLists {
  const path = join(import.meta.dirname, `../../fixtures/${kind}/lists.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as PeerLists;
}

/** A list of the peer that has numbers by names. */
export function numbersIn({ lists }: PeerLists, name: string): Readonly<Record<string, number>> {
  const list = lists[name];
  if (list === undefined) throw new Error(`the fixture has no ${name}`);
  return list as Readonly<Record<string, number>>;
}

/** A list of the peer that has words alone. */
export function wordsIn({ lists }: PeerLists, name: string): readonly string[] {
  const list = lists[name];
  if (!Array.isArray(list)) throw new Error(`the fixture has no words ${name}`);
  return list as readonly string[];
}

/**
 * What is wrong with the hub's meaning of the names of a peer's list. What is left out has a reason; there is no name that
 * neither list has, and none that the peer does not have.
 */
export function wrongMeanings<Meaning extends JsonValue>(
  names: Iterable<string>,
  { known, leftOut }: { readonly known: Readonly<Record<string, Meaning>>; readonly leftOut: LeftOut },
  meaningOf: (name: string) => Meaning | undefined,
): readonly string[] {
  const all = new Set(names);
  const reasons = new Map(leftOut.flatMap(({ of, why }) => of.map((name) => [name, why] as const)));
  const strange = [...Object.keys(known), ...reasons.keys()].filter((name) => !all.has(name));
  const wrong = [...all].flatMap((name) => {
    const [wanted, meaning] = [known[name], meaningOf(name)];
    if (wanted === undefined && !reasons.has(name)) return [`${name} is new: it means ${JSON.stringify(meaning)}`];
    if (wanted !== undefined && reasons.has(name)) return [`${name} is known, and left out as well`];
    return isSameJson(wanted ?? null, meaning ?? null) && (wanted === undefined) === (meaning === undefined)
      ? []
      : [`${name} means ${JSON.stringify(meaning)} and not ${JSON.stringify(wanted)}`];
  });
  return [...strange.map((name) => `${name} is none of the peer's`), ...wrong];
}

/** Names of a peer's list that the hub has no word of its own for, each with the reason. */
export type LeftOut = readonly { readonly of: readonly string[]; readonly why: string }[];
