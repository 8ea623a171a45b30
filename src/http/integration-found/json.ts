import { z } from 'zod/mini';
import type { FoundThing } from '#core/integration/found-thing.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named } from '#http/note/described.ts';

export const foundSchema = named(
  'IntegrationFound',
  z.object({
    id: described('Holds until the thing is gone or the hub restarts.', z.uuid()),
    kind: z.string(),
    name: described('As the thing calls itself: text of a stranger.', z.string()),
    address: z.string(),
    ignored: z.boolean(),
    found_at: timeSchema,
  }),
);

export function foundJson({ id, kind, name, address, isIgnored, foundAtMs }: FoundThing): z.infer<typeof foundSchema> {
  return { id, kind, name, address, ignored: isIgnored, found_at: timeJson(foundAtMs) };
}
