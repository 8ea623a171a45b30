import * as z from 'zod/mini';
import { type Calendar, CALENDAR_DATE, MAX_CALENDAR_DATES } from '#core/calendar/calendar.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { firingSchema } from '#http/automation/course-json.ts';
import { automationReferenceSchema } from '#http/automation/json.ts';
import { described, named } from '#http/note/described.ts';
import { takingShown } from '#http/routing/shown-too.ts';

const datesSchema = described(
  '`MM-DD` for every year, `YYYY-MM-DD` for one year, or from one to another: `12-24..01-06`.',
  z.array(z.string().check(z.regex(CALENDAR_DATE))).check(z.maxLength(MAX_CALENDAR_DATES)),
);

export const calendarSchema = named(
  'Calendar',
  z.object({
    key: described('Names the calendar, and never changes.', z.string()),
    name: z.string(),
    dates: described('Its days, as `2026-12-25` or `2026-12-24..2027-01-06`.', z.array(z.string())),
    free: described('Whether its days are no workdays.', z.boolean()),
    changed_at: timeSchema,
    revision: z.int(),
  }),
);

export const calendarWishSchema = named(
  'CalendarUpdate',
  takingShown(
    z.strictObject({
      name: described('Absent: as it was, else the name in the address.', z.optional(nameSchema)),
      dates: datesSchema,
      free: described('Whether its days are no workdays. Absent: as it was, else `true`.', z.optional(z.boolean())),
    }),
    calendarSchema,
    ['key'],
  ),
);

export function calendarJson(calendar: Calendar): z.infer<typeof calendarSchema> {
  const { key, name, dates, isFree, changedAtMs, revision } = calendar;
  return { key, name, dates: [...dates], free: isFree, changed_at: timeJson(changedAtMs), revision };
}

const dateSchema = described('A date in the time zone of the hub.', z.string());

const calendarNameSchema = named(
  'CalendarName',
  z.object({ key: described('Names the calendar.', z.string()), name: z.string() }),
);
const upcomingDaySchema = named(
  'UpcomingDay',
  z.object({
    date: dateSchema,
    workday: described('Whether it is a workday.', z.boolean()),
    calendars: described('The calendars that have this day.', z.array(calendarNameSchema)),
  }),
);
const sunDaySchema = named(
  'SunDay',
  z.object({
    dawn: described('When it gets light; `null`: it does not.', z.nullable(timeSchema)),
    sunrise: described('When the sun rises; `null`: it does not.', z.nullable(timeSchema)),
    noon: described('When the sun is highest; `null`: unknown.', z.nullable(timeSchema)),
    sunset: described('When the sun sets; `null`: it does not.', z.nullable(timeSchema)),
    dusk: described('When it is dark; `null`: it does not get dark.', z.nullable(timeSchema)),
  }),
);

export const upcomingFiringSchema = named(
  'UpcomingFiring',
  z.extend(firingSchema, { automation: automationReferenceSchema }),
);

export const upcomingSchema = named(
  'Upcoming',
  z.object({
    today: dateSchema,
    workday: described('Whether today is one.', z.boolean()),
    days: described(
      'The next days that are in a calendar, today included; at most 50 within a year.',
      z.array(upcomingDaySchema),
    ),
    sun: described(
      'The sun of today, each `null` on a day without it. `null` for callers who may not see the location, and while there is none.',
      z.nullable(sunDaySchema),
    ),
    firings: described(
      'The next 20 times at which the clock or the sun starts an automation, of all that may run now. Times of the sun only for callers who may see the location.',
      z.array(upcomingFiringSchema),
    ),
  }),
);
