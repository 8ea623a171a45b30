import type { JsonValue } from '#base/json.ts';
import { moverOf } from '#core/automation/condition/sight.ts';
import type { TriggerFacts } from '#core/automation/view.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Command } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';

/** One thing that came of the next one. */
export type CauseLink =
  | {
      readonly type: 'change';
      readonly atMs: number | null;
      readonly device: DeviceId;
      readonly key: string;
      readonly value: JsonValue;
    }
  | {
      readonly type: 'command';
      readonly id: string;
      /** `undefined`: the hub does not keep it any more. */
      readonly command: Command | undefined;
      readonly by: Issuer | null;
      /** The device that changed, which is one of the command's. */
      readonly device: DeviceId | null;
    }
  | {
      readonly type: 'run';
      readonly automation: string | null;
      readonly run: string;
      /** `undefined`: it is not kept any more. */
      readonly trace: AutomationRun | undefined;
    }
  | { readonly type: 'trigger'; readonly facts: TriggerFacts };

/**
 * Where a chain begins. `hand`: the device reported a change that no command of the hub explains, which is evidence of a
 * hand and no proof. `report`: a device measured or noticed it. `start`: somebody started the automation. `other`:
 * something of the hub itself, such as a mode. `unknown`: what would say it is not kept.
 */
export const ORIGINS = ['person', 'script', 'start', 'schedule', 'hand', 'report', 'other', 'unknown'] as const;
type Origin = (typeof ORIGINS)[number];

/** The newest first. */
export type CauseChain = { readonly links: readonly CauseLink[]; readonly origin: Origin };

type Find = {
  readonly findCommand: (id: string) => Command | undefined;
  readonly findRun: (id: string) => AutomationRun | undefined;
};
export type ChangeSeen = {
  readonly device: DeviceId;
  readonly key: string;
  readonly value: JsonValue;
  readonly atMs: number | null;
  readonly cause: Cause | null;
  readonly by: Issuer | null;
  readonly isSeen: boolean;
};

/** Automations start one another at most ten deep; a chain that is longer would be a mistake of the data. */
const MOST_ROUNDS = 16;

export function chainOfChange(find: Find, { cause, by, isSeen, ...change }: ChangeSeen): CauseChain {
  const first: CauseLink = { type: 'change', ...change };
  if (cause === null) return { links: [first], origin: isSeen ? quietOrigin(change.key) : 'unknown' };
  return follow(find, [first], { cause, by, device: change.device });
}

export function chainOfCommand(find: Find, command: Command): CauseChain {
  const { id, cause, createdBy: by } = command;
  return follow(find, [{ type: 'command', id, command, by, device: null }], {
    cause: { ...cause, command: null },
    by,
    device: null,
  });
}

type At = { readonly cause: Cause; readonly by: Issuer | null; readonly device: DeviceId | null };

function follow(find: Find, first: readonly CauseLink[], begin: At): CauseChain {
  const links = [...first];
  let at = begin;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { cause, device } = at;
    let by = at.by;
    if (cause.command !== null) {
      const command = find.findCommand(cause.command);
      by ??= command?.createdBy ?? null;
      links.push({ type: 'command', id: cause.command, command, by, device });
    }
    if (cause.run === null) return { links, origin: originOf(cause, by) };
    const trace = find.findRun(cause.run);
    links.push({ type: 'run', automation: cause.automation, run: cause.run, trace });
    if (trace === undefined) return { links, origin: 'unknown' };
    const { trigger } = trace;
    links.push({ type: 'trigger', facts: trigger });
    if (trigger.cause === null) return { links, origin: originOfTrigger(trigger) };
    at = { cause: trigger.cause, by: null, device: trigger.device };
  }
  return { links, origin: 'unknown' };
}

function originOf(cause: Cause, by: Issuer | null): Origin {
  if (by?.type === 'session') return 'person';
  if (by?.type === 'api_token') return 'script';
  // Nothing but a call of the API starts an automation with a cause that names nothing.
  return by === null && cause.command === null && cause.automation === null ? 'start' : 'unknown';
}

function originOfTrigger({ type, device, key, action }: TriggerFacts): Origin {
  if (type === 'time' || type === 'sun') return 'schedule';
  if (device === null || key === null) return 'other';
  return action === null ? quietOrigin(key) : 'report';
}

/** Judges a change that nobody commanded as automations do that yield to a hand. */
function quietOrigin(key: string): Origin {
  return moverOf(key, null) === 'hand' ? 'hand' : 'report';
}
