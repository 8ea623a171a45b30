import type { Feature } from '#web/client/api.ts';
import { hasOwn } from '#web/since-2021.ts';
import { hub } from '#web/strings/en/hub/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { digitWords } from './formats.ts';

/** Gives the words for true and false of a capability. */
function booleanWords(capability: string): readonly [yes: string, no: string] {
  const { state } = pageWords;
  switch (capability) {
    case 'open':
    case 'valve_open':
      return [state.open, state.closed];
    case 'motion':
      return [state.motion, state.noMotion];
    case 'presence':
      return [state.presence, state.noPresence];
    case 'water_leak':
      return [state.wet, state.dry];
    case 'smoke':
    case 'co_alarm':
    case 'gas_leak':
      return [state.alarm, state.quiet];
    case 'locked':
      return [state.locked, state.unlocked];
    case 'on':
      return [pageWords.on, pageWords.off];
    default:
      return [pageWords.yes, pageWords.no];
  }
}

/** Units that follow the number without a space. */
const TIGHT = new Set(['celsius']);

/** A feature, or what stands for one; people may have named its values. */
export type Readable = Pick<Feature, 'capability' | 'unit' | 'step'> & {
  readonly names?: Readonly<Record<string, string>>;
};

/** A feature's value as people read it: words, or a number with its unit. */
export function valueWords(feature: Readable, value: unknown): string {
  if (value === null || value === undefined) return pageWords.none;
  if (typeof value === 'boolean') {
    const [yes, no] = booleanWords(feature.capability);
    return value ? yes : no;
  }
  if (typeof value === 'number') return numberWords(value, feature);
  if (typeof value === 'string') {
    return feature.names && hasOwn(feature.names, value) ? (feature.names[value] ?? value) : enumWords(value);
  }
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
  const number = digitWords(value, digitsOf(value, unit, step));
  return [number, unit === null ? '' : (pageWords.units[unit] ?? unit)];
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
  const known = hub.value(value);
  if (known !== undefined) return known;
  const words = value.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An alarm in a word or two. */
export function alarmWords(feature: Pick<Feature, 'capability' | 'name'> | undefined): string {
  if (feature === undefined) return '';
  const [yes] = booleanWords(feature.capability);
  return yes === pageWords.yes ? feature.name : yes;
}
