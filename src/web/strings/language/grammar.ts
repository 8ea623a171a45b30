import { spokenLanguage } from './language.ts';

/** To make one takes long: each is kept by its language. */
const kept = new Map<string, Intl.PluralRules | Intl.ListFormat>();

function keptOf<Format extends Intl.PluralRules | Intl.ListFormat>(
  name: string,
  make: (locale: string) => Format,
): Format {
  const key = `${spokenLanguage()} ${name}`;
  const format = kept.get(key) ?? make(spokenLanguage());
  kept.set(key, format);
  return format as Format;
}

/** Whether a count takes the singular: in French, none does too. */
export function isOne(count: number): boolean {
  return keptOf('plural', (locale) => new Intl.PluralRules(locale)).select(count) === 'one';
}

/** `1 device`, `3 devices`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${isOne(count) ? one : many}`;
}

/** `name`, `name and role`, `e-mail address, name, and role`. */
export function listed(words: readonly string[]): string {
  return keptOf('and', (locale) => new Intl.ListFormat(locale)).format(words);
}

/** `Ada or Ben`. */
export function anyOf(words: readonly string[]): string {
  return keptOf('or', (locale) => new Intl.ListFormat(locale, { type: 'disjunction' })).format(words);
}
