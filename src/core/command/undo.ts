import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Command, CommandResult } from './command.ts';
import { isConfirmedBy } from './confirmation.ts';
import type { CommandRequest } from './command-request.ts';

export type Undo = {
  /** The values from before the command, for the features that still have what it set. */
  readonly requests: ReadonlyMap<Device, CommandRequest>;
  /** Why the other features stay as they are; those that the command found as it wanted them are not among them. */
  readonly settled: readonly CommandResult[];
};

/** Throws HubError NOTHING_TO_UNDO if the command has no effect any more. */
export function planUndo(command: Command, findDevice: (id: string) => Device | undefined): Undo {
  const sets = new Map<Device, Map<string, JsonValue>>();
  const settled: CommandResult[] = [];
  const reasons: string[] = [];
  let isAnyWaiting = false;
  for (const result of command.results) {
    // It had that value already: nothing was done to it, and nothing is to be taken back.
    if (result.status === 'confirmed' && result.reason === 'unchanged') {
      reasons.push('The command changed nothing.');
      continue;
    }
    const device = findDevice(result.deviceId);
    const reason = whyNot(result, device);
    if (reason === undefined && device !== undefined) {
      const set = sets.get(device) ?? new Map<string, JsonValue>();
      for (const [key, value] of result.before) set.set(key, value);
      sets.set(device, set);
    } else {
      isAnyWaiting ||= result.status === 'queued';
      if (reason !== undefined) reasons.push(reason);
      const requested = result.before.get(result.feature.key) ?? null;
      const observed = device?.states.get(result.feature.key)?.value ?? null;
      const outcome = isBack(result, device)
        ? ({ status: 'confirmed', evidence: 'state_report', reason: 'unchanged', code: null } as const)
        : ({ status: 'superseded', evidence: 'none', reason: reason ?? null, code: 'NOTHING_TO_UNDO' } as const);
      settled.push({ ...result, requested, observed, ...outcome, before: new Map() });
    }
  }
  if (sets.size === 0 && !isAnyWaiting) {
    throw new HubError('NOTHING_TO_UNDO', reasons[0] ?? 'It is empty.');
  }
  const requests = [...sets].map(([device, set]) => [device, { set: Object.fromEntries(set) }] as const);
  return { requests: new Map(requests), settled };
}

/** Whether the device reports what it had before the command, so that nothing is left to do. */
function isBack({ feature, status, before }: CommandResult, device: Device | undefined): boolean {
  const earlier = before.get(feature.key);
  const now = device?.states.get(feature.key);
  if (status === 'queued' || earlier === undefined || now?.quality !== 'confirmed') return false;
  return isConfirmedBy(feature, earlier, now.value);
}

/** Why a part of a command cannot or need not be undone. */
function whyNot({ feature, requested, status, before }: CommandResult, device: Device | undefined): string | undefined {
  if (status === 'queued') return 'It was not sent yet, and is not sent any more.';
  if (device === undefined) return 'The device was removed.';
  if (feature.kind !== 'state') return 'An action cannot be undone.';
  if (before.size === 0) return 'The value from before is not known.';
  const now = device.states.get(feature.key);
  if (now === undefined || now.quality === 'none' || !isConfirmedBy(feature, requested, now.value)) {
    return 'The value has changed since then.';
  }
  const earlier = before.get(feature.key);
  if (earlier !== undefined && isConfirmedBy(feature, requested, earlier)) return 'The command changed nothing.';
  return undefined;
}
