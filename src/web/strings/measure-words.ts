import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { formatLocale, timeWords } from './formats.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** As disks are sold: a kilobyte is a thousand bytes. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const words = new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 || value >= 100 ? 0 : 1,
  }).format(value);
  // A number is not parted from its unit.
  return words.replaceAll(' ', '\u00a0');
}

/** In its two largest units. */
export function durationWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return settingsWords.time.underAMinute;
  if (minutes < 60) return settingsWords.time.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? settingsWords.time.hours(hours, minutes % 60)
    : settingsWords.time.days(Math.floor(hours / 24), hours % 24);
}

export const dayWords = (at: string): string => timeWords(at, 'wholeDay');
export const clockWords = (at: string): string => timeWords(at, 'clock');
export const dateWords = (at: string): string => timeWords(at, 'date');
export const momentWords = (at: string): string => `${dateWords(at)}, ${clockWords(at)}`;
