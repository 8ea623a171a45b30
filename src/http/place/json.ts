import * as z from 'zod/mini';
import { CLOCK_SOURCES, type ClockSource } from '#base/time/hub-clock.ts';
import type { Location } from '#core/place/place.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

export const locationWishSchema = named(
  'LocationUpdate',
  z.strictObject({
    latitude: described(
      'Degrees north of the equator, or south if negative; kept to 0.01.',
      z.number().check(z.gte(-90), z.lte(90)),
    ),
    longitude: described(
      'Degrees east of Greenwich, or west if negative; kept to 0.01.',
      z.number().check(z.gte(-180), z.lte(180)),
    ),
    elevation_m: described(
      'Meters above the sea, kept to 10; `null` and absent: unknown.',
      z.optional(z.nullable(z.number().check(z.gte(-500), z.lte(9000)))),
    ),
  }),
);

export const locationSchema = named(
  'Location',
  z.object({
    latitude: described('In degrees, rounded to 0.01.', z.number()),
    longitude: described('Degrees east of Greenwich, rounded to 0.01.', z.number()),
    elevation_m: described('Above the sea, rounded to 10; `null`: not given.', z.nullable(z.number())),
  }),
);

export function locationJson({ latitude, longitude, elevationM }: Location): z.infer<typeof locationSchema> {
  return { latitude, longitude, elevation_m: elevationM };
}

export const clockSchema = named(
  'HubClock',
  described(
    'The time of day as the hub knows it. Times of automations wait while `source` is `none`.',
    z.object({
      now: described('The time of day at the moment of the answer.', timeSchema),
      source: described(
        'From where the hub knows it since the machine was switched on: `synced` from a time server, `owner` from a person, or `none`.',
        wordOf('ClockSource', CLOCK_SOURCES),
      ),
    }),
  ),
);
export const clockWishSchema = named(
  'HubClockUpdate',
  z.strictObject({
    now: described('The time of day, as a person reads it from another clock.', z.iso.datetime({ offset: true })),
  }),
);

/** The part of the hub clock that calls show and set. */
export type ShownClock = { readonly nowMs: () => number; readonly source: () => ClockSource };

export function clockJson({ nowMs, source }: ShownClock): z.infer<typeof clockSchema> {
  return { now: timeJson(nowMs()), source: source() };
}

declareEvents(180, 'automation:read', {
  'clock.changed': {
    about:
      'The hub knows the time of day from elsewhere now, or the time jumped by so many seconds. Only for callers with the right `automation:read`.',
    shape: { clock: clockSchema, by_s: described('Seconds by which the time jumped; 0: it did not.', z.number()) },
    json: ({ clock: { nowMs, source, shiftMs } }) => ({
      clock: { now: timeJson(nowMs), source },
      by_s: shiftMs / 1000,
    }),
  },
});
