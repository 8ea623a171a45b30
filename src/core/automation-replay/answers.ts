import type { JsonObject, JsonValue } from '#base/json.ts';
import type { CommandReport, Effect } from '#core/automation-run/engine.ts';
import { type Cause, causeBy } from '#core/cause/cause.ts';
import { readRequest } from '#core/command/command-request.ts';
import type { CommandStatus } from '#core/command/command.ts';
import { type DeviceId, isReachable } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { memberSets } from '#core/group/group-requests.ts';
import { isGroup } from '#core/device/group.ts';
import { reportValue } from '#core/automation-replay/recorded/home-changes.ts';
import type { RecordedHome } from '#core/automation-replay/recorded/recorded-home.ts';
import type { SimulationWorld } from './simulation.ts';

/** So long a device takes to answer, as most do. */
const ANSWER_MS = 300;

type ReplayCommand = Extract<Effect, { kind: 'command' }>;
type Wishes = ReplayCommand['wishes'];

type AnswersDeps = {
  readonly home: RecordedHome;
  readonly world: SimulationWorld;
  readonly emit: (events: readonly HomeEvent[], cause: Cause | null) => void;
  /** `process`: the run of the hub that gave the command. After it nobody waits for the answer. */
  readonly report: (ref: string, report: CommandReport, process: number) => void;
  readonly process: () => number;
};

/** Sends back, in their order, the reports that devices would have answered with. */
export function createAnswers({ home, world, emit, report, process }: AnswersDeps) {
  // All take the same time, so that they come in the order of their commands.
  const later: { readonly atMs: number; readonly run: () => void }[] = [];
  return {
    give: (command: ReplayCommand): void => {
      const mine = process();
      const { ref } = command;
      const known = command.wishes.filter(([device]) => home.devices.has(device));
      const refused = refusalOf(home, known);
      if (refused !== undefined) return report(ref, refused, mine);
      const away = new Set(known.filter(([device]) => !isThere(home, device)).map(([device]) => device));
      const tell = (status: CommandStatus): void => {
        const results = known.map(([device]) => [device, away.has(device) ? 'failed' : status] as const);
        const evidence = status === 'confirmed' ? 'state_report' : 'none';
        report(ref, { id: ref, status, evidence, results: Object.fromEntries(results), reason: null }, mine);
      };
      if (away.size === known.length) return tell('failed');
      tell('sent');
      const run = (): void => {
        const reached = known.filter(([device]) => !away.has(device));
        if (world === 'answering') takeWishes(home, { ...command, wishes: reached }, emit);
        tell(away.size > 0 ? 'failed' : 'confirmed');
      };
      return void later.push({ atMs: home.nowMs + ANSWER_MS, run });
    },
    nextMs: (): number => later[0]?.atMs ?? Infinity,
    runNext: (): void => later.shift()?.run(),
  };
}

function takeWishes(home: RecordedHome, { wishes, ref, cause }: ReplayCommand, emit: AnswersDeps['emit']): void {
  const findDevice = (id: string) => home.devices.get(id as DeviceId);
  for (const [id, wish] of wishes) {
    const device = findDevice(id);
    if (device === undefined) continue;
    const set = 'set' in wish ? wish.set : toggled(device.states, wish.do);
    const members: readonly (readonly [{ readonly id: DeviceId }, JsonObject])[] = isGroup(device)
      ? memberSets(device, set, findDevice)
      : [];
    for (const [{ id: one }, part] of [[device, set] as const, ...members]) {
      const target = findDevice(one);
      if (target === undefined) continue;
      for (const [key, value] of Object.entries(part)) {
        emit(reportValue(home, { device: target, key, value, cause: causeBy({ id: ref, cause }) }), null);
      }
    }
  }
}

function isThere(home: RecordedHome, id: DeviceId): boolean {
  const device = home.devices.get(id);
  return device !== undefined && isReachable(device.availability);
}

/** Refuses values that the device does not take, as the hub would have; `undefined` if it takes all. */
function refusalOf(home: RecordedHome, wishes: Wishes): CommandReport | undefined {
  if (wishes.length === 0) return { refused: 'NOT_FOUND', message: 'There is no such device.' };
  for (const [id, wish] of wishes) {
    const device = home.devices.get(id);
    const reading = device && readRequest(device, wish);
    if (reading !== undefined && 'errors' in reading) {
      const [fault] = reading.errors;
      return { refused: 'VALIDATION_FAILED', message: `The device cannot do this: it ${fault?.message ?? ''}.` };
    }
  }
  return undefined;
}

function toggled(states: ReadonlyMap<string, { readonly value: JsonValue }>, action: string): JsonObject {
  const key = /^(.+\.)?toggle$/.test(action) ? action.replace(/toggle$/, 'on') : undefined;
  const value = key === undefined ? undefined : states.get(key)?.value;
  return key === undefined || typeof value !== 'boolean' ? {} : { [key]: !value };
}
