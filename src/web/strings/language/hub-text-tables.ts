import { ownWord } from './hub-tables.ts';
import type { HubTexts } from './hub-words.ts';

type Words = Readonly<Record<string, string>>;

/** What a language has for the sentences of the hub. */
type HubTextTables = {
  /** By code. */
  readonly errors: Words;
  /** By the English sentence, for connections; `{0}` stands for a name in it. */
  readonly texts: Words;
};

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
  return { error: (code) => ownWord(errors, code), text };
}

function patternOf(english: string): RegExp {
  const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.+)')}$`, 's');
}
