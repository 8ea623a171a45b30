import { z } from 'zod/mini';
import { CONTROL_SCHEMAS, EVENT_SCHEMAS } from './json.ts';
import { described } from '#http/reference/described.ts';
import { timeSchema } from '#http/answer/time-json.ts';

/** The data of each type of event, whichever way it comes. */
export const EVENT_DATA = {
  ...EVENT_SCHEMAS,
  ...CONTROL_SCHEMAS,
  /** What was asked for by hand, to try a webhook. */
  'hub.test': z.object({ at: timeSchema }),
} as const;

/** Each type of event. What the stream tells of itself has no cursor there. */
export const EVENTS = Object.entries(EVENT_DATA).map(([type, data]) =>
  z.object({
    id: Object.hasOwn(CONTROL_SCHEMAS, type) ? z.optional(z.string()) : z.string(),
    type: z.enum([type]),
    data,
  }),
);
const [first, ...others] = EVENTS as [(typeof EVENTS)[0], ...typeof EVENTS];

export const eventSchema = described(
  'An event of a stream (the fields of its frame are `id`, `event`, here `type`, and `data`), of a long poll or of a delivery to a webhook. Only streams have `hub.heartbeat` and `hub.snapshot`, only webhooks get `hub.test`.',
  z.discriminatedUnion('type', [first, ...others]),
);

/** The answer of a long poll. */
export const eventPageSchema = z.object({ events: z.array(eventSchema), cursor: z.string() });

export const deliveryBodySchema = described(
  'What a webhook gets: the body of the long poll, with `hub.test` among its events.',
  z.object({
    events: z.array(eventSchema),
    cursor: described('The hub has looked at every event up to here.', z.string()),
  }),
);
