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

/** As the hub names modes and their values: what somebody wrote, in small letters. `undefined` if nothing is left of it. */
export function keyFrom(text: string): string | undefined {
  const key = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 40)
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z]/.test(key) ? key : undefined;
}

/** The values of a line of them, with their names; `undefined` where one cannot be a value, or they are fewer than two. */
export function valuesFrom(text: string): Pick<Mode, 'values' | 'value_names'> | undefined {
  const names = new Map<string, string>();
  for (const part of text.split(/[,;\n]/)) {
    const name = part.trim();
    if (name === '') continue;
    const key = keyFrom(name);
    if (key === undefined) return undefined;
    if (!names.has(key)) names.set(key, name);
  }
  return names.size < 2 ? undefined : { values: [...names.keys()], value_names: Object.fromEntries(names) };
}

/** A key that no mode has. A name without letters of the Latin alphabet has one too. */
export function newModeKey(name: string, modes: readonly Pick<Mode, 'key'>[]): string {
  const key = (keyFrom(name) ?? 'mode').slice(0, 36);
  const isFree = (one: string): boolean => modes.every((mode) => mode.key !== one);
  for (let count = 1; ; count += 1) {
    const one = count === 1 ? key : `${key}_${count}`;
    if (isFree(one)) return one;
  }
}
