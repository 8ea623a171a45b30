import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { limit } from '#words/limits.ts';
import { DEFINITION_LIMITS, type Definition, type RunKind } from './definition.ts';
import { type Find, type Reading, readShape } from './read-shape.ts';
import type { ReferenceKind } from './shape.ts';
import { DEFINITION_SHAPE, PART_SHAPES } from './shapes.ts';
import { faultWords } from '#words/faults.ts';

/** A document names things by selector, id or both; stored it names them by id. So what is stored is measured. */
const MOST_GIVEN_BYTES = 16 * DEFINITION_LIMITS.bytes;
/** Deeper than any document within the limits, and not too deep for a function that calls itself. */
const MAX_JSON_DEPTH = 160;

const MOST_RUNS: Readonly<Record<RunKind, number>> = {
  single: 1,
  restart: 1,
  queued: DEFINITION_LIMITS.queued,
  parallel: DEFINITION_LIMITS.parallel,
};

/** A document without one of these members means this value of it. */
const USUAL = {
  mode: { kind: 'single' },
  yield_to_hand_s: 0,
  release_on_mode: false,
  durable: 'auto',
  on_broken: 'stop',
  limits: 'usual',
  allow_sensitive: [],
  variables: {},
  triggers: [],
  conditions: [],
  steps: [],
} as const;

export type DefinitionReading =
  | { readonly definition: Definition; readonly errors: readonly [] }
  | { readonly definition: undefined; readonly errors: readonly FieldError[] };

/**
 * The document in its normal form, or all that is wrong with its form; never an exception. `find` says what to put in
 * the place of a reference. Whether the values fit the devices, `checkDefinition` says.
 */
export function readDefinition(document: JsonValue, find: Find): DefinitionReading {
  const reading = readStored(document, find);
  const size = reading.definition && findSizeError(reading.definition, DEFINITION_LIMITS.bytes);
  return size === undefined ? reading : { definition: undefined, errors: [size] };
}

/** The same for what was saved already: it is read however large references to other things make it. */
export function readStored(document: JsonValue, find: Find): DefinitionReading {
  const size = isShallow(document)
    ? findSizeError(document, MOST_GIVEN_BYTES)
    : fieldError('', 'TOO_LONG', ...faultWords('too_deep'));
  if (size !== undefined) return { definition: undefined, errors: [size] };
  const reading: Reading = {
    parts: PART_SHAPES,
    limits: DEFINITION_LIMITS,
    find,
    errors: [],
    nodes: { trigger: [], condition: [], step: [] },
  };
  const value = readShape(reading, DEFINITION_SHAPE, document);
  giveIds(reading, 'trigger', 't');
  giveIds(reading, 'step', 's');
  const mode = isJsonObject(value) ? readMode(reading, value['mode']) : USUAL.mode;
  const { errors } = reading;
  if (!isJsonObject(value) || errors.length > 0) return { definition: undefined, errors };
  return { definition: { ...withUsual(value), mode } as unknown as Definition, errors: [] };
}

/** With what is not said in it: an earlier version may have kept less. The parts must be as `readKept` takes them. */
export function withUsual(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, document[name] ?? usual]));
}

/** The document with others in the place of its references; `replace` gets the id, or what was shown for it. */
export function mapReferences(definition: Definition, replace: Find): JsonValue {
  const mapped = findMapped(definition, replace);
  if (mapped === undefined) throw new Error('a definition that was read before cannot be read again');
  return mapped;
}

/** The same; `undefined` for one that cannot be read any more. */
export function findMapped(definition: Definition, replace: Find): JsonValue | undefined {
  return readStored(definition, replace).definition;
}

type References = {
  /** Each once. */
  readonly references: readonly (readonly [kind: ReferenceKind, id: string])[];
  /** What is wrong with the rest of it. */
  readonly errors: readonly FieldError[];
};
/** A definition is never changed, so what it names is read once. */
const knownReferences = new WeakMap<Definition, References>();

/** Lists all that a definition names, in the order of the document. */
export function referencesIn(definition: Definition): References {
  const known = knownReferences.get(definition);
  if (known !== undefined) return known;
  const found = new Map<string, readonly [ReferenceKind, string]>();
  const { errors } = readStored(definition, (kind, id) => {
    found.set(`${kind}/${id}`, [kind, id]);
    return id;
  });
  const references = { references: [...found.values()], errors };
  knownReferences.set(definition, references);
  return references;
}

function findSizeError(value: JsonValue, most: number): FieldError | undefined {
  if (Buffer.byteLength(JSON.stringify(value)) <= most) return undefined;
  const message = `must have at most ${most} bytes, with the ids of what it names`;
  return fieldError('', 'TOO_LONG', message, limit('most', { most }));
}

function isShallow(value: JsonValue, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const items: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  return depth < MAX_JSON_DEPTH && items.every((item) => isShallow(item, depth + 1));
}

/** Ids that people gave stay; the others are the next that are free. */
function giveIds({ nodes, errors }: Reading, part: 'trigger' | 'step', letter: string): void {
  const taken = new Set<JsonValue>();
  for (const { pointer, value } of nodes[part]) {
    const { id } = value;
    if (id === undefined || id === '') continue;
    if (taken.has(id))
      errors.push(fieldError(`${pointer}/id`, 'INVALID_VALUE', ...faultWords('id_taken', { noun: part })));
    taken.add(id);
  }
  let last = 0;
  for (const { value } of nodes[part]) {
    if (value['id'] !== '') continue;
    do last += 1;
    while (taken.has(`${letter}${last}`));
    value['id'] = `${letter}${last}`;
  }
}

function readMode({ errors }: Reading, given: JsonValue | undefined): JsonObject {
  const { kind, max } = (isJsonObject(given) ? given : USUAL.mode) as { readonly kind: RunKind; readonly max?: number };
  const most = MOST_RUNS[kind];
  if (max !== undefined && max > most) {
    errors.push(fieldError('/mode/max', 'OUT_OF_RANGE', `must be at most ${most}`, limit('most', { most })));
  }
  return { kind, max: max ?? most };
}
