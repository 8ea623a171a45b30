import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as z from 'zod/mini';
import type { Evidence, OperandSeen } from '#core/automation/view.ts';
import { type AutomationRun, type StepTrace } from '#core/automation-run/trace/trace.ts';
import { COMMAND_STATUSES, EVIDENCES } from '#core/command/command.ts';
import type { DeviceId } from '#core/device/device.ts';
import { QUALITIES } from '#core/feature/feature.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { causeJson, causeSchema } from '#http/command/json.ts';
import { userReferenceSchema } from '#http/answer/reference.ts';
import { reasonSchema } from '#http/answer/reason-json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { englishOf, type RunReason } from '#core/automation-run/trace/run-reason.ts';
import type { Values } from '#words/texts.ts';
import type { SeenHome } from './seen-home.ts';

export const hiddenSchema = described(
  'The caller may not see the device, the people or the sun that it is about: what it says of them is left out.',
  z.optional(z.literal(true)),
);
const deviceSchema = described('Selector; the id of a device that is gone.', z.nullable(z.string()));

const operandSchema = named(
  'OperandSeen',
  z.object({
    device: z.optional(deviceSchema),
    key: z.optional(z.string()),
    name: described('What it is, where it is no feature: `mode/home`, `sun/elevation`.', z.optional(z.string())),
    value: z.unknown(),
    quality: z.optional(wordOf('Quality', QUALITIES)),
    changed_at: z.optional(z.nullable(timeSchema)),
    unknown: described('Why nobody knew the value, as `offline`; `null` where it was known.', z.nullable(z.string())),
    hidden: hiddenSchema,
  }),
);
export const evidenceSchema = named(
  'ConditionEvidence',
  z.object({
    pointer: described('The condition in the definition of this version.', z.string()),
    result: described('`unknown` counts as not met.', z.enum(['true', 'false', 'unknown'])),
    operands: described('The values that it was judged by.', z.array(operandSchema)),
  }),
);

/** Why it came to that. */
const reasonedSchema = {
  reason: described('`null` also for what a person, a device or another program wrote.', z.nullable(reasonSchema)),
  message: described('The reason in English.', z.nullable(z.string())),
};
const stepSchema = z.object({
  pointer: described('The step in the definition of this version.', z.string()),
  at: timeSchema,
  ms: described('How long it took; `null` while it is not over.', z.nullable(z.number())),
  outcome: described(
    'How the step ended, or that it has not.',
    z.enum(['running', 'done', 'skipped', 'failed', 'timed_out', 'stopped']),
  ),
  ...reasonedSchema,
  command: described(
    'What it sent; `null`: nothing.',
    z.nullable(
      z.object({
        id: described('`null` for one that the hub did not accept.', z.nullable(z.string())),
        status: described(
          'As that of the command, or why there is none.',
          z.enum([...COMMAND_STATUSES, 'refused', 'skipped', 'running']),
        ),
        evidence: described('How far the command is known to have come.', wordOf('Evidence', EVIDENCES)),
        results: described('By the selector of the device.', z.record(z.string(), z.string())),
        hidden: hiddenSchema,
      }),
    ),
  ),
  conditions: described('Of the conditions that decided the way.', z.array(evidenceSchema)),
  values: described('The values that the step used.', z.array(operandSchema)),
});

const triggerSchema = z.object({
  id: described('Id of the trigger in the definition.', z.string()),
  type: described('Which trigger it is, or how it was started without one.', z.string()),
  device: deviceSchema,
  key: described('Key of the feature; `null`: it is about none.', z.nullable(z.string())),
  from: described('The value before.', z.unknown()),
  value: described('The value that it came to.', z.unknown()),
  quality: described('`none` where it is about no feature.', wordOf('Quality', QUALITIES)),
  action: described('What was done, such as `single`; `null`: it is about no occurrence.', z.nullable(z.string())),
  at: timeSchema,
  late_s: described('How late a missed time was made up for.', z.number()),
  cause: described('Because of what; `null`: unknown.', z.nullable(causeSchema)),
  body: described('That a hook was called with.', z.unknown()),
  by: described('The person who started it by its name; absent for all other starts.', z.optional(userReferenceSchema)),
  skips_conditions: described(
    'It was started whether its conditions are met or not: `skip_conditions`.',
    z.optional(z.literal(true)),
  ),
  hidden: hiddenSchema,
});

export const automationRunSchema = named(
  'AutomationRun',
  described(
    'One start of an automation, or one start that was refused, with what it saw and did.',
    z.object({
      id: z.string(),
      automation: described('Selector.', z.string()),
      version: described('Number of the version that ran.', z.int()),
      outcome: described(
        '`not_met`: a condition did not hold, or nobody knew. `skipped`: it was not allowed to start. `superseded`: a newer run or version took its place. `abandoned`: it could not go on after a restart.',
        wordOf('RunOutcome', RUN_OUTCOMES),
      ),
      ...reasonedSchema,
      trigger: described('What started it.', triggerSchema),
      conditions: described('The conditions that were looked at.', z.array(evidenceSchema)),
      steps: described('A line for each step that was done.', z.array(stepSchema)),
      steps_left_out: described('Further steps without a line: there was no room, or a power cut took it.', z.int()),
      variables: described(
        'The variables of the document, as they were worked out at the start.',
        z.record(z.string(), z.unknown()),
      ),
      started_at: described('When its trigger fired.', timeSchema),
      finished_at: described('When it ended; `null`: it has not.', z.nullable(timeSchema)),
      cause: described('Because of what it started; `null`: unknown.', z.nullable(causeSchema)),
      merged: described('Equal starts after it that came to nothing as it did; `finished_at` is of the last.', z.int()),
    }),
  ),
);
export const automationRunsSchema = named(
  'AutomationRuns',
  z.object({
    runs: described('Newest first.', z.array(automationRunSchema)),
    next: described('The `cursor` of older ones; `null` if there are none.', z.nullable(z.string())),
  }),
);

