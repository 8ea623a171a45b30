import { outside, pythonFault } from './fault.ts';
import { floatFrom } from './number.ts';
import {
  fallback,
  flag,
  isKind,
  isNumber,
  taking,
  textArgument,
  typeName,
  type Callable,
  type Delta,
  type Moment,
  type Value,
  type ZoneOffset,
  table,
  type BoundArguments,
} from './value.ts';

type Place = Omit<Moment, 'kind' | 'epochUs'>;

const MINUTE = 60_000_000;
const DAY = 1_440 * MINUTE;

function momentAt(epochUs: number, place: Place): Moment {
  if (!(epochUs >= -2_208_988_800e6 && epochUs <= 7_258_118_400e6)) throw outside('a time before 1900 or after 2200');
  return { ...place, kind: 'moment', epochUs };
}

/** From seconds since 1970. */
function momentFromTimestamp(seconds: number): Moment {
  if (Number.isNaN(seconds)) throw pythonFault('cannot convert float NaN to integer');
  const whole = Math.trunc(seconds);
  return momentAt(whole * 1e6 + Math.round((seconds - whole) * 1e6), { offsetMin: 0 });
}

/** In the home's zone. A time without one is of there already. */
function inZone(moment: Moment, zone: ZoneOffset): Moment {
  if (moment.offsetMin === null) return atWall(moment.epochUs, { offsetMin: 0, zone });
  return { ...moment, offsetMin: zone(moment.epochUs / 1_000), zone };
}

/** Returns what a clock shows then, as if it were in UTC. */
export const wallUsOf = ({ epochUs, offsetMin }: Moment): number => epochUs + (offsetMin ?? 0) * MINUTE;

/** When a clock at that place shows this time. */
export function atWall(wallUs: number, { offsetMin, zone }: Place): Moment {
  if (zone === undefined) return momentAt(wallUs - (offsetMin ?? 0) * MINUTE, { offsetMin });
  const offset = zone(wallUs / 1_000 - zone(wallUs / 1_000) * 60_000);
  return momentAt(wallUs - offset * MINUTE, { offsetMin: offset, zone });
}

/** From `2026-11-20T08:15:00`; `undefined` for no time of the calendar. */
function momentFromParts(text: string, part: string | undefined, zone: string | undefined): Moment | undefined {
  const ms = Date.parse(`${text}Z`);
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text)) return undefined;
  return atWall(ms * 1_000 + Number((part ?? '').slice(0, 6).padEnd(6, '0')), { offsetMin: offsetFrom(zone) });
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** `undefined` for what is certainly no date. */
export function momentFromText(text: string): Moment | undefined {
  const [, day, time = '00:00', seconds = '00', part, zone] = ISO.exec(text) ?? [];
  if (day === undefined && !/^\d/.test(text.trim())) return undefined;
  const moment = momentFromParts(`${day}T${time}:${seconds}`, part, zone);
  if (moment === undefined) throw outside('a date in this form');
  return moment;
}

