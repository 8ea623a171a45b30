import { enAudit } from './en-audit.ts';
import { enSettings } from './en-settings.ts';
import { enUpkeep } from './en-upkeep.ts';
import { t } from './strings.ts';

/** The words of the settings: apart from the others, for they come with the settings and not with the first page. */
export const s = { ...enSettings, ...enUpkeep, audit: enAudit };

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** As disks are sold: a kilobyte is a thousand bytes. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const words = new Intl.NumberFormat(t.locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 || value >= 100 ? 0 : 1,
  }).format(value);
  // A number is not parted from its unit.
  return words.replaceAll(' ', '\u00a0');
}

/** In the two largest units that matter. */
export function durationWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return s.time.underAMinute;
  if (minutes < 60) return s.time.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? s.time.hours(hours, minutes % 60) : s.time.days(Math.floor(hours / 24), hours % 24);
}

const dayFormat = new Intl.DateTimeFormat(t.locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const dateFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'medium' });
const clockFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export const dayWords = (at: string): string => dayFormat.format(new Date(at));
export const clockWords = (at: string): string => clockFormat.format(new Date(at));
export const dateWords = (at: string): string => dateFormat.format(new Date(at));
export const momentWords = (at: string): string => `${dateWords(at)}, ${clockWords(at)}`;
