import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { TEMPLATE_LIMITS } from './template.ts';

// A template is a definition in which these objects stand for something else. Each has these members and no others.
//
// {"input": "lamp"}, {"input": "meter.key"}        the value of an input, or a member of it
// {"with": "lux", "use": …, "else": …}             `use` where the input has a value other than false, else `else`
// {"each": "lamps", "as": "lamp", "use": …}        `use` for each value of a list, of which `lamp.number` counts from 1
// {"members": [[name, value], …]}                  an object whose names are values of inputs
// {"join": ["open_", …]}                           a text
//
// In a list, `with` and `each` with a list as `use` add its items. What has no value is left out of lists and objects.

type Values = ReadonlyMap<string, JsonValue>;
type Work = { left: number };

/** The definition that the template gives with these values; `undefined` if it grows beyond all bounds. */
export function fillTemplate(
  definition: JsonObject,
  values: Readonly<Record<string, JsonValue>>,
): JsonValue | undefined {
  const work: Work = { left: TEMPLATE_LIMITS.nodes };
  const filled = valueOf(definition, new Map(Object.entries(values)), work);
  return work.left < 0 ? undefined : filled;
}

/** The inputs that a template names, without what `each` makes of them. */
export function inputsNamedIn(node: JsonValue, made: readonly string[] = []): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((item: JsonValue) => inputsNamedIn(item, made));
  if (!isJsonObject(node)) return [];
  const known = isNode(node, 'each') && typeof node['as'] === 'string' ? [...made, node['as']] : made;
  const named = CONTROLS.flatMap(({ word }) => (isNode(node, word) ? [node[word]] : [])).flatMap((name) =>
    typeof name === 'string' ? [name.split('.')[0] ?? ''] : [],
  );
  const inside = Object.values(node).flatMap((item) => inputsNamedIn(item, known));
  return [...new Set([...named.filter((name) => !made.includes(name)), ...inside])];
}

const CONTROLS = [
  { word: 'input', members: ['input'] },
  { word: 'with', members: ['with', 'use', 'else'] },
  { word: 'each', members: ['each', 'as', 'use'] },
  { word: 'members', members: ['members'] },
  { word: 'join', members: ['join'] },
] as const;
type ControlWord = (typeof CONTROLS)[number]['word'];

function isNode(node: JsonObject, word: ControlWord): boolean {
  const members: readonly string[] = CONTROLS.find((one) => one.word === word)?.members ?? [];
  return word in node && Object.keys(node).every((name) => members.includes(name));
}

/** One value, or none. */
function valueOf(node: JsonValue, values: Values, work: Work): JsonValue | undefined {
  work.left -= 1;
  if (work.left < 0) return undefined;
  if (Array.isArray(node)) return node.flatMap((item: JsonValue) => itemsOf(item, values, work));
  if (!isJsonObject(node)) return node;
  if (isNode(node, 'input')) return lookUp(node['input'], values);
  if (isNode(node, 'with')) {
    const chosen = isThere(lookUp(node['with'], values)) ? node['use'] : node['else'];
    return chosen === undefined ? undefined : valueOf(chosen, values, work);
  }
  if (isNode(node, 'each')) return itemsOf(node, values, work).slice();
  if (isNode(node, 'join')) return textOf(node['join'], values, work);
  const entries = isNode(node, 'members') ? membersOf(node['members'], values, work) : Object.entries(node);
  const filled: [string, JsonValue][] = [];
  for (const [name, item] of entries) {
    const value = valueOf(item, values, work);
    if (value !== undefined) filled.push([name, value]);
  }
  // `__proto__` becomes a member as any other, so that later checks see it.
  return Object.fromEntries(filled);
}

/** Fills in an item of a list, which may become none or several. */
function itemsOf(node: JsonValue, values: Values, work: Work): readonly JsonValue[] {
  work.left -= 1;
  if (work.left < 0) return [];
  if (isJsonObject(node) && isNode(node, 'each')) {
    const found = lookUp(node['each'], values);
    const list = Array.isArray(found) ? (found as readonly JsonValue[]) : found === undefined ? [] : [found];
    const { as: name, use = null } = node;
    return list.flatMap((item, index) => {
      const own = isJsonObject(item) ? { ...item, number: index + 1 } : item;
      return spread(use, new Map([...values, [typeof name === 'string' ? name : '', own]]), work);
    });
  }
  if (isJsonObject(node) && isNode(node, 'with')) {
    const chosen = isThere(lookUp(node['with'], values)) ? node['use'] : node['else'];
    return chosen === undefined ? [] : spread(chosen, values, work);
  }
  const value = valueOf(node, values, work);
  return value === undefined ? [] : [value];
}

function spread(node: JsonValue, values: Values, work: Work): readonly JsonValue[] {
  if (!Array.isArray(node)) return itemsOf(node, values, work);
  return node.flatMap((item: JsonValue) => itemsOf(item, values, work));
}

function membersOf(pairs: JsonValue | undefined, values: Values, work: Work): readonly [string, JsonValue][] {
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: JsonValue): [string, JsonValue][] => {
    if (!Array.isArray(pair)) return [];
    const [name = null, value = null] = pair as readonly JsonValue[];
    const text = valueOf(name, values, work);
    return typeof text === 'string' ? [[text, value]] : [];
  });
}

function textOf(parts: JsonValue | undefined, values: Values, work: Work): string {
  const items = Array.isArray(parts) ? (parts as readonly JsonValue[]) : [];
  const text = items
    .map((part) => valueOf(part, values, work))
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join('');
  // Each text is made anew, however often it is asked for.
  work.left -= Math.floor(text.length / CHARACTERS_A_NODE);
  return text;
}

const CHARACTERS_A_NODE = 16;

function lookUp(path: JsonValue | undefined, values: Values): JsonValue | undefined {
  if (typeof path !== 'string') return undefined;
  const [name = '', member] = path.split('.');
  const value = values.get(name);
  if (member === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

function isThere(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !Array.isArray(value) || value.length > 0;
}
