import { sunEventAt } from '#automations/sun.ts';
import { DAYS, type Day } from '#core/automation/document/condition.ts';
import { RUN_LATE_S, type SunTrigger, type TimeTrigger, type Trigger } from '#core/automation/document/trigger.ts';

/** The clock on the wall of a home: where it hangs, and whether somebody has set it. */
export type OracleClock = { readonly zone: string; readonly startMs: number; readonly isSet: boolean };

/** As the clock shows a second. */
type Local = { readonly date: string; readonly weekday: Day; readonly time: string };
export type CivilTrigger = TimeTrigger | SunTrigger;

export function isCivil(trigger: Trigger): trigger is CivilTrigger {
  return trigger.type === 'time' || trigger.type === 'sun';
}

export const PLACE = { latitude: 52.52, longitude: 13.4 };
/** What is no later than this is in time. */
const IN_TIME_MS = 10_000;
const FREE = '2026-11-23';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export const isFree = (date: string): boolean => date === FREE;

const formats = new Map<string, Intl.DateTimeFormat>();
const locals = new Map<string, Map<number, Local>>();
const instants = new Map<string, number>();
const asked = new WeakMap<CivilTrigger, { readonly today: string; readonly times: readonly number[] }>();

/** Nothing is calculated: ICU is asked what the clock shows. No zone of today is off by parts of a minute. */
export function localOf(zone: string, atMs: number): Local {
  const minute = minuteOf(zone, Math.floor(atMs / 60_000));
  const second = String(Math.floor(atMs / 1000) % 60).padStart(2, '0');
  return { ...minute, time: `${minute.time}:${second}` };
}

function minuteOf(zone: string, minutes: number): Local {
  const ofZone = locals.get(zone) ?? new Map<number, Local>();
  locals.set(zone, ofZone);
  const known = ofZone.get(minutes);
  if (known !== undefined) return known;
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(minutes * 60_000).map(({ type, value }) => [type, value]));
  const part = (key: string): string => parts[key] ?? '';
  const local = {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday').slice(0, 3).toLowerCase() as Day,
    time: `${part('hour')}:${part('minute')}`,
  };
  ofZone.set(minutes, local);
  return local;
}

/** The first second of a date at which the clock shows this or more: a gap ends there, and of two the first counts. */
function instantOf(zone: string, date: string, time: string): number {
  const name = `${zone} ${date} ${time}`;
  const known = instants.get(name);
  if (known !== undefined) return known;
  const whole = time.length === 5 ? `${time}:00` : time;
  const isThere = (atMs: number): boolean => {
    const local = localOf(zone, atMs);
    return `${local.date} ${local.time}` >= `${date} ${whole}`;
  };
  const asUtcMs = Date.parse(`${date}T${whole}Z`);
  const shown = localOf(zone, asUtcMs);
  let atMs = asUtcMs - (Date.parse(`${shown.date}T${shown.time}Z`) - asUtcMs) - 3 * HOUR_MS;
  while (!isThere(atMs)) atMs += 60_000;
  while (isThere(atMs - 1000)) atMs -= 1000;
  instants.set(name, atMs);
  return atMs;
}

function isOn(days: readonly Day[] | undefined, { date, weekday }: Pick<Local, 'date' | 'weekday'>): boolean {
  const isWorkday = weekday !== 'sat' && weekday !== 'sun' && !isFree(date);
  return days === undefined || days.includes(weekday) || (isWorkday && days.includes('workday'));
}

function dayOf(date: string): Pick<Local, 'date' | 'weekday'> {
  const sunday = DAYS[6];
  return { date, weekday: [sunday, ...DAYS.slice(0, 6)][new Date(`${date}T00:00Z`).getUTCDay()] ?? sunday };
}

/** Times of a trigger from a day before to a day after a moment. */
function timesAround(trigger: CivilTrigger, zone: string, wallMs: number): readonly number[] {
  if (trigger.type === 'time' && trigger.every_s !== undefined) {
    const everyMs = trigger.every_s * 1000;
    const last = Math.floor(wallMs / everyMs);
    // At most eight of them are remembered.
    return Array.from({ length: 20 }, (_, at) => (last - 9 + at) * everyMs);
  }
  const { date: today } = localOf(zone, wallMs);
  const known = asked.get(trigger);
  if (known?.today === today) return known.times;
  const dates = [...new Set([-1, 0, 1].map((days) => localOf(zone, wallMs + days * DAY_MS).date))];
  const times = dates.filter((date) => isOn(trigger.days, dayOf(date))).flatMap((date) => timesOn(trigger, zone, date));
  asked.set(trigger, { today, times });
  return times;
}

