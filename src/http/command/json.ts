import * as z from 'zod/mini';
import type { Cause } from '#core/cause/cause.ts';
import { COMMAND_STATUSES, EVIDENCES, type Command, type CommandResult } from '#core/command/command.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { ValueType } from '#core/feature/value-type.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { issuerSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

const resultSchema = named(
  'CommandResult',
  z.object({
    device: described('Selector. Only a command for several devices has it.', z.optional(z.string())),
    key: z.string(),
    requested: described(
      'The value that the caller asked for. `null` where the device never shows a text, list or object that it takes: it could be the code of a lock.',
      z.unknown(),
    ),
    observed: described('The value that the device reports.', z.unknown()),
    status: described(
      'How far it came with this feature, with the words of the whole command.',
      wordOf('CommandStatus', COMMAND_STATUSES),
    ),
    reason: described('Why it failed, for people.', z.optional(z.string())),
    code: described('The same for programs: the code of a problem, where one says it.', z.optional(z.string())),
  }),
);

export const causeSchema = named(
  'Cause',
  described(
    'Ids, or `null` where there is none.',
    z.object({
      command: described(
        'In a command, the one that it undoes; in a change, the one that it answers.',
        z.nullable(z.string()),
      ),
      scene: described('Id of the scene.', z.nullable(z.string())),
      automation: described('Id of the automation.', z.nullable(z.string())),
      run: described('Of the automation.', z.nullable(z.string())),
      depth: described('How many automations came one after the other before this.', z.int()),
    }),
  ),
);

/** A cause as the API shows it: without whose rights are asked. */
export function causeJson(cause: Cause): z.infer<typeof causeSchema>;
export function causeJson(cause: Cause | null): z.infer<typeof causeSchema> | null;
export function causeJson(cause: Cause | null): z.infer<typeof causeSchema> | null {
  if (cause === null) return null;
  const { command, scene, automation, run, depth } = cause;
  return { command, scene, automation, run, depth };
}

export const commandSchema = named(
  'Command',
  described(
    'What a caller asked of devices, and the outcome.',
    z.object({
      id: z.uuid(),
      device: described('Selector; `null` in a command for several devices.', z.nullable(z.string())),
      status: described(
        '`queued` → `sent` → `confirmed`, or `unconfirmed` (no report came in time), `failed`, `superseded` (by a newer command), `expired`.',
        wordOf('CommandStatus', COMMAND_STATUSES),
      ),
      evidence: described(
        'How far the command is known to have come. Only `state_report` comes from the device itself.',
        wordOf('Evidence', EVIDENCES),
      ),
      results: described('What became of each feature of each device.', z.array(resultSchema)),
      created_at: timeSchema,
      finished_at: described('When it ended; `null`: it has not.', z.nullable(timeSchema)),
      cause: causeSchema,
      created_by: described('Who gave it.', issuerSchema),
    }),
  ),
);

/** A command as the API shows it. */
export function commandJson(command: Command): z.infer<typeof commandSchema> {
  const { type, id } = command.createdBy;
  return {
    id: command.id,
    device: command.isForOne ? (command.results[0]?.selector ?? null) : null,
    status: command.status,
    evidence: command.evidence,
    results: command.results.map((result) => resultJson(result, command.isForOne)),
    created_at: timeJson(command.createdAtMs),
    finished_at: timeJson(command.finishedAtMs),
    cause: causeJson(command.cause),
    created_by: { type, id },
  };
}

function resultJson(result: CommandResult, isForOne: boolean): z.infer<typeof resultSchema> {
  const { selector, feature, requested, observed, status, reason, code } = result;
  return {
    ...(isForOne ? {} : { device: selector }),
    key: feature.key,
    requested: isConcealed(feature) ? null : requested,
    observed,
    status,
    ...(reason === null ? {} : { reason }),
    ...(code === null ? {} : { code }),
  };
}

const WORDY: ReadonlySet<ValueType> = new Set(['string', 'object', 'list', 'any']);

/** All who see the device see its commands, in answers, events and webhooks. A code is for the device alone. */
function isConcealed({ readable, valueType }: Feature): boolean {
  return !readable && WORDY.has(valueType);
}

declareEvents(110, null, {
  'command.changed': {
    shape: { command: commandSchema },
    json: ({ command }) => ({ command: commandJson(command) }),
  },
});