/** `Z` or `+01:00`. */
function offsetFrom(zone: string | undefined): number | null {
  if (zone === undefined) return null;
  const digits = zone.slice(1).replace(':', '').padStart(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  if (minutes >= 1_440 || Number(digits.slice(2)) > 59) throw outside('a date in this form');
  return zone.startsWith('-') ? -minutes : minutes;
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

function offsetText(minutes: number | null, between: string): string {
  if (minutes === null) return '';
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}${between}${two(size % 60)}`;
}

function fractionText(us: number): string {
  return us % 1e6 === 0 ? '' : `.${String(((us % 1e6) + 1e6) % 1e6).padStart(6, '0')}`;
}

/** Python's `isoformat`; its `str` has a space in the middle. */
export function momentText(moment: Moment, between: string): string {
  const wall = formatMoment(moment, `%F${between}%T`);
  return wall + fractionText(moment.epochUs) + offsetText(moment.offsetMin, ':');
}

const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Python's `strftime`, as far as it does not depend on a language. A `-` leaves zeros in front out. */
export function formatMoment(moment: Moment, format: string): string {
  const date = new Date(Math.floor(wallUsOf(moment) / 1_000));
  const [iso, hour] = [date.toISOString(), date.getUTCHours()];
  const [day = '', month = ''] = [DAYS[date.getUTCDay()], MONTHS[date.getUTCMonth()]];
  const parts = table(
    { Y: iso.slice(0, 4), y: iso.slice(2, 4), m: iso.slice(5, 7), d: iso.slice(8, 10), F: iso.slice(0, 10) },
    { H: iso.slice(11, 13), M: iso.slice(14, 16), S: iso.slice(17, 19), T: iso.slice(11, 19), '%': '%' },
    { A: day, a: day.slice(0, 3), B: month, b: month.slice(0, 3), w: String(date.getUTCDay()) },
    { I: two(hour % 12 === 0 ? 12 : hour % 12), p: hour < 12 ? 'AM' : 'PM', z: offsetText(moment.offsetMin, '') },
    { e: String(date.getUTCDate()).padStart(2), f: (fractionText(moment.epochUs) || '.000000').slice(1) },
  );
  return format.replace(/%(-?)([\s\S]?)/g, (found, bare: string, letter: string) => {
    const part = parts.get(letter);
    if (part === undefined) throw outside(`the part ${found} of a time`);
    return bare === '' ? part : part.replace(/^[0 ]+(?=\d)/, '');
  });
}

/** `strptime` reads this for each letter. */
const READ = table(
  { Y: '\\d{4}', m: '1[0-2]|0?[1-9]', d: '3[01]|[12]\\d|0?[1-9]', H: '2[0-3]|[01]?\\d' },
  { M: '[0-5]?\\d', S: '[0-5]?\\d', f: '\\d{1,6}', z: '[+-]\\d\\d:?\\d\\d|Z' },
);

/** Python's `strptime`, without names and halves of the day; `undefined` where that is a ValueError. */
function momentFromFormat(text: string, format: string): Moment | undefined {
  const pattern = format.replaceAll(/%([\s\S]?)|\s+|[\s\S]/g, (found, letter?: string) => {
    if (letter === undefined) return /^\s/.test(found) ? '\\s+' : found.replace(/[$()*+.?[\\\]^{|}]/, '\\$&');
    const part = letter === '%' ? '%' : READ.get(letter);
    if (part === undefined) throw outside(`the part %${letter} of a time`);
    return letter === '%' ? part : `(?<${letter}>${part})`;
  });
  const found = new RegExp(`^${pattern}$`).exec(text);
  if (found === null) return undefined;
  const { Y = '1900', m = '1', d = '1', H = '0', M = '0', S = '0', f, z } = found.groups ?? {};
  const [month, day, hour, minute, second] = [m, d, H, M, S].map((one) => one.padStart(2, '0'));
  return momentFromParts(`${Y}-${month}-${day}T${hour}:${minute}:${second}`, f, z);
}

/** Each argument of Python's `timedelta` counts so many microseconds, in its order. */
const DELTA_UNITS = table(
  { days: DAY, seconds: 1e6, microseconds: 1, milliseconds: 1_000 },
  { minutes: MINUTE, hours: 60 * MINUTE, weeks: 7 * DAY },
);

/** Beyond two centuries microseconds are no safe integers. */
export function deltaOf(us: number): Delta {
  if (!(Math.abs(us) <= 200 * 366 * DAY)) throw outside('so long a time');
  return { kind: 'delta', us: Math.round(us) };
}

/** Python's `str`. */
export function deltaText({ us }: Delta): string {
  const days = Math.floor(us / DAY);
  const rest = us - days * DAY;
  const [hours, minutes, seconds] = [rest / (60 * MINUTE), (rest / MINUTE) % 60, (rest / 1e6) % 60];
  const time = `${Math.floor(hours)}:${two(minutes)}:${two(seconds)}${fractionText(rest)}`;
  return days === 0 ? time : `${days} day${Math.abs(days) === 1 ? '' : 's'}, ${time}`;
}

/** A field of Python's; `undefined` for another name. */
export function fieldOf(value: Moment | Delta, name: string): number | undefined {
  const field = ['year', 'month', 'day', 'hour', 'minute', 'second'].indexOf(name);
  if (value.kind === 'moment') return field === -1 ? undefined : Number(formatMoment(value, `%${'YmdHMS'[field]}`));
  const days = Math.floor(value.us / DAY);
  return name === 'days' ? days : name === 'seconds' ? Math.floor((value.us - days * DAY) / 1e6) : undefined;
}

/** Filters of times, all of which are functions as well. */
export const TIMES: Readonly<Record<string, Callable>> = {
  as_timestamp: taking('value default?', ([value, otherwise], { zoneOffset }) => {
    const isText = typeof value === 'string' || isNumber(value);
    const moment = isKind(value, 'moment') ? value : momentFromText(isText ? String(value) : '');
    return moment === undefined ? fallback(otherwise, value) : inZone(moment, zoneOffset).epochUs / 1e6;
  }),
  as_datetime: taking('value default?', ([value, otherwise]) => {
    if (isKind(value, 'moment')) return value;
    const seconds = floatFrom(value);
    if (seconds !== undefined) return momentFromTimestamp(seconds);
    return typeof value === 'string' ? (momentFromText(value) ?? otherwise ?? null) : fallback(otherwise, value);
  }),
  as_local: taking('dattim', ([value], { zoneOffset }) => {
    if (!isKind(value, 'moment')) throw pythonFault(`'${typeName(value)}' object has no attribute 'tzinfo'`);
    return inZone(value, zoneOffset);
  }),
  timedelta: taking(`${[...DELTA_UNITS.keys()].join('? ')}?`, (given) => {
    const units = [...DELTA_UNITS.values()];
    return deltaOf(given.reduce<number>((us, one, at) => us + spanIn(one) * (units[at] ?? 0), 0));
  }),
  now: taking('', (_given, { nowMs, zoneOffset }) => inZone(momentFromTimestamp(nowMs() / 1_000), zoneOffset)),
  utcnow: taking('', (_given, { nowMs }) => momentFromTimestamp(nowMs() / 1_000)),
  strptime: taking('string fmt default?', ([text, format, otherwise]) => {
    const read = typeof text === 'string' ? momentFromFormat(text, textArgument(format)) : undefined;
    return read ?? fallback(otherwise, text);
  }),
};

function spanIn(value: Value | undefined): number {
  if (value === undefined) return 0;
  if (!isNumber(value)) throw pythonFault(`unsupported type for timedelta component: ${typeName(value)}`);
  return Number(value);
}

/** Filters only. */
export const TIME_FILTERS: Readonly<Record<string, Callable>> = {
  timestamp_custom: taking('value date_format? local? default?', ([value, format, local, otherwise], around) => {
    const zone = flag(local, true) ? around.zoneOffset : undefined;
    return shown([value, otherwise], zone, (moment) => formatMoment(moment, textArgument(format, '%F %T')));
  }),
  timestamp_local: taking('value default?', (given, { zoneOffset }) => shown(given, zoneOffset, isoText)),
  timestamp_utc: taking('value default?', (given) => shown(given, undefined, isoText)),
};

const isoText = (moment: Moment): string => momentText(moment, 'T');

/** Seconds as a time; a text is no number of them here. */
function shown(
  [value, otherwise]: BoundArguments,
  zone: ZoneOffset | undefined,
  make: (moment: Moment) => string,
): Value {
  if (!isNumber(value) || Number.isNaN(Number(value))) return fallback(otherwise, value);
  const moment = momentFromTimestamp(Number(value));
  return make(zone === undefined ? moment : inZone(moment, zone));
}
