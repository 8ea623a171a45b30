import * as z from 'zod/mini';
import type { FoundThing } from '#core/integration/found-thing.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

export const foundSchema = named(
  'IntegrationFound',
  z.object({
    id: described('Holds until the thing is gone or the hub restarts.', z.uuid()),
    kind: described('The id of the kind of integration that would fit.', z.string()),
    name: described('As the thing calls itself: text of a stranger.', z.string()),
    address: described('Where it was found.', z.string()),
    ignored: described('A person does not want to be asked about it.', z.boolean()),
    found_at: described('When it was seen first.', timeSchema),
  }),
);

export function foundJson({ id, kind, name, address, isIgnored, foundAtMs }: FoundThing): z.infer<typeof foundSchema> {
  return { id, kind, name, address, ignored: isIgnored, found_at: timeJson(foundAtMs) };
}

declareEvents(130, 'hub:manage', {
  'integration.found': {
    about:
      'Something was discovered, has changed, or is not there any more, because it left or became an integration. Only for callers with the right `hub:manage`.',
    shape: { found: described('The thing that was found in the network.', foundSchema), gone: z.boolean() },
    json: ({ thing, isGone }) => ({ found: foundJson(thing), gone: isGone }),
  },
});
