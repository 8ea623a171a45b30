import { listed } from '#web/strings/language/grammar.ts';
import { spokenLanguage } from '#web/strings/language/language.ts';

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** `3 minutes`, `1 hour and 30 minutes`, `0.4 seconds`. */
export function lengthWords(seconds: number): string {
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
}

/** To make a format takes long: each is kept. */
const kept = new Map<string, Intl.NumberFormat>();

function unitWords(count: number, unit: 'second' | 'minute' | 'hour' | 'day'): string {
  const key = `${spokenLanguage()} ${unit}`;
  const format =
    kept.get(key) ??
    new Intl.NumberFormat(spokenLanguage(), {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      useGrouping: false,
      maximumFractionDigits: 3,
    });
  kept.set(key, format);
  return format.format(count);
}