type RunJson = z.infer<typeof automationRunSchema>;

/** With the names of automations in the place of their ids. */
export function namedReason(reason: RunReason, { automationOf }: Pick<SeenHome, 'automationOf'>): RunReason {
  if (typeof reason === 'string') return reason;
  const nameOf = (id: string): string => automationOf(id as AutomationId)?.name ?? id;
  const named = Object.entries(reason.with).map(([hole, value]) => [
    hole,
    hole.startsWith('automation') ? String(value).split(CHAIN).map(nameOf).join(CHAIN) : value,
  ]);
  return { ...reason, with: Object.fromEntries(named) as Values };
}
const CHAIN = ' → ';

export function reasonJson(reason: RunReason | null): Pick<RunJson, 'reason' | 'message'> {
  if (reason === null || typeof reason === 'string') return { reason: null, message: reason };
  return { reason: { id: reason.id, with: reason.with }, message: englishOf(reason) };
}

/** The trace as this reader may see it. */
export function automationRunJson(run: AutomationRun, home: SeenHome): RunJson {
  const { trigger } = run;
  const isHidden =
    trigger.device === null ? trigger.type === 'presence' && !home.seesPresence : !home.seesDevice(trigger.device);
  return {
    id: run.id,
    automation: home.automationOf(run.automation)?.selector ?? run.automation,
    version: run.version,
    outcome: run.outcome,
    ...reasonJson(run.reason && namedReason(run.reason, home)),
    trigger: {
      id: trigger.id,
      type: trigger.type,
      device: trigger.device === null || isHidden ? null : home.selectorOf(trigger.device),
      key: isHidden ? null : trigger.key,
      from: isHidden ? null : trigger.from,
      value: isHidden ? null : trigger.value,
      quality: trigger.quality ?? 'none',
      action: isHidden ? null : trigger.action,
      at: timeJson(trigger.atMs),
      late_s: trigger.lateMs / 1000,
      cause: causeJson(trigger.cause),
      body: trigger.body,
      ...starterJson(trigger, home),
      ...(isHidden ? { hidden: true } : {}),
    },
    conditions: run.conditions.map((one) => evidenceJson(one, home)),
    steps: run.steps.map((step) => stepJson(step, home)),
    steps_left_out: run.stepsLeftOut,
    // They may be made of values that the reader may not see.
    variables: home.isWhole ? run.variables : {},
    started_at: timeJson(run.startedAtMs),
    finished_at: timeJson(run.finishedAtMs),
    cause: causeJson(run.cause),
    merged: run.merged,
  };
}

/** Whom a start by name came from, and whether it asked for no conditions. */
function starterJson({ cause, skipsConditions }: AutomationRun['trigger'], { personOf }: SeenHome) {
  // What an automation starts has the callers of its own start in its cause.
  const user = cause?.automation === null ? cause.callers?.find(({ type }) => type === 'user') : undefined;
  const person = user && personOf(user.id);
  return {
    ...(person && { by: { id: person.id, name: person.name } }),
    ...(skipsConditions && { skips_conditions: true as const }),
  };
}

export function evidenceJson({ pointer, result, operands }: Evidence, home: SeenHome): z.infer<typeof evidenceSchema> {
  return { pointer, result: `${result}`, operands: operands.map((one) => operandJson(one, home)) };
}

function operandJson(seen: OperandSeen, home: SeenHome): z.infer<typeof operandSchema> {
  if (!('device' in seen)) {
    const isPresence = seen.name.startsWith('presence/');
    const isSun = seen.name.startsWith('sun/');
    const isHidden = isPresence ? !home.seesPresence : !home.isWhole || (isSun && !home.seesSun);
    const { name, value, unknown } = seen;
    return isHidden ? { value: null, unknown: null, hidden: true } : { name, value, unknown };
  }
  if (!home.seesDevice(seen.device)) return { device: null, value: null, unknown: null, hidden: true };
  const { device, key, value, quality, changedAtMs, unknown } = seen;
  return { device: home.selectorOf(device), key, value, quality, changed_at: timeJson(changedAtMs), unknown };
}

function stepJson(step: StepTrace, home: SeenHome): z.infer<typeof stepSchema> {
  const { command } = step;
  const results = Object.entries(command?.results ?? {}) as [DeviceId, string][];
  const seen = results.filter(([device]) => home.seesDevice(device));
  const isHidden = seen.length < results.length;
  return {
    pointer: step.pointer,
    at: timeJson(step.atMs),
    ms: step.ms,
    outcome: step.outcome,
    // It may name the device.
    ...reasonJson(isHidden || step.reason === null ? null : namedReason(step.reason, home)),
    command: command && {
      id: command.id,
      status: command.status,
      evidence: command.evidence,
      results: Object.fromEntries(seen.map(([device, status]) => [home.selectorOf(device), status])),
      ...(isHidden ? { hidden: true } : {}),
    },
    conditions: step.conditions.map((one) => evidenceJson(one, home)),
    values: step.values.map((one) => operandJson(one, home)),
  };
}
