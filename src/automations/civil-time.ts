import type { TimeZone } from '#base/time/time-zone.ts';
import type { SunEvent } from '#core/automation/document/condition.ts';
import type { ReplayClock } from '#core/automation-replay/simulation.ts';
import type { SeenSun } from '#core/automation/view.ts';
import { isWorkday, weekdayOf, type DayNumber } from './civil-date.ts';
import { DAY_MS, instantOf, noonOf, planOf, type CivilPlan, type CivilPorts, type CivilRule } from './civil-plan.ts';
import { elevationAt, sunEventAt, type Place } from './sun.ts';

/** The one place where clock times, dates and the sun become instants: live and in replays. In ms since 1970. */
export type CivilTime = ReplayClock;

/** So far a time may lie from the day that it belongs to: the sun sets after midnight, and six hours are added. */
const SPREAD_DAYS = 2;

export function createCivilTime(ports: CivilPorts): CivilTime {
  const plans = new WeakMap<CivilRule, { readonly zone: TimeZone; readonly plan: CivilPlan }>();
  const planIn = (zone: TimeZone, rule: CivilRule): CivilPlan => {
    const known = plans.get(rule);
    if (known?.zone === zone) return known.plan;
    const plan = planOf(rule, zone, ports);
    plans.set(rule, { zone, plan });
    return plan;
  };
  return {
    next: (rule, afterMs) => {
      const zone = ports.zone();
      return nextOf(planIn(zone, rule), zone, afterMs);
    },
    last: (rule, afterMs, toMs) => {
      const zone = ports.zone();
      return lastOf(planIn(zone, rule), zone, { afterMs, toMs });
    },
    moment: (atMs) => {
      const zone = ports.zone();
      const day = dayOf(zone, atMs);
      const civil = (one: DayNumber) => ({ weekday: weekdayOf(one), isWorkday: isWorkday(one, ports.isFree) });
      return { today: civil(day), yesterday: civil(day - 1), secondOfDay: secondWithin(zone, day, atMs) };
    },
    sun: (atMs) => {
      const place = ports.place();
      return place && sunOf(ports.zone(), place, atMs);
    },
  };
}

function dayOf(zone: TimeZone, atMs: number): DayNumber {
  return Math.floor((atMs + zone.offsetMs(atMs)) / DAY_MS);
}

/** As the clock shows it; 86,400 and more on the day after. */
function secondWithin(zone: TimeZone, day: DayNumber, atMs: number): number {
  return Math.floor((atMs + zone.offsetMs(atMs) - day * DAY_MS) / 1000);
}

/** A zone that changes sides of the date line leaves out a whole day. */
function exists(zone: TimeZone, day: DayNumber): boolean {
  return instantOf(zone, day, 0) < instantOf(zone, day + 1, 0);
}

function nextOf(plan: CivilPlan, zone: TimeZone, afterMs: number): number | undefined {
  const first = dayOf(zone, afterMs) - SPREAD_DAYS;
  const end = first + plan.mostDays;
  if ('elapsed' in plan) return nextElapsed(plan, zone, { afterMs, end });
  for (let day = first; day < end; day += 1) {
    if (!plan.on(day) || !exists(zone, day)) continue;
    const found = plan.timesOf(day).find((atMs) => atMs > afterMs);
    if (found !== undefined) return found;
  }
  return undefined;
}

type ElapsedPlan = Extract<CivilPlan, { readonly elapsed: unknown }>;

/** A week that begins on a Thursday never comes on a Friday: the search ends at the day `end`. */
function nextElapsed(
  { elapsed, on }: ElapsedPlan,
  zone: TimeZone,
  { afterMs, end }: { readonly afterMs: number; readonly end: DayNumber },
): number | undefined {
  let found = elapsed.next(afterMs);
  while (found !== undefined) {
    let day = dayOf(zone, found);
    if (on(day)) return found;
    do day += 1;
    while (day < end && !on(day));
    if (day >= end) return undefined;
    found = elapsed.next(instantOf(zone, day, 0) - 1);
  }
  return undefined;
}

/** A pattern of each five minutes that holds on few days of the year is asked for on those days alone. */
function lastElapsed(
  { elapsed, on }: ElapsedPlan,
  zone: TimeZone,
  { afterMs, toMs, firstDay }: { readonly afterMs: number; readonly toMs: number; readonly firstDay: DayNumber },
): number | undefined {
  const fromMs = Math.max(afterMs, instantOf(zone, firstDay, 0));
  let found = elapsed.last(toMs, fromMs);
  while (found !== undefined) {
    let day = dayOf(zone, found);
    if (on(day)) return found;
    do day -= 1;
    while (day >= firstDay && !on(day));
    if (day < firstDay) return undefined;
    found = elapsed.last(instantOf(zone, day + 1, 0) - 1, fromMs);
  }
  return undefined;
}

function lastOf(
  plan: CivilPlan,
  zone: TimeZone,
  { afterMs, toMs }: { readonly afterMs: number; readonly toMs: number },
): number | undefined {
  const firstDay = Math.max(dayOf(zone, afterMs), dayOf(zone, toMs) - plan.mostDays) - SPREAD_DAYS;
  if ('elapsed' in plan) return lastElapsed(plan, zone, { afterMs, toMs, firstDay });
  for (let day = dayOf(zone, toMs) + SPREAD_DAYS; day >= firstDay; day -= 1) {
    if (!plan.on(day) || !exists(zone, day)) continue;
    const found = plan.timesOf(day).findLast((atMs) => atMs <= toMs);
    if (found !== undefined) return found > afterMs ? found : undefined;
  }
  return undefined;
}

function sunOf(zone: TimeZone, place: Place, atMs: number): SeenSun {
  const day = dayOf(zone, atMs);
  const seconds = new Map<SunEvent, number | undefined>();
  return {
    elevationDeg: elevationAt(atMs, place),
    secondOf: (event) => {
      if (!seconds.has(event)) {
        const eventMs = sunEventAt(event, noonOf(zone, day), place);
        seconds.set(event, eventMs === undefined ? undefined : secondWithin(zone, day, eventMs));
      }
      return seconds.get(event);
    },
  };
}
