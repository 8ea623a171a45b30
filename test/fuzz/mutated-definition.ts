import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' };

type Dice = () => number;
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const WRONG: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  {},
  [],
  [[]],
  [null],
  [{}],
  'x'.repeat(3_000),
  '__proto__',
  'constructor',
  'toString',
  '../..',
  '#',
  '+',
  'a/+/b',
  '$SYS',
  'a\u0000b',
  '\u001b[31m',
  { __raw: 1 },
  [1, '2', null],
  'NaN',
  '{{ x }}',
];
const POISON = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},';

const pick = <T>(list: readonly T[], dice: Dice): T | undefined => list[Math.floor(dice() * list.length)];
const wrongValue = (dice: Dice): Json => (dice() < 0.4 ? pick<Json>(naughtyStrings, dice) : pick(WRONG, dice)) ?? null;

/** The value with one place in it changed, gone, doubled, or filled with what does not belong there. */
export function mutated(value: Json, dice: Dice): Json {
  if (typeof value !== 'object' || value === null || dice() < 0.08) return wrongValue(dice);
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const index = Math.floor(dice() * list.length);
    if (list.length === 0 || dice() < 0.05) return [...list, wrongValue(dice)];
    const how = dice();
    if (how < 0.1) return list.toSpliced(index, 1);
    if (how < 0.2) return [...list, ...list.slice(index, index + 1)];
    return list.with(index, mutated(list[index] ?? null, dice));
  }
  const entries = Object.entries(value as Record<string, Json>);
  const index = Math.floor(dice() * entries.length);
  const [key, item] = entries[index] ?? ['x', null];
  const how = dice();
  if (how < 0.1) return Object.fromEntries(entries.toSpliced(index, 1));
  const next = how < 0.2 ? [`${key}2`, item] : [key, mutated(item, dice)];
  return Object.fromEntries([...entries.toSpliced(index, 1), next]) as Json;
}

/** JSON of it with something that only text can say: keys twice, poisoned, a number too large, a byte changed. */
export function mutatedText(json: string, dice: Dice): Buffer {
  const bytes = Buffer.from(json);
  const at = Math.floor(dice() * bytes.length);
  const how = dice();
  if (how < 0.3) return Buffer.from(json.replaceAll(/\{(?=")/g, (brace) => (dice() < 0.05 ? brace + POISON : brace)));
  if (how < 0.5) return Buffer.from(json.replaceAll(/:-?\d+(?=[,}])/g, (text) => (dice() < 0.1 ? ':1e999' : text)));
  if (how < 0.6) return bytes.subarray(0, at);
  bytes[at] = Math.floor(dice() * 256);
  return bytes;
}

/** A report with a value for each property that a definition exposes, hardly any of them one that it can have. */
export function hostileReport(entry: unknown, dice: Dice): string {
  const names = [...JSON.stringify(entry).matchAll(/"property":"((?:[^"\\]|\\.)*)"/g)].map(([, name]) => name ?? '');
  return JSON.stringify(Object.fromEntries([...new Set(names)].map((name) => [name, wrongValue(dice)])));
}
