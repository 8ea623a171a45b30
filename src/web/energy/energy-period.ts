import type { EnergyAnswer } from '#web/client/api.ts';
import { PERIODS } from '#web/client/vocabulary.ts';
import { formatLocale } from '#web/strings/formats.ts';
import { knownZone, localTime } from '#web/strings/hub-zone.ts';

export type Period = (typeof PERIODS)[number];

/** A civil day, month or year of the hub. `date` is a day in it; `null` is the present one. */
export type ShownPeriod = { readonly name: Period; readonly date: string | null };

const DATE_LENGTH: Readonly<Record<Period, number>> = { day: 10, month: 7, year: 4 };
const DAY_MS = 86_400_000;

export function energyPath({ name, date }: ShownPeriod): string {
  return `/energy?period=${name}${date === null ? '' : `&date=${date.slice(0, DATE_LENGTH[name])}`}`;
}

const PAGE = '/history/energy';

/** The address of the page that shows it. */
export function energyAddress({ name, date }: ShownPeriod): string {
  if (name === 'day' && date === null) return PAGE;
  return `${PAGE}?period=${name}${date === null ? '' : `&date=${date.slice(0, DATE_LENGTH[name])}`}`;
}

/** Reads the period from the query of that address. A query that cannot be read means the present. */
export function readEnergyAddress(query: string): ShownPeriod {
  const asked = new URLSearchParams(query);
  const name = PERIODS.find((one) => one === asked.get('period')) ?? 'day';
  const written = asked.get('date') ?? '';
  const date = `${written}-01-01`.slice(0, 10);
  const isDate =
    written.length === DATE_LENGTH[name] && /^\d{4}-\d\d-\d\d$/.test(date) && steppedDate('day', date, 0) === date;
  return { name, date: isDate ? date : null };
}

/** The first day of the period that is so many periods later. */
export function steppedDate(period: Period, date: string, by: -1 | 0 | 1): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const stepped = {
    day: () => Date.UTC(year, month - 1, day + by),
    month: () => Date.UTC(year, month - 1 + by, 1),
    year: () => Date.UTC(year + by, 0, 1),
  }[period]();
  return new Date(stepped).toISOString().slice(0, 10);
}

type Span = Pick<EnergyAnswer, 'from' | 'to'>;

export function isOver({ to }: Span, nowMs: number): boolean {
  return Date.parse(to) <= nowMs;
}

const NAMES: Readonly<Record<Period, Intl.DateTimeFormatOptions>> = {
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
};

/** `Sun, 22 Nov 2026`, `November 2026`, `2026`. */
export function periodWords(period: Period, date: string, locale = formatLocale()): string {
  return new Intl.DateTimeFormat(locale, { ...NAMES[period], timeZone: 'UTC' }).format(Date.parse(`${date}T00:00Z`));
}

/** Writes the parts of a period in the time zone of the hub. */
export type PartNames = {
  /** `2:00 PM – 3:00 PM`, `Sun 22 Nov`, `November`. */
  readonly words: (part: { readonly at: string; readonly to: string }) => string;
  /** Short, for an axis; `null` where it has none. */
  readonly label: (at: string) => string | null;
  /** The civil date on which a part begins. */
  readonly dateOf: (at: string) => string;
};

export function createPartNames(
  { from, to, time_zone, resolution }: Pick<EnergyAnswer, 'from' | 'to' | 'time_zone' | 'resolution'>,
  locale = formatLocale(),
): PartNames {
  const timeZone = knownZone(time_zone);
  const formatOf = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const dateOf = (at: string): string => localTime(at, timeZone).slice(0, 10);
  if (resolution === '1h') {
    // Where the clocks change, two hours of a day have the same name.
    const isPlain = Date.parse(to) - Date.parse(from) === DAY_MS;
    const hour = isHalfDay(locale) ? 'numeric' : '2-digit';
    const clock = formatOf({ hour, minute: '2-digit', ...(isPlain ? {} : { timeZoneName: 'short' }) });
    const label = formatOf(isHalfDay(locale) ? { hour } : { hour, minute: '2-digit' });
    return {
      dateOf,
      words: (part) => `${clock.format(Date.parse(part.at))} – ${clock.format(Date.parse(part.to))}`,
      label: (at) => (Number(localTime(at, timeZone).slice(11, 13)) % 6 === 0 ? label.format(Date.parse(at)) : null),
    };
  }
  if (resolution === '1d') {
    const words = formatOf({ weekday: 'short', day: 'numeric', month: 'short' });
    const label = formatOf({ day: 'numeric' });
    return {
      dateOf,
      words: ({ at }) => words.format(Date.parse(at)),
      label: (at) => (Number(dateOf(at).slice(8)) % 7 === 1 ? label.format(Date.parse(at)) : null),
    };
  }
  const [words, label] = [formatOf({ month: 'long', year: 'numeric' }), formatOf({ month: 'narrow' })];
  return {
    dateOf,
    words: ({ at }) => words.format(Date.parse(at)),
    label: (at) => label.format(Date.parse(at)),
  };
}

function isHalfDay(locale: string): boolean {
  return new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
}
