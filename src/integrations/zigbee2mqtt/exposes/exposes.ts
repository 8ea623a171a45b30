import { createHash } from 'node:crypto';
import type { Feature } from '#core/feature/feature.ts';
import type { FeatureCategory } from '#core/feature/value-type.ts';
import { VOCABULARY, type Capability, type VocabularyWord } from '#core/feature/vocabulary.ts';
import { capabilitiesOfName } from './capabilities.ts';
import type { Conversion } from './conversion.ts';
import type { Definition, Expose } from './definition.ts';
import { genericMeaning, meaningAsWord, type Meaning } from './expose-meaning.ts';

/** A feature, with its property and conversion in payloads. */
export type Binding = {
  readonly feature: Feature;
  readonly property: string;
  readonly conversion: Conversion;
  /** The expose that it is a part of (`light`, `cover`, …), if any. */
  readonly parent: string | null;
  /** Whether the device answers a read request for it. */
  readonly gettable: boolean;
};

const PARENTS = new Set(['light', 'switch', 'cover', 'lock', 'fan', 'climate']);
const STATE = 1;
const SET = 2;
const GET = 4;

type Leaf = { readonly expose: Expose; readonly parent: string | null };
type Candidate = {
  readonly property: string;
  readonly leaf: Leaf;
  readonly access: number;
  readonly word: VocabularyWord | null;
  /** Place in the vocabulary's order of names. */
  readonly rank: number;
  readonly capability: Capability;
  readonly component: string;
  readonly meaning: Meaning;
};

/** The leaves of a definition: the exposes with a property. A composite or list is one leaf. */
function leavesOfDefinition(definition: Definition): readonly Leaf[] {
  return definition.exposes.flatMap((expose): Leaf[] =>
    PARENTS.has(expose.type)
      ? expose.features.map((feature) => ({ expose: feature, parent: expose.type }))
      : [{ expose, parent: null }],
  );
}

/**
 * The features of a definition, one per property, in the definition's order. The result depends only on the exposes, so
 * the same definition gives the same keys after every restart.
 */
export function bindingsFromDefinition(definition: Definition): readonly Binding[] {
  const byProperty = new Map<string, Leaf[]>();
  for (const leaf of leavesOfDefinition(definition)) {
    const { property } = leaf.expose;
    if (property === null) continue;
    const known = byProperty.get(property);
    if (known === undefined) byProperty.set(property, [leaf]);
    else known.push(leaf);
  }
  const candidates = [...byProperty].map(([property, leaves]) => candidateFromLeaves(property, leaves));
  const keys = keysOfCandidates(candidates);
  return candidates.map((candidate) => bindingFromCandidate(candidate, keys.get(candidate) ?? candidate.property));
}

/** Several exposes of one property become one feature: the best named one gives the meaning, all give their access. */
function candidateFromLeaves(property: string, leaves: readonly Leaf[]): Candidate {
  const access = leaves.reduce((bits, leaf) => bits | leaf.expose.access, 0);
  const typed = leaves
    .flatMap((leaf) =>
      capabilitiesOfName(leaf.parent, leaf.expose.name).flatMap(({ word, rank }) => {
        const meaning = meaningAsWord(word, leaf.expose);
        return meaning === undefined ? [] : [{ leaf, word, rank, meaning }];
      }),
    )
    .sort((left, right) => left.rank - right.rank);
  const best = typed[0];
  const leaf = best?.leaf ?? leaves[0];
  if (leaf === undefined) throw new Error(`no expose for ${property}`);
  const component = slugOf(leaf.expose.endpoint ?? '') || 'main';
  const shared = { property, leaf, access, component };
  if (best !== undefined) {
    return { ...shared, word: best.word, rank: best.rank, capability: best.word, meaning: best.meaning };
  }
  const capability = `x.${slugOf(leaf.expose.name)}` as const;
  return { ...shared, word: null, rank: 0, capability, meaning: genericMeaning(leaf.expose) };
}

/**
 * If several properties have one capability in one component, the first in the vocabulary's order of names gets the
 * plain key, and the keys of the others name their property. No key has a number that could shift when a definition
 * grows.
 */
function keysOfCandidates(candidates: readonly Candidate[]): Map<Candidate, string> {
  const inOrder = candidates.toSorted(
    (left, right) =>
      left.rank - right.rank ||
      Number(left.property !== left.leaf.expose.name) - Number(right.property !== right.leaf.expose.name) ||
      (left.property < right.property ? -1 : 1),
  );
  const keys = new Map<Candidate, string>();
  const taken = new Set<string>();
  for (const candidate of inOrder) {
    const plain =
      candidate.component === 'main' ? candidate.capability : `${candidate.component}.${candidate.capability}`;
    const full = `${plain}.${slugOf(candidate.property)}`;
    // A hash distinguishes two properties that differ only in characters that a key cannot have.
    const key = [plain, full].find((free) => !taken.has(free)) ?? hashedKey(full, candidate.property);
    taken.add(key);
    keys.set(candidate, key);
  }
  return keys;
}

function hashedKey(key: string, property: string): string {
  return `${key}_${createHash('sha256').update(property).digest('hex').slice(0, 8)}`;
}

function slugOf(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
}

function bindingFromCandidate(candidate: Candidate, key: string): Binding {
  const { leaf, meaning, word, access } = candidate;
  const { expose } = leaf;
  const kind = word === null ? 'state' : VOCABULARY[word].kind;
  const isPlain = word !== null && !key.endsWith(`.${slugOf(candidate.property)}`);
  return {
    property: candidate.property,
    conversion: meaning.conversion,
    parent: leaf.parent,
    gettable: (access & GET) !== 0,
    feature: {
      key,
      capability: candidate.capability,
      component: candidate.component,
      kind,
      category: categoryOf(candidate),
      name: isPlain ? titleOf(word) : (expose.label ?? titleOf(expose.name)),
      description: expose.description,
      valueType: meaning.valueType,
      readable: kind === 'state' && (access & (STATE | GET)) !== 0,
      writable: (access & SET) !== 0,
      unit: meaning.unit,
      min: meaning.min,
      max: meaning.max,
      step: meaning.step,
      options: meaning.options,
      schema: meaning.schema,
    },
  };
}

function categoryOf({ word, leaf, access }: Candidate): FeatureCategory {
  // Upstream lists button presses under diagnostics, but they are the purpose of the device.
  if (word === 'button') return 'primary';
  const { category } = leaf.expose;
  if (category === 'config' || category === 'diagnostic') return category;
  if (word !== null) return VOCABULARY[word].category;
  return (access & SET) !== 0 ? 'config' : 'primary';
}

/** `color_temperature` → "Color temperature". */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
