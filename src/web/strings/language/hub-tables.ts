import type { HubWords, WithFeatures } from './hub-words.ts';

type Words = Readonly<Record<string, string>>;

/** What a language has for the words of the hub. */
export type HubTables = {
  /** By what a feature can do: `color_temperature`. The hub makes its name from that. */
  readonly features: Words;
  /** Words of enumerations. */
  readonly values: Words;
  readonly problems: Words;
  readonly faults: Words;
  readonly errors: Words;
  /** By the English sentence, for manifests, templates and notifications; `{0}` stands for a name in it. */
  readonly texts: Words;
};

/** What people read in an answer, by the name of its field. */
const READ = new Set([
  'about',
  'description',
  'help',
  'hint',
  'label',
  'message',
  'name',
  'pairing_hint',
  'text',
  'title',
]);

/** A language's words for what the hub says. This is loaded with the first language that is not English. */
export function createHubWords({ features, values, problems, faults, errors, texts }: HubTables): HubWords {
  const patterns = Object.entries(texts)
    .filter(([english]) => english.includes('{0}'))
    .map(([english, words]) => [patternOf(english), words] as const);
  const text = (english: string): string => {
    const whole = ownWord(texts, english);
    if (whole !== undefined) return whole;
    for (const [pattern, words] of patterns) {
      const [, ...found] = pattern.exec(english) ?? [];
      if (found.length > 0) return words.replace(/\{(\d)\}/g, (_, index: string) => found[Number(index)] ?? '');
    }
    return english;
  };
  const within = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return READ.has(name) ? text(value) : value;
    if (Array.isArray(value)) return value.map((one: unknown) => within(one, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(one, key)]));
  };
  /** `Button 2`: the number stays. A name that a device or a person gave has no words here. */
  const feature = (name: string): string => {
    const [, word = '', number = ''] = /^(.*?)((?: \d+)?)$/s.exec(name) ?? [];
    const known = ownWord(features, word.toLowerCase().replaceAll(' ', '_'));
    return known === undefined ? name : `${known}${number}`;
  };
  return {
    problem: (code) => ownWord(problems, code),
    fault: (code) => ownWord(faults, code),
    error: (code) => ownWord(errors, code),
    value: (value) => ownWord(values, value),
    text,
    answer: <Answer>(answer: Answer) => within(answer, '') as Answer,
    device: <Device extends WithFeatures>(device: Device): Device => ({
      ...device,
      features: device.features.map((one) => ({ ...one, name: feature(one.name) })),
    }),
  };
}

/** Some words come from people: `constructor` is none of a table's. */
function ownWord(table: Words, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function patternOf(english: string): RegExp {
  const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.+)')}$`, 's');
}
