import { z } from 'zod/mini';
import { CONTROL_SCHEMAS, EVENT_SCHEMAS } from './event-json.ts';
import { timeSchema } from './time-json.ts';

const entriesOf = (schemas: Readonly<Record<string, z.ZodMiniType>>) =>
  Object.entries(schemas).map(([type, data]) => z.object({ id: z.string(), type: z.literal(type), data }));

const PAGED = { ...EVENT_SCHEMAS, 'hub.gap': CONTROL_SCHEMAS['hub.gap'] };
/** What was asked for by hand, to try a webhook. */
const testSchema = z.object({ at: timeSchema });

/** The answer of a long poll. */
export const eventPageSchema = z.object({ events: z.array(z.union(entriesOf(PAGED))), cursor: z.string() });

/** The body of a webhook's delivery. */
export const deliveryBodySchema = z.object({
  events: z.array(z.union(entriesOf({ ...PAGED, 'hub.test': testSchema }))),
  cursor: z.string(),
});
