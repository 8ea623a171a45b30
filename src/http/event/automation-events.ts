import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import { z } from 'zod/mini';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { automationSummaryJson } from '#http/automation/encode.ts';
import { automationReferenceSchema, automationSummarySchema } from '#http/automation/json.ts';
import type { FindRoom } from '#http/device/json.ts';
import { described } from '#http/note/described.ts';
import { timeSchema } from '#http/answer/time-json.ts';

const at = timeSchema;

const run = z.object({
  automation: automationReferenceSchema,
  run: described('Id.', z.string()),
  phase: z.enum(['started', 'waiting', 'finished']),
  outcome: z.enum(RUN_OUTCOMES),
  at,
});

/** The data of the events of automations. */
export const AUTOMATION_EVENT_SCHEMAS = {
  'automation.added': described(
    'Only for callers with the right `automation:read`, as the other events of automations.',
    z.object({ automation: automationSummarySchema, at }),
  ),
  'automation.changed': described(
    'A change of the automation or of its state.',
    z.object({ automation: automationSummarySchema, at }),
  ),
  'automation.removed': described('It is in the trash.', z.object({ automation: automationReferenceSchema, at })),
  'automation.run': described(
    'A run started, waits or is over. There is none for a start that conditions or a running run refused.',
    run,
  ),
  'automation.run.dull': described(
    'A start that conditions or a running run refused. Only for clients whose `types` have it.',
    run,
  ),
} as const;

type OfType<Type> = Extract<HomeEvent, { readonly type: Type }>;
type Saved = OfType<'automation.added' | 'automation.changed'>;
type Deps = { readonly findRoom: FindRoom };

const summary = ({ automation, state }: Saved, { findRoom }: Deps) => ({
  automation: automationSummaryJson(automation, state, findRoom),
});
const reference = ({ id, selector, name }: Pick<AutomationRecord, 'id' | 'selector' | 'name'>) => ({
  id,
  selector,
  name,
});

const runOf = ({ automation, run: id, phase, outcome }: OfType<'automation.run' | 'automation.run.dull'>) => ({
  automation: reference(automation),
  run: id,
  phase,
  outcome,
});

export const AUTOMATION_EVENT_DATA = {
  'automation.added': summary,
  'automation.changed': summary,
  'automation.removed': ({ automation }: OfType<'automation.removed'>) => ({ automation: reference(automation) }),
  'automation.run': runOf,
  'automation.run.dull': runOf,
} as const;
