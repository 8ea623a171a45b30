import * as z from 'zod/mini';
import { causeJson, causeSchema } from '#http/command/json.ts';
import { eventDeviceSchema, featureSchema, featureStateJson, eventDevice } from '#http/device/json.ts';
import { described } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

/** Something that happened and is over, with the feature that reported it. */
const occurredShape = {
  device: eventDeviceSchema,
  feature: described('The feature that reported it.', z.object({ key: z.string() })),
  occurrence: described(
    'What happened.',
    z.object({
      action: described('What was done, such as `single` or `hold`.', z.string()),
      count: described('How many times; absent: unknown.', z.optional(z.number())),
      raw: described('The word of the device for it.', z.string()),
    }),
  ),
};
export const occurrenceSchema = z.object(occurredShape);

declareEvents(70, null, {
  // A change of the value or of its quality. `changed_at` changes only with the value.
  'feature.changed': {
    shape: {
      device: eventDeviceSchema,
      feature: z.pick(featureSchema, { key: true, value: true, quality: true, observed_at: true, changed_at: true }),
      cause: described(
        'The command that the change answers. `null`: nobody commanded it, so a new value that is confirmed was set by hand or by the device itself. That is evidence and no proof: a hand that does the same as a command, while its reports may still come, is taken for the command.',
        z.nullable(causeSchema),
      ),
    },
    json: ({ device, key, state, cause }, deps) => ({
      device: eventDevice(device, deps),
      feature: { key, ...featureStateJson(state) },
      cause: causeJson(cause),
    }),
  },
  'feature.occurred': {
    about: 'Something that happened and is over, such as the press of a button. Never sent when older than 5 s.',
    shape: occurredShape,
    json: ({ device, key, occurrence }, deps) => ({ device: eventDevice(device, deps), feature: { key }, occurrence }),
  },
});
