import { outside, pythonFault } from './fault.ts';

/** A datetime of Python: aware with an offset, or naive (`null`), where `epochUs` is its wall time as if in UTC. */
export type Moment = {
  readonly kind: 'moment';
  readonly epochUs: number;
  readonly offsetMin: number | null;
  /** Where its offset changes with the season. */
  readonly zone?: ZoneOffset;
};

/** A timedelta of Python. */
export type Delta = { readonly kind: 'delta'; readonly us: number };

/** How many minutes the home's time is ahead of UTC then. */
export type ZoneOffset = (epochMs: number) => number;

const US = 1_000_000;
/** From 1900 to 2200: beyond, microseconds are no safe integers, or Python has rules of its own. */
const LEAST_S = -2_208_988_800;
const GREATEST_S = 7_258_118_400;

/** From seconds since 1970, rounded to microseconds as Python does. */
export function momentFromTimestamp(seconds: number): Moment {
  if (Number.isNaN(seconds)) throw pythonFault('cannot convert float NaN to integer');
  if (seconds < LEAST_S || seconds > GREATEST_S) throw outside('a time before 1900 or after 2200');
  const whole = Math.trunc(seconds);
  return { kind: 'moment', epochUs: whole * US + roundHalfEven((seconds - whole) * US), offsetMin: 0 };
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

export function inZone(moment: Moment, offsetOf: ZoneOffset): Moment {
  if (moment.offsetMin === null) throw outside('a time without a zone');
  return { ...moment, offsetMin: offsetOf(moment.epochUs / 1_000), zone: offsetOf };
}

export function timestampOf({ epochUs, offsetMin }: Moment): number {
  if (offsetMin === null) throw outside('a time without a zone');
  return epochUs / US;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** `undefined` for what is certainly no date. */
export function momentFromText(text: string): Moment | undefined {
  const found = ISO.exec(text);
  if (found === null) {
    if (!/^\d/.test(text.trim())) return undefined;
    throw outside('a date in this form');
  }
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const zone = found[8];
  const us = Number((found[7] ?? '').slice(0, 6).padEnd(6, '0'));
  const wallMs = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
  const wall = new Date(wallMs);
  const isReal =
    wall.getUTCMonth() + 1 === month &&
    wall.getUTCDate() === day &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    (second ?? 0) < 60;
  if (!isReal) throw outside('a date in this form');
  if (wallMs / 1_000 < LEAST_S || wallMs / 1_000 > GREATEST_S) throw outside('a time before 1900 or after 2200');
  const offsetMin = zone === undefined ? null : offsetOfText(zone);
  return { kind: 'moment', epochUs: wallMs * 1_000 + us - (offsetMin ?? 0) * 60 * US, offsetMin };
}

function offsetOfText(zone: string): number {
  if (zone === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  if (minutes >= 1_440 || Number(digits.slice(2)) > 59) throw outside('a date in this form');
  return zone.startsWith('-') ? -minutes : minutes;
}

/** What a clock shows then, as if it were in UTC. */
export function wallUsOf({ epochUs, offsetMin }: Moment): number {
  return epochUs + (offsetMin ?? 0) * 60 * US;
}

/** When a clock beside that of `like` shows this time. */
export function atWall(wallUs: number, { offsetMin, zone, ...like }: Moment): Moment {
  if (wallUs / US < LEAST_S || wallUs / US > GREATEST_S) throw outside('a time before 1900 or after 2200');
  const offset = zone === undefined ? (offsetMin ?? 0) : zone(wallUs / 1_000 - zone(wallUs / 1_000) * 60_000);
  const epochUs = wallUs - offset * 60 * US;
  return { ...like, epochUs, offsetMin: offsetMin === null ? null : offset, ...(zone === undefined ? {} : { zone }) };
}

/** The wall time of the moment, read through the UTC fields of a Date. */
export function wallOf(moment: Moment): { readonly date: Date; readonly us: number } {
  const wallUs = wallUsOf(moment);
  const ms = Math.floor(wallUs / 1_000);
  const date = new Date(ms);
  return { date, us: date.getUTCMilliseconds() * 1_000 + (wallUs - ms * 1_000) };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Python's `isoformat`; its `str` has a space in the middle. */
export function momentText(moment: Moment, between: string): string {
  const { date, us } = wallOf(moment);
  const day = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const part = us === 0 ? '' : `.${String(us).padStart(6, '0')}`;
  return `${day}${between}${time}${part}${moment.offsetMin === null ? '' : offsetText(moment.offsetMin, ':')}`;
}

function offsetText(minutes: number, between: string): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${between}${two(size % 60)}`;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Python's `strftime`, as far as it does not depend on a language. */
export function formatMoment(moment: Moment, format: string): string {
  const { date, us } = wallOf(moment);
  const named = (names: readonly string[], at: number): string => names[at] ?? '';
  const hour = date.getUTCHours();
  const dayOfYear = (): number =>
    Math.floor(
      (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0)) /
        86_400_000,
    ) + 1;
  const parts: Readonly<Record<string, () => string>> = {
    Y: () => String(date.getUTCFullYear()),
    m: () => two(date.getUTCMonth() + 1),
    d: () => two(date.getUTCDate()),
    H: () => two(hour),
    I: () => two(hour % 12 === 0 ? 12 : hour % 12),
    M: () => two(date.getUTCMinutes()),
    S: () => two(date.getUTCSeconds()),
    y: () => two(date.getUTCFullYear() % 100),
    j: () => String(dayOfYear()).padStart(3, '0'),
    f: () => String(us).padStart(6, '0'),
    p: () => (hour < 12 ? 'AM' : 'PM'),
    A: () => named(DAYS, date.getUTCDay()),
    a: () => named(DAYS, date.getUTCDay()).slice(0, 3),
    B: () => named(MONTHS, date.getUTCMonth()),
    b: () => named(MONTHS, date.getUTCMonth()).slice(0, 3),
    w: () => String(date.getUTCDay()),
    z: () => (moment.offsetMin === null ? '' : offsetText(moment.offsetMin, '')),
    F: () => momentText(moment, 'T').slice(0, 10),
    T: () => momentText(moment, 'T').slice(11, 19),
    '%': () => '%',
  };
  return format.replace(/%([\s\S]?)/g, (_found, letter: string) => {
    const part = Object.hasOwn(parts, letter) ? parts[letter] : undefined;
    if (part === undefined) throw outside(`the part %${letter} of a time`);
    return part();
  });
}

/** What `strptime` reads for each letter. */
const READ: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  m: '(?<m>1[0-2]|0?[1-9])',
  d: '(?<d>3[01]|[12]\\d|0?[1-9])',
  H: '(?<H>2[0-3]|[01]?\\d)',
  M: '(?<M>[0-5]?\\d)',
  S: '(?<S>6[01]|[0-5]?\\d)',
  f: '(?<f>\\d{1,6})',
  z: '(?<z>[+-]\\d\\d:?\\d\\d|Z)',
  '%': '%',
};

/** Python's `strptime`, without names and halves of the day; `undefined` where that is a ValueError. */
export function momentFromFormat(text: string, format: string): Moment | undefined {
  const pattern = format.replaceAll(/%([\s\S]?)|\s+|[\s\S]/g, (found, letter?: string) => {
    if (/^\s/.test(found)) return '\\s+';
    if (letter === undefined) return found.replace(/[$()*+.?[\\\]^{|}]/, '\\$&');
    if (!Object.hasOwn(READ, letter)) throw outside(`the part %${letter} of a time`);
    return READ[letter] ?? '';
  });
  const parts =
    new RegExp(`^${pattern}$`).exec(text)?.groups ?? (new RegExp(`^${pattern}$`).test(text) ? {} : undefined);
  if (parts === undefined) return undefined;
  const of = (letter: string, otherwise: number): number => Number(parts[letter] ?? otherwise);
  const wallMs = Date.UTC(of('Y', 1900), of('m', 1) - 1, of('d', 1), of('H', 0), of('M', 0), of('S', 0));
  if (new Date(wallMs).getUTCDate() !== of('d', 1)) return undefined;
  if (of('Y', 1900) < 1900 || of('Y', 1900) > 2199 || of('S', 0) > 59) throw outside('such a time');
  const offsetMin = parts['z'] === undefined ? null : offsetOfText(parts['z']);
  const us = Number((parts['f'] ?? '').padEnd(6, '0'));
  return { kind: 'moment', epochUs: wallMs * 1_000 + us - (offsetMin ?? 0) * 60 * US, offsetMin };
}