function timesOn(trigger: CivilTrigger, zone: string, date: string): readonly number[] {
  if (trigger.type === 'time') return ([trigger.at].flat() as string[]).map((time) => instantOf(zone, date, time));
  if (trigger.event === 'elevation') throw new Error('the oracle knows no heights');
  const found = sunEventAt(trigger.event, instantOf(zone, date, '12:00'), PLACE);
  if (found === undefined) throw new Error('the sun of Berlin does all of it each day');
  let atMs = found + (trigger.offset_s ?? 0) * 1000;
  if (trigger.not_before !== undefined) atMs = Math.max(atMs, instantOf(zone, date, trigger.not_before));
  if (trigger.not_after !== undefined) atMs = Math.min(atMs, instantOf(zone, date, trigger.not_after));
  return [atMs];
}

/** What is known of the times of a trigger, by its id: it outlives edits. */
export type CivilPast = {
  /** When the automation was saved. */
  signedMs: number;
  /** The last eight moments that were dealt with, or at which a trigger of this id was new, each of them once. */
  dealt: readonly number[];
};
export type CivilWatch = {
  readonly trigger: CivilTrigger;
  readonly past: CivilPast;
  /** Only times after this count. `undefined`: no clock yet. */
  afterMs: number | undefined;
};

export function noteTime(past: CivilPast, atMs: number): void {
  // A moment that is known takes no second place.
  if (!past.dealt.includes(atMs)) past.dealt = [...past.dealt, atMs].slice(-8);
}

/** What somebody who waits counts from: the least that the clock has been said to show when the wait began. */
export function beganAt(
  known: number | undefined,
  { nowMs, wallMs }: { readonly nowMs: number; readonly wallMs: () => number | undefined },
  sinceMs: number,
): number | undefined {
  const shownMs = wallMs();
  return shownMs === undefined ? known : Math.min(known ?? Infinity, shownMs - (nowMs - sinceMs));
}

/** After the clock was set and after a start: from the last time dealt with that is not ahead; if all are ahead, from now. */
export function afterStep({ dealt, signedMs }: CivilPast, wallMs: number): number {
  if (dealt.length === 0) return Math.min(signedMs, wallMs);
  const behind = dealt.filter((atMs) => atMs <= wallMs);
  return behind.length === 0 ? wallMs : Math.max(...behind);
}

/** The time that it comes to next: the last of those missed, else the next. */
export function nextTime({ trigger, afterMs, past }: CivilWatch, zone: string, wallMs: number): number | undefined {
  if (afterMs === undefined) return undefined;
  const times = timesAround(trigger, zone, wallMs)
    .filter((atMs) => atMs > afterMs && !past.dealt.includes(atMs))
    .toSorted((left, right) => left - right);
  return times.findLast((atMs) => atMs <= wallMs) ?? times[0];
}

/** Whether a time that is so late still counts. */
export function isInTime({ missed = { run_late_s: RUN_LATE_S } }: CivilTrigger, lateMs: number): boolean {
  if (missed === 'always') return true;
  return lateMs <= Math.max(IN_TIME_MS, missed === 'skip' ? 0 : missed.run_late_s * 1000);
}

/** The first moment after this at which the clock shows a time. */
export function nextClockTime(zone: string, time: string, afterMs: number): number {
  const found = [0, 1, 2]
    .map((days) => instantOf(zone, localOf(zone, afterMs + days * DAY_MS).date, time))
    .find((atMs) => atMs > afterMs);
  if (found === undefined) throw new Error(`no ${time} within two days`);
  return found;
}

type Span = { readonly after?: string; readonly before?: string; readonly days?: readonly Day[] };

/** Whether the clock is within a time, which may go over midnight; the day is that on which it began. */
export function isWithin({ after, before, days }: Span, zone: string, wallMs: number): boolean {
  const now = localOf(zone, wallMs);
  const whole = (time: string): string => (time.length === 5 ? `${time}:00` : time);
  const [from, to] = [whole(after ?? '00:00'), before === undefined ? '24:00:00' : whole(before)];
  if (from < to) return now.time >= from && now.time < to && isOn(days, now);
  const yesterday = new Date(Date.parse(`${now.date}T00:00Z`) - DAY_MS).toISOString().slice(0, 10);
  return (now.time >= from && isOn(days, now)) || (now.time < to && isOn(days, dayOf(yesterday)));
}
