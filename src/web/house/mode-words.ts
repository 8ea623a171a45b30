import type { Mode } from '#web/client/api.ts';
import { hasOwn } from '#web/since-2021.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords } from '#web/strings/value-words.ts';

/** The mode of every home is named in the language of the page. */
export function modeName({ key, name }: Pick<Mode, 'key' | 'name'>): string {
  return key === 'home' ? pageWords.modeName : name;
}

/** As people wrote the value; those that every hub has, in the language of the page. */
export function modeWords({ value_names: names }: Pick<Mode, 'value_names'>, value: string): string {
  if (hasOwn(names, value)) return names[value] ?? value;
  return hasOwn(pageWords.modes, value) ? (pageWords.modes[value] ?? value) : enumWords(value);
}

/** The words of all values by their keys. */
export function namesOfValues(mode: Pick<Mode, 'values' | 'value_names'>): Readonly<Record<string, string>> {
  return Object.fromEntries(mode.values.map((value) => [value, modeWords(mode, value)]));
}

/** As the hub names modes and their values: what somebody wrote, in small letters. `undefined` if nothing is left of it. */
function keyFrom(text: string): string | undefined {
  const key = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 36)
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z]/.test(key) ? key : undefined;
}

/** A key that nothing has so far. A name without letters of the Latin alphabet has one too. */
export function freeKey(name: string, taken: readonly string[], whole: 'mode' | 'value'): string {
  const key = keyFrom(name) ?? whole;
  for (let count = 1; ; count += 1) {
    const one = count === 1 ? key : `${key}_${count}`;
    if (!taken.includes(one)) return one;
  }
}

/** The values with one more, which has this name; `undefined` where one of them is called so. */
export function withValue(
  { values, value_names: names }: Pick<Mode, 'values' | 'value_names'>,
  name: string,
): Pick<Mode, 'values' | 'value_names'> | undefined {
  const isSame = (value: string): boolean =>
    modeWords({ value_names: names }, value).toLowerCase() === name.toLowerCase();
  if (values.some(isSame)) return undefined;
  const key = freeKey(name, values, 'value');
  return { values: [...values, key], value_names: { ...names, [key]: name } };
}
