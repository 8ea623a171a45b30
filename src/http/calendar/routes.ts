import * as z from 'zod/mini';
import { HubError, requireThing, validationFailed } from '#base/hub-error.ts';
import type { ClockSource } from '#base/time/hub-clock.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import { type Calendar, refuseDates } from '#core/calendar/calendar.ts';
import type { CalendarRegistry } from '#core/calendar/calendar-registry.ts';
import { RECORD_KEY } from '#core/records/keyed-records.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import {
  cursorOf,
  listResource,
  type Resource,
  revisionTag,
  showResource,
  showIfChanged,
} from '#http/answer/resource.ts';
import { callerOf, seesLocation } from '#http/rights/access.ts';
import { timeJson } from '#http/answer/time-json.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute, jsonBody } from '#http/routing/route.ts';
import { requireSame } from '#http/routing/shown-too.ts';
import { calendarJson, calendarSchema, calendarWishSchema, type upcomingFiringSchema, upcomingSchema } from './json.ts';
import * as notes from './notes.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import type { NextFirings } from '#http/automation/shown.ts';

/** The sun of one day, in ms since 1970; `undefined` where it does not come. */
export type SunDay = Readonly<Record<'dawn' | 'sunrise' | 'noon' | 'sunset' | 'dusk', number | undefined>>;

type CalendarRoutesDeps = FiringsDeps & {
  readonly calendars: Omit<CalendarRegistry, 'subscribe'>;
  readonly eventCursor: () => string;
  readonly hubClock: { readonly nowMs: () => number; readonly source: () => ClockSource };
  readonly timeZone: () => TimeZone;
  /** `undefined`: nobody said where the home is. */
  readonly sunOfDay: (atMs: number) => Promise<SunDay | undefined>;
};

const PATH = '/api/v1/calendar';
const ONE = '/api/v1/calendar/:key';
const UNAUDITED = { unaudited: 'everybody who may see automations sees the calendars, and when they were changed' };
const DAY_MS = 86_400_000;
const DAYS_AHEAD = 366;
const MOST_DAYS = 50;
const SATURDAY = 6;

/** The calendars of the home: list, show, what comes next, set, remove. */
export function calendarRoutes(deps: CalendarRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps)];
}

function readingRoutes(deps: CalendarRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listCalendars',
      method: 'GET',
      path: PATH,
      summary: 'List the calendars by key',
      tag: 'Calendar',
      note: notes.listCalendars,
      access: 'automation:read',
      answers: { 200: z.array(calendarSchema), 304: null },
      handle: ({ header }) =>
        showIfChanged(listResource(deps.calendars.calendars().map(calendarJson), cursorOf(deps)), header),
    }),
    defineRoute({
      id: 'getCalendar',
      method: 'GET',
      path: ONE,
      summary: 'Show a calendar',
      tag: 'Calendar',
      note: notes.getCalendar,
      access: 'automation:read',
      answers: { 200: calendarSchema, 304: null },
      handle: ({ params, header }) => {
        const calendar = requireThing(deps.calendars.find(params['key'] ?? ''), 'calendar');
        return showIfChanged(calendarResource(deps, calendar), header);
      },
    }),
    defineRoute({
      id: 'listCalendarDays',
      method: 'GET',
      path: `${PATH}_day`,
      summary: 'Show what comes next',
      tag: 'Calendar',
      note: notes.listCalendarDays,
      access: 'automation:read',
      answers: { 200: upcomingSchema },
      handle: async (request) => {
        const { hubClock, sunOfDay } = deps;
        if (hubClock.source() === 'none') throw new HubError('CLOCK_NOT_SET', 'The hub does not know what day it is.');
        const nowMs = hubClock.nowMs();
        // It would tell where the home is.
        const withSun = seesLocation(callerOf(request));
        const [sun, firings] = await Promise.all([
          withSun ? sunOfDay(nowMs) : undefined,
          upcomingFirings(deps, withSun),
        ]);
        const days = daysFrom(deps, nowMs);
        return { status: 200, json: { ...days, sun: sun === undefined ? null : sunJson(sun), firings: [...firings] } };
      },
    }),
  ];
}

