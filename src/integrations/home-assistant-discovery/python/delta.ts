import { outside, pythonFault } from './fault.ts';
import { atWall, wallUsOf, type Delta, type Moment } from './moment.ts';
import { isKind, isNumber, type Value } from './value.ts';

const US = 1_000_000;
const DAY = 86_400 * US;
/** What each argument of Python's `timedelta` counts, in its order. */
export const DELTA_UNITS: ReadonlyMap<string, number> = new Map([
  ['days', DAY],
  ['seconds', US],
  ['microseconds', 1],
  ['milliseconds', 1_000],
  ['minutes', 60 * US],
  ['hours', 3_600 * US],
  ['weeks', 7 * DAY],
]);

/** Beyond two centuries microseconds are no safe integers. */
export function deltaOf(us: number): Delta {
  if (Math.abs(us) > 200 * 366 * DAY) throw outside('so long a time');
  return { kind: 'delta', us: Math.round(us) };
}

/** An operator of which one side at least is a time or a span of time; `undefined` where Python has none. */
export function operatedTimes(operator: string, left: Value, right: Value): Value | undefined {
  if (isKind(left, 'moment')) {
    if (isKind(right, 'moment')) return operator === '-' ? between(left, right) : undefined;
    if (!isKind(right, 'delta') || (operator !== '+' && operator !== '-')) return undefined;
    return atWall(wallUsOf(left) + (operator === '+' ? right.us : -right.us), left);
  }
  if (isKind(right, 'moment'))
    return operator === '+' && isKind(left, 'delta') ? operatedTimes('+', right, left) : undefined;
  if (isKind(left, 'delta') && isKind(right, 'delta')) {
    if (operator === '+') return deltaOf(left.us + right.us);
    if (operator === '-') return deltaOf(left.us - right.us);
    if (right.us === 0) throw pythonFault('division by zero');
    return operator === '/' ? left.us / right.us : undefined;
  }
  const [delta, by] = isKind(left, 'delta') ? [left, right] : [right, left];
  if (!isKind(delta, 'delta') || !isNumber(by)) return undefined;
  if (operator === '*') return deltaOf(delta.us * Number(by));
  if (operator !== '/' || delta !== left) return undefined;
  if (Number(by) === 0) throw pythonFault('division by zero');
  return deltaOf(delta.us / Number(by));
}

/** Two times of one zone differ by what its clocks show, as in Python. */
function between(left: Moment, right: Moment): Delta {
  if ((left.offsetMin === null) !== (right.offsetMin === null))
    throw pythonFault("can't subtract offset-naive and offset-aware datetimes");
  const isOneZone = left.zone !== undefined && left.zone === right.zone;
  return deltaOf(isOneZone ? wallUsOf(left) - wallUsOf(right) : left.epochUs - right.epochUs);
}

/** Python's `str`. */
export function deltaText({ us }: Delta): string {
  const days = Math.floor(us / DAY);
  const rest = us - days * DAY;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const time = `${Math.floor(rest / (3_600 * US))}:${two((rest / (60 * US)) % 60)}:${two((rest / US) % 60)}`;
  const part = rest % US === 0 ? '' : `.${String(rest % US).padStart(6, '0')}`;
  return `${days === 0 ? '' : `${days} day${Math.abs(days) === 1 ? '' : 's'}, `}${time}${part}`;
}

export function deltaField({ us }: Delta, name: string): Value | undefined {
  const days = Math.floor(us / DAY);
  if (name === 'days') return BigInt(days);
  if (name === 'seconds') return BigInt(Math.floor((us - days * DAY) / US));
  return name === 'microseconds' ? BigInt(((us % US) + US) % US) : undefined;
}

const DURATION = /^(?:(-?\d+) (?:days?, )?)?(-?)(?:(?:(\d+):)?(\d+):)?(\d+)(?:[.,](\d{1,6})\d{0,6})?$/;

/** As Home Assistant's `as_timedelta`; `null` for what is none. */
export function deltaFromText(text: string): Delta | null {
  const found = DURATION.exec(text);
  if (found === null) return null;
  const [, days = '0', sign, hours = '0', minutes = '0', seconds = '0', part = ''] = found;
  const us = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * US + Number(part.padEnd(6, '0'));
  return deltaOf(Number(days) * DAY + (sign === '-' ? -us : us));
}
