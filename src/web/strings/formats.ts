import { page as pageWords } from '#web/strings/en/page.ts';
import { hubZone } from './hub-zone.ts';

/** For numbers and dates: the browser's own region where it speaks the language of the page. */
export function formatLocale(): string {
  browserLocale ??= new Intl.DateTimeFormat().resolvedOptions().locale;
  return browserLocale.split('-')[0] === pageWords.locale ? browserLocale : pageWords.locale;
}

/** To ask for it takes as long as to make a format. */
let browserLocale: string | undefined;

const FORMS = {
  clock: { hour: 'numeric', minute: '2-digit' },
  clockWithSeconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  dayAndClock: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  weekdayAndClock: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  date: { dateStyle: 'medium' },
  wholeDay: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
type Form = keyof typeof FORMS;

/** To make a format takes long: each is kept by its locale and form. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A time in the hub's zone, or in another one. In English, clocks are as the browser has them: 12 or 24 hours. */
export function timeWords(at: Date | number | string, form: Form, timeZone = hubZone()): string {
  const locale = form.startsWith('clock') && pageWords.locale === 'en' ? undefined : formatLocale();
  const key = `${locale ?? ''} ${form} ${timeZone ?? ''}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...FORMS[form], timeZone });
  formats.set(key, format);
  return format.format(new Date(at));
}

/** A day of the calendar, which is the same in every zone: `2026-11-29`. */
export function civilDayWords(date: string, form: Form): string {
  return timeWords(`${date}T12:00Z`, form, 'UTC');
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** A number with exactly this many digits after its point. */
export function digitWords(value: number, digits: number): string {
  const locale = formatLocale();
  const key = `${locale} ${digits}`;
  const format =
    numberFormats.get(key) ??
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  numberFormats.set(key, format);
  return format.format(value);
}
