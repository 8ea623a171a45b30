import type { LanguageCode } from './language.ts';

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;
type Unit = (typeof UNITS)[number][1] | 'second';

/** How a language counts and lists. Its words use it, so each language has one of its own. */
export function createGrammar(language: LanguageCode) {
  // To make a format takes long: each is made with its first use, and kept.
  const pluralRules = once(() => new Intl.PluralRules(language));
  const andList = once(() => new Intl.ListFormat(language));
  const orList = once(() => new Intl.ListFormat(language, { type: 'disjunction' }));
  const unitFormats = new Map<Unit, Intl.NumberFormat>();
  const unitWords = (count: number, unit: Unit): string => {
    const options = { style: 'unit', unit, unitDisplay: 'long', useGrouping: false, maximumFractionDigits: 3 } as const;
    const format = unitFormats.get(unit) ?? new Intl.NumberFormat(language, options);
    unitFormats.set(unit, format);
    return format.format(count);
  };
  /** Whether a count takes the singular: in French, none does too. */
  const isOne = (count: number): boolean => pluralRules().select(count) === 'one';
  /** `name`, `name and role`, `e-mail address, name, and role`. */
  const listed = (words: readonly string[]): string => andList().format(words);
  return {
    isOne,
    listed,
    /** `1 device`, `3 devices`. */
    counted: (count: number, one: string, many: string): string => `${count} ${isOne(count) ? one : many}`,
    /** `Ada or Ben`. */
    anyOf: (words: readonly string[]): string => orList().format(words),
    /** `Temperature: 21°`, in French `Température : 21°`. */
    titled: (title: string, text: string): string => `${title}${language === 'fr' ? '\u00A0' : ''}: ${text}`,
    /** `3 minutes`, `1 hour and 30 minutes`, `0.4 seconds`. */
    lengthWords: (seconds: number): string => {
      let left = seconds;
      const words: string[] = [];
      for (const [unitS, unit] of UNITS) {
        const count = Math.floor(left / unitS);
        left -= count * unitS;
        if (count > 0) words.push(unitWords(count, unit));
      }
      const rest = Math.round(left * 1000) / 1000;
      if (rest > 0 || words.length === 0) words.push(unitWords(rest, 'second'));
      return listed(words);
    },
  };
}

/** With a full stop: some of the hub's messages are sentences, some are parts of one. */
export function ended(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
