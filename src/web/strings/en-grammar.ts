const PLURALS = new Intl.PluralRules('en');

/** `1 device`, `3 devices`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${PLURALS.select(count) === 'one' ? one : many}`;
}

/** `name`, `name and role`, `e-mail address, name, and role`. */
export function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en').format(words);
}
