import { ownWord } from './hub-tables.ts';
import type { HubTexts } from './hub-words.ts';

type Words = Readonly<Record<string, string>>;

/** What a language has for the sentences of the hub. */
type HubTextTables = {
  /** By code. */
  readonly errors: Words;
  /** By the English sentence, for connections and templates; `{0}` stands for a name in it. */
  readonly texts: Words;
};

/** What people read in an answer, by the name of its field. */
const READ = new Set(['description', 'hint', 'label', 'name']);

/** A language's words for the sentences of the hub. */
export function createHubTexts({ errors, texts }: HubTextTables): HubTexts {
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
  return {
    error: (code) => ownWord(errors, code),
    text,
    answer: <Answer>(answer: Answer) => within(answer, '') as Answer,
  };
}

function patternOf(english: string): RegExp {
  const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.+)')}$`, 's');
}
