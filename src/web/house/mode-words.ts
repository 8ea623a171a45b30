import type { Mode } from '#web/client/api.ts';
import { hasOwn } from '#web/since-2021.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { enumWords } from '#web/strings/value-words.ts';

/** The mode of every home is named in the language of the page. */
export function modeName({ key, name }: Pick<Mode, 'key' | 'name'>): string {
  return key === 'home' ? houseWords.modeName : name;
}

/** The modes that every hub has are named in the language of the page; others as people named them. */
export function modeWords(value: string): string {
  return hasOwn(houseWords.modes, value) ? (houseWords.modes[value] ?? value) : enumWords(value);
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

/** The values of a line of them; `undefined` where one cannot be a value, or they are fewer than two. */
export function valuesFrom(text: string): readonly string[] | undefined {
  const keys = text
    .split(/[,;\n]/)
    .filter((part) => part.trim() !== '')
    .map(keyFrom);
  const values = [...new Set(keys.filter((key) => key !== undefined))];
  return keys.includes(undefined) || values.length < 2 ? undefined : values;
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
