import type { TimeZone } from '#base/time/time-zone.ts';
import type { SunTrigger, TimeTrigger } from '#core/automation/document/trigger.ts';
import { hasDay, secondOfDay, type DayNumber } from './civil-date.ts';
import { clockTimesOf, openCron, type CronTimes } from './cron.ts';
import { crossingAt, sunEventAt, type Place } from './sun.ts';

/** `clock`: the next such time of the clock, on any day. */
export type CivilRule = TimeTrigger | SunTrigger | { readonly type: 'clock'; readonly at: string };

/** Civil times depend on these. All of them may change; times are worked out anew at each question. */
export type CivilPorts = {
  readonly zone: () => TimeZone;
  /** `undefined`: nobody said where the hub stands, so it knows no sun. */
  readonly place: () => Place | undefined;
  /** Whether the calendar has this date as a free day: `2026-12-25`. */
  readonly isFree: (date: string) => boolean;
  readonly timeIn: (variable: string) => string | undefined;
};

export const DAY_MS = 86_400_000;
const NOON_S = 43_200;

/** When a rule comes: at times of its days, or at times that run on however the clock is moved. In ms since 1970. */
export type CivilPlan = {
  readonly on: (day: DayNumber) => boolean;
  /** On none of so many days means never. */
  readonly mostDays: number;
} & ({ readonly timesOf: (day: DayNumber) => readonly number[] } | { readonly elapsed: CronTimes });

/** 29 February comes after eight years at the latest. */
const MOST_DAYS = 9 * 366;
/** An event of the sun that a year does not have never happens there, and each day takes long to work out. */
const YEAR_DAYS = 366;

/** When a second of a day is. One that the clock leaves out is the end of the jump, one that comes twice is the first. */
export function instantOf(zone: TimeZone, day: DayNumber, second: number): number {
  return zone.instantOf(day * DAY_MS + second * 1000);
}

/** When the clock shows twelve, from where the sun of that day is looked for. */
export function noonOf(zone: TimeZone, day: DayNumber): number {
  return instantOf(zone, day, NOON_S);
}

export function planOf(rule: CivilRule, zone: TimeZone, ports: CivilPorts): CivilPlan {
  if (rule.type === 'clock')
    return clockPlan(
      zone,
      () => true,
      () => secondsOf([rule.at]),
    );
  const on = hasDay(rule, ports.isFree);
  const mostDays = MOST_DAYS;
  // On one weekday of few days it may be another year.
  if (rule.type === 'sun')
    return { on, mostDays: (rule.days === undefined ? 1 : 2) * YEAR_DAYS, timesOf: sunPlan(rule, zone, ports.place) };
  if (rule.every_s !== undefined) return { on, mostDays, elapsed: every(rule.every_s, rule.anchor) };
  if (rule.cron !== undefined) {
    const clock = clockTimesOf(rule.cron);
    if (clock === undefined) return { on, mostDays, elapsed: openCron(rule.cron, zone) };
    return clockPlan(
      zone,
      (day) => on(day) && clock.hasDay(day),
      () => clock.secondsOfDay,
    );
  }
  const { at = [] } = rule;
  if (typeof at === 'object' && 'variable' in at) {
    return clockPlan(zone, on, () => secondsOf([ports.timeIn(at.variable) ?? '']));
  }
  const seconds = secondsOf([at].flat());
  return clockPlan(zone, on, () => seconds);
}

function clockPlan(zone: TimeZone, on: (day: DayNumber) => boolean, seconds: () => readonly number[]): CivilPlan {
  return { on, mostDays: MOST_DAYS, timesOf: (day) => seconds().map((second) => instantOf(zone, day, second)) };
}

function secondsOf(texts: readonly string[]): readonly number[] {
  return texts.flatMap((text) => secondOfDay(text) ?? []).toSorted((one, other) => one - other);
}

/** More days than one question asks for. */
const MOST_KNOWN_DAYS = 16;

/** The sun takes a hundred times as long to work out as the rest, and the same days are asked for again and again. */
function sunPlan(
  rule: SunTrigger,
  zone: TimeZone,
  placeNow: CivilPorts['place'],
): (day: DayNumber) => readonly number[] {
  const known = new Map<DayNumber, readonly number[]>();
  let knownPlace: Place | undefined;
  return (day) => {
    const place = placeNow();
    if (place !== knownPlace || known.size >= MOST_KNOWN_DAYS) known.clear();
    knownPlace = place;
    const times = known.get(day) ?? timesOfSun(rule, day, { zone, place });
    known.set(day, times);
    return times;
  };
}

function timesOfSun(
  rule: SunTrigger,
  day: DayNumber,
  { zone, place }: { readonly zone: TimeZone; readonly place: Place | undefined },
): readonly number[] {
  if (place === undefined) return [];
  const atClock = (text: string | undefined): number | undefined => {
    const second = text === undefined ? undefined : secondOfDay(text);
    return second === undefined ? undefined : instantOf(zone, day, second);
  };
  const { event, elevation_deg: elevationDeg = 0, rising = true, offset_s: offsetS = 0 } = rule;
  const noonMs = noonOf(zone, day);
  const found =
    event === 'elevation' ? crossingAt({ elevationDeg, rising }, noonMs, place) : sunEventAt(event, noonMs, place);
  if (found === undefined) return [atClock(rule.if_none) ?? []].flat();
  const earliestMs = atClock(rule.not_before) ?? -Infinity;
  const latestMs = atClock(rule.not_after) ?? Infinity;
  return [Math.min(Math.max(found + offsetS * 1000, earliestMs), latestMs)];
}

/** `anchor`: a moment of RFC 3339; usually the beginning of 1970. */
function every(seconds: number, anchor: string | undefined): CronTimes {
  const anchorMs = anchor === undefined ? 0 : Date.parse(anchor);
  const everyMs = seconds * 1000;
  const lastAt = (atMs: number): number => anchorMs + Math.floor((atMs - anchorMs) / everyMs) * everyMs;
  return {
    next: (afterMs) => lastAt(afterMs) + everyMs,
    last: (atMs, afterMs) => {
      const found = lastAt(atMs);
      return found > afterMs ? found : undefined;
    },
  };
}