function changingRoutes(deps: CalendarRoutesDeps): readonly Route[] {
  const { calendars } = deps;
  return [
    defineRoute({
      id: 'setCalendar',
      method: 'PUT',
      path: ONE,
      summary: 'Set a calendar',
      tag: 'Calendar',
      note: notes.setCalendar,
      access: 'automation:manage',
      place: 'home',
      body: jsonBody(calendarWishSchema),
      answers: { 200: calendarSchema },
      audit: UNAUDITED,
      handle: async ({ body, params, header, authorize }) => {
        const key = params['key'] ?? '';
        const old = calendars.find(key);
        if (old === undefined && !RECORD_KEY.test(key)) {
          throw new HubError('NOT_FOUND', 'The key of a calendar has lower-case letters, digits, `_` and `-`.');
        }
        const errors = refuseDates(body.dates, '/dates');
        if (errors.length > 0) throw validationFailed(errors);
        requireSame(calendarWishSchema, body, { key });
        const given = { ifRevision: requiredRevision(header('if-match'), old?.revision ?? 0), authorize };
        const { name = old?.name ?? key, free = old?.isFree ?? true, dates } = body;
        return showResource(calendarResource(deps, await calendars.put({ key, name, dates, isFree: free }, given)));
      },
    }),
    defineRoute({
      id: 'removeCalendar',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a calendar',
      tag: 'Calendar',
      note: notes.removeCalendar,
      access: 'automation:manage',
      place: 'home',
      answers: { 204: null },
      audit: UNAUDITED,
      handle: async ({ params, header, authorize }) => {
        const calendar = requireThing(calendars.find(params['key'] ?? ''), 'calendar');
        const ifRevision = requiredRevision(header('if-match'), calendar.revision);
        await calendars.remove(calendar.key, { ifRevision, authorize });
        return { status: 204 };
      },
    }),
  ];
}

type Upcoming = z.infer<typeof upcomingSchema>;

function daysFrom({ calendars, timeZone }: CalendarRoutesDeps, nowMs: number): Omit<Upcoming, 'sun' | 'firings'> {
  const todayMs = nowMs + timeZone().offsetMs(nowMs);
  const dayAt = (ahead: number): Upcoming['days'][number] => {
    const day = new Date(todayMs + ahead * DAY_MS);
    const date = day.toISOString().slice(0, 10);
    const isWeekend = day.getUTCDay() % SATURDAY === 0;
    const on = calendars.on(date).map(({ key, name }) => ({ key, name }));
    return { date, workday: !isWeekend && !calendars.isFree(date), calendars: on };
  };
  const days = Array.from({ length: DAYS_AHEAD }, (_, ahead) => dayAt(ahead)).filter((day) => day.calendars.length > 0);
  const { date: today, workday } = dayAt(0);
  return { today, workday, days: days.slice(0, MOST_DAYS) };
}

function sunJson({ dawn, sunrise, noon, sunset, dusk }: SunDay): NonNullable<Upcoming['sun']> {
  const shown = (atMs: number | undefined): string | null => (atMs === undefined ? null : timeJson(atMs));
  return { dawn: shown(dawn), sunrise: shown(sunrise), noon: shown(noon), sunset: shown(sunset), dusk: shown(dusk) };
}

function calendarResource(deps: CalendarRoutesDeps, calendar: Calendar): Resource {
  return {
    etag: revisionTag(calendar),
    headers: cursorOf(deps),
    content: () => ({ json: calendarJson(calendar) }),
  };
}

type FiringsDeps = {
  readonly automations: Pick<AutomationRegistry, 'automations' | 'stateOf'>;
  readonly automationEngine: Pick<AutomationEngine, 'statusOf'>;
  readonly nextFirings: NextFirings;
};

const MOST_FIRINGS = 20;

/** The first times at which the clock, and with `withSun` the sun, starts any automation that may run now. */
async function upcomingFirings(
  { automations, automationEngine, nextFirings }: FiringsDeps,
  withSun: boolean,
): Promise<readonly z.infer<typeof upcomingFiringSchema>[]> {
  const waiting = automations.automations().flatMap((record) => {
    const { on_broken: onBroken, triggers } = record.definition;
    const { state } = automations.stateOf(record);
    const runs = state === 'ready' || (state === 'broken' && onBroken === 'run_rest');
    const isSeen = withSun || triggers.some(({ type }) => type === 'time');
    const { nextAtMs } = automationEngine.statusOf(record.id);
    return runs && isSeen && nextAtMs !== null ? [{ record, nextAtMs }] : [];
  });
  const soonest = waiting.toSorted((left, right) => left.nextAtMs - right.nextAtMs);
  const found: (readonly [atMs: number, firing: z.infer<typeof upcomingFiringSchema>])[] = [];
  for (const { record, nextAtMs } of soonest) {
    // An automation that starts later than all that are shown has no place among them.
    if (found.length === MOST_FIRINGS && nextAtMs > (found.at(-1)?.[0] ?? 0)) break;
    const { id, selector, name, definition } = record;
    const { firings } = await nextFirings(definition, withSun, MOST_FIRINGS);
    for (const { atMs, trigger, dst } of firings) {
      found.push([atMs, { at: timeJson(atMs), automation: { id, selector, name }, trigger, dst }]);
    }
    found.sort(([left], [right]) => left - right);
    found.splice(MOST_FIRINGS);
  }
  return found.map(([, firing]) => firing);
}
