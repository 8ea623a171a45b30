import type { Feature } from '#web/client/api.ts';
import { t } from './strings.ts';

/** What true and false mean, where that is not plain on and off. */
const BOOLEANS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  open: [t.state.open, t.state.closed],
  motion: [t.state.motion, t.state.noMotion],
  presence: [t.state.presence, t.state.noPresence],
  water_leak: [t.state.wet, t.state.dry],
  smoke: [t.state.alarm, t.state.quiet],
  co_alarm: [t.state.alarm, t.state.quiet],
  gas_leak: [t.state.alarm, t.state.quiet],
  locked: [t.state.locked, t.state.unlocked],
  on: [t.on, t.off],
  valve_open: [t.state.open, t.state.closed],
};
/** Units that stand close to the number. */
const TIGHT = new Set(['celsius']);

/** A feature's value as people read it: words, or a number with its unit. */
export function valueWords(feature: Pick<Feature, 'capability' | 'unit' | 'step'>, value: unknown): string {
  if (value === null || value === undefined) return t.none;
  if (typeof value === 'boolean') {
    const [yes, no] = BOOLEANS[feature.capability] ?? [t.yes, t.no];
    return value ? yes : no;
  }
  if (typeof value === 'number') return numberWords(value, feature);
  if (typeof value === 'string') return enumWords(value);
  if (Array.isArray(value)) return value.map((one) => valueWords(feature, one)).join(', ');
  return Object.entries(value as Record<string, unknown>)
    .map(([name, one]) => `${enumWords(name)}: ${valueWords({ ...feature, unit: null }, one)}`)
    .join(', ');
}

/** As many digits as the feature has; a measurement has no more than two that matter. */
export function numberWords(value: number, { unit, step }: Pick<Feature, 'unit' | 'step'>): string {
  const [number, sign] = numberParts(value, { unit, step });
  return sign === '' ? number : TIGHT.has(unit ?? '') ? `${number}${sign}` : `${number} ${sign}`;
}

export function numberParts(value: number, { unit, step }: Pick<Feature, 'unit' | 'step'>): [string, string] {
  const digits = digitsOf(value, unit, step);
  const format = new Intl.NumberFormat(t.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return [format.format(value), unit === null ? '' : (t.units[unit] ?? unit)];
}

function digitsOf(value: number, unit: string | null, step: number | null): number {
  if (unit === 'celsius') return 1;
  if (unit === 'percent') return 0;
  if (step !== null && step > 0) return Math.min(2, Math.max(0, Math.ceil(-Math.log10(step))));
  return Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : 1;
}

/** `not_fully_locked` → `Not fully locked`. What people have named themselves is left as it is. */
export function enumWords(value: string): string {
  if (!/^[a-z0-9_]+$/.test(value)) return value;
  const words = value.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
