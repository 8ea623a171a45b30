import { z } from 'zod/mini';
import { COMMAND_STATUSES, EVIDENCES, type Command, type CommandResult } from '#core/command/command.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';

const resultSchema = z.object({
  /** Only in a command for several devices: there each of them has results. */
  device: z.optional(z.string()),
  key: z.string(),
  requested: z.unknown(),
  observed: z.unknown(),
  status: z.enum(COMMAND_STATUSES),
  /** Why it failed, for people. */
  reason: z.optional(z.string()),
});

export const commandSchema = z.object({
  id: z.uuid(),
  /** Selector; `null` in a command for several devices. */
  device: z.nullable(z.string()),
  status: z.enum(COMMAND_STATUSES),
  evidence: z.enum(EVIDENCES),
  results: z.array(resultSchema),
  created_at: timeSchema,
  finished_at: z.nullable(timeSchema),
  created_by: z.object({ type: z.enum(['session', 'api_token']), id: z.string() }),
});

/** A command as the contract has it. */
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
    created_by: { type, id },
  };
}

function resultJson(result: CommandResult, isForOne: boolean): z.infer<typeof resultSchema> {
  const { selector, feature, requested, observed, status, reason } = result;
  return {
    ...(isForOne ? {} : { device: selector }),
    key: feature.key,
    requested,
    observed,
    status,
    ...(reason === null ? {} : { reason }),
  };
}
