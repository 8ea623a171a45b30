import { hasOwn } from '#web/since-2021.ts';
import type { HubWords, WithFeatures } from './hub-words.ts';

type Words = Readonly<Record<string, string>>;

/** What a language has for the codes and names of the hub. */
type HubTables = {
  /** By what a feature can do: `color_temperature`. The hub makes its name from that. */
  readonly features: Words;
  /** Words of enumerations. */
  readonly values: Words;
  readonly problems: Words;
  readonly faults: Words;
  /** What a limit of the hub says; `{0}` and `{1}` stand for its numbers. */
  readonly limits: Readonly<Record<Limit, string>>;
};

type Limit = 'range' | 'least' | 'most' | 'above' | 'below' | 'step';

const NUMBER = String.raw`(-?\d[\d.]*|-?∞)`;
/** How the hub says its limits; the first that fits. */
const LIMITS: readonly (readonly [limit: Limit, said: RegExp])[] = [
  ['range', new RegExp(`from ${NUMBER} to ${NUMBER}`)],
  ['range', new RegExp(`at least ${NUMBER} and at most ${NUMBER}`)],
  ['least', new RegExp(`at least ${NUMBER}`)],
  ['most', new RegExp(`at most ${NUMBER}`)],
  ['above', new RegExp(`more than ${NUMBER}`)],
  ['below', new RegExp(`less than ${NUMBER}`)],
  ['step', new RegExp(`multiple of ${NUMBER}`)],
];
/** Faults and problems that are about a limit. */
const LIMITED = new Set(['OUT_OF_RANGE', 'TOO_SHORT', 'TOO_LONG', 'LIMIT_REACHED']);

/** A language's words for the codes of the hub. */
export function createHubWords({ features, values, problems, faults, limits }: HubTables): HubWords {
  /** `Button 2`: the number stays. A name that a device or a person gave has no words here. */
  const feature = (name: string): string => {
    const [, word = '', number = ''] = /^(.*?)((?: \d+)?)$/s.exec(name) ?? [];
    const known = ownWord(features, word.toLowerCase().replaceAll(' ', '_'));
    return known === undefined ? name : `${known}${number}`;
  };
  const withLimit = (words: string | undefined, code: string, message: string): string | undefined => {
    if (words === undefined || !LIMITED.has(code)) return words;
    for (const [limit, said] of LIMITS) {
      const [, ...numbers] = said.exec(message) ?? [];
      if (numbers.length > 0) return `${words} ${filled(limits[limit], numbers.map(withComma))}`;
    }
    return words;
  };
  return {
    problem: (code, message = '') => withLimit(ownWord(problems, code), code, message),
    fault: (code, message = '') => withLimit(ownWord(faults, code), code, message),
    value: (value) => ownWord(values, value),
    device: <Device extends WithFeatures>(device: Device): Device => ({
      ...device,
      features: device.features.map((one) => ({ ...one, name: feature(one.name) })),
    }),
  };
}

/** The hub speaks English; all of the other languages write `0,5`. */
function withComma(number: string): string {
  return number.replace('.', ',');
}

/** Some words come from people: `constructor` is none of a table's. */
export function ownWord(table: Words, key: string): string | undefined {
  return hasOwn(table, key) ? table[key] : undefined;
}

/** `{0}` and `{1}` stand for what is given. */
export function filled(words: string, given: readonly string[]): string {
  return words.replace(/\{(\d)\}/g, (_, index: string) => given[Number(index)] ?? '');
}
