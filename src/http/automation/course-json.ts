import * as z from 'zod/mini';
import { timeSchema } from '#http/answer/time-json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { automationSummarySchema } from './json.ts';

// Schemas of what becomes of an automation: when it starts, what it may no longer do, how it changed.

export const firingSchema = named(
  'AutomationFiring',
  z.object({
    at: timeSchema,
    trigger: described('Id of the trigger.', z.string()),
    dst: described(
      '`gap`: the clock jumps forward to this moment, to which the times move that it leaves out. `overlap`: the clock shows this time twice; it starts at the first.',
      wordOf('ClockChange', ['none', 'gap', 'overlap']),
    ),
  }),
);
export const lostRightSchema = named('AutomationRightLost', z.object({ pointer: z.string(), right: z.string() }));
export const automationVersionLineSchema = named(
  'AutomationVersionLine',
  z.object({
    version: described('Number of the version, from 1 on.', z.int()),
    at: timeSchema,
    by: described('Who saved it.', automationSummarySchema.shape.acts_as.def.shape.user),
    via: described(
      'The login or API token with which it was saved.',
      automationSummarySchema.shape.acts_as.def.shape.via,
    ),
    note: described('What they wrote about the change; `null`: nothing.', z.nullable(z.string())),
    reverted_to: described('The version that was taken again.', z.nullable(z.int())),
    pointers: described('Where it differs from the version before; at most 50.', z.array(z.string())),
  }),
);
export const automationChangeSchema = named(
  'AutomationChange',
  z.object({
    pointer: z.string(),
    from: described('Absent where something is new.', z.optional(z.unknown())),
    to: described('Absent where something was taken away.', z.optional(z.unknown())),
  }),
);
