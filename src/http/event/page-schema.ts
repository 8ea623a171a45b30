import { z } from 'zod/mini';
import { CONTROL_SCHEMAS, EVENT_SCHEMAS } from './json.ts';
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

/** One event: of a stream, where `id`, `type` and `data` are the fields of a frame, of a long poll or of a delivery. */
export const eventSchema = z.discriminatedUnion('type', [first, ...others]);

/** The answer of a long poll. */
export const eventPageSchema = z.object({ events: z.array(eventSchema), cursor: z.string() });

/** The body of a webhook's delivery. */
export const deliveryBodySchema = z.object({ events: z.array(eventSchema), cursor: z.string() });
