import { isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';
import type { DevicePlan, RadioGroup } from './radio-groups.ts';

/**
 * Sends to groups. Zigbee2MQTT then publishes the new state for each member, without having heard from one, so these
 * messages say nothing: the hub drops what they say and asks each member, whose answer counts.
 */
export type GroupSends = ReturnType<typeof createGroupSends>;

type GroupSendsDeps = Pick<Runtime, 'monotonicMs' | 'startTimer' | 'log'> & {
  readonly publishSet: (group: RadioGroup, payload: string) => Promise<void>;
  readonly ask: (device: KnownDevice, payload: string) => Promise<void>;
  readonly onSent: (device: KnownDevice, sent: DevicePlan['sent']) => void;
};

const BROADCAST_EVERY_MS = 1_000;
/** If not every member is published, as where `optimistic` is off there. */
const ECHO_AT_LAST_MS = 2_000;
/** Zigbee2MQTT publishes a member twice if its color temperature was set: once for the group and once for itself. */
const ECHO_REST_MS = 250;
/** A member that was not published by then may still be: what comes first of the wanted state counts for nothing either. */
const LATE_ECHO_MS = 60_000;
/** As many questions as commands would go out. */
const ASKED_AT_ONCE = 20;
const ASK_EVERY_MS = 100;

type Batch = {
  readonly plans: readonly DevicePlan[];
  /** Members whose state was not published yet. */
  readonly silent: Set<string>;
  stopTimer: () => void;
};
type Expected = {
  readonly batch: Batch;
  readonly wires: ReadonlyMap<string, JsonValue>;
  /** What was published for the member first. */
  echo?: JsonObject;
};

type Late = { readonly plan: DevicePlan; readonly wires: Expected['wires']; readonly untilMs: number };

export function createGroupSends(deps: GroupSendsDeps) {
  const { startTimer, monotonicMs } = deps;
  const expected = new Map<string, Expected>();
  const late = new Map<string, Late>();
  const batches = new Set<Batch>();
  let lastMs = -Infinity;

  const ask = (plan: DevicePlan): void => askMember(deps, plan);
  const stopExpecting = (batch: Batch, plan: DevicePlan): void => {
    const { externalId } = plan.device.description;
    const waiting = expected.get(externalId);
    if (waiting?.batch !== batch) return;
    expected.delete(externalId);
    if (!batch.silent.has(externalId)) return;
    late.set(externalId, { plan, wires: waiting.wires, untilMs: monotonicMs() + LATE_ECHO_MS });
  };
  const askNext = (batch: Batch, plans: readonly DevicePlan[]): void => {
    for (const plan of plans.slice(0, ASKED_AT_ONCE)) {
      stopExpecting(batch, plan);
      ask(plan);
    }
    const rest = plans.slice(ASKED_AT_ONCE);
    if (rest.length === 0) batches.delete(batch);
    else batch.stopTimer = startTimer(ASK_EVERY_MS, () => askNext(batch, rest));
  };
  /** Every member was published, so what comes from now on comes from the devices, also on the way to the new state. */
  const endEcho = (batch: Batch): void => {
    batch.stopTimer();
    // A lamp that is asked on the way to its new state tells where it is.
    const restMs = Math.max(0, ...batch.plans.map(({ transitionMs }) => (transitionMs ?? 0) - ECHO_REST_MS));
    if (restMs === 0) return askNext(batch, batch.plans);
    for (const plan of batch.plans) stopExpecting(batch, plan);
    batch.stopTimer = startTimer(restMs, () => askNext(batch, batch.plans));
  };
  /** It may be the answer of the device as well, so the device is asked once more. */
  const withoutLateEcho = (externalId: string, state: JsonObject): JsonObject => {
    const echo = late.get(externalId);
    if (echo === undefined) return state;
    const isOver = monotonicMs() >= echo.untilMs;
    if (!isOver && !hasWanted(state, echo.wires)) return state;
    late.delete(externalId);
    if (isOver) return state;
    ask(echo.plan);
    return withoutWanted(state, echo.wires);
  };

  return {
    /** Broadcasts are few: the network carries some nine in nine seconds. */
    mayBegin: (): boolean => monotonicMs() - lastMs >= BROADCAST_EVERY_MS,
    send: async (group: RadioGroup, plans: readonly DevicePlan[]): Promise<void> => {
      lastMs = monotonicMs();
      const ids = plans.map(({ device }) => device.description.externalId);
      const batch: Batch = { plans, silent: new Set(ids), stopTimer: () => undefined };
      batches.add(batch);
      for (const { device, sent } of plans) {
        const wires = new Map([...sent].map(([property, { wire }]) => [property, wire]));
        expected.set(device.description.externalId, { batch, wires });
        late.delete(device.description.externalId);
        // Noted before it is published, because the answers may be faster than the acknowledgement.
        deps.onSent(device, sent);
      }
      batch.stopTimer = startTimer(ECHO_AT_LAST_MS, () => endEcho(batch));
      await deps.publishSet(group, JSON.stringify(plans[0]?.payload ?? {}));
    },
    /** The state without what only says that something was sent; `null` if the device has not spoken at all. */
    withoutEcho: (externalId: string, state: JsonObject): JsonObject | null => {
      const waiting = expected.get(externalId);
      if (waiting === undefined) return withoutLateEcho(externalId, state);
      const { batch, wires } = waiting;
      const isEcho = hasWanted(state, wires);
      if (isEcho && isSameJson((waiting.echo ??= state), state)) {
        if (batch.silent.delete(externalId) && batch.silent.size === 0) {
          batch.stopTimer();
          batch.stopTimer = startTimer(ECHO_REST_MS, () => endEcho(batch));
        }
        return null;
      }
      return withoutWanted(state, wires);
    },
    /** Asks nobody any more. */
    reset: (): void => {
      for (const { stopTimer } of batches) stopTimer();
      batches.clear();
      expected.clear();
      late.clear();
    },
  };
}

function askMember({ ask, log }: Pick<GroupSendsDeps, 'ask' | 'log'>, { device, sent }: DevicePlan): void {
  const payload = JSON.stringify(Object.fromEntries([...sent.keys()].map((property) => [property, ''])));
  ask(device, payload).catch((cause: unknown) => {
    log.debug('a member of a group could not be asked', { device: device.description.externalId, cause });
  });
}

type Wires = Expected['wires'];

function hasWanted(state: JsonObject, wires: Wires): boolean {
  return [...wires].every(([property, wire]) => {
    const published = state[property];
    // A color comes back in other words.
    return published !== undefined && (property === 'color' || isSameJson(published, wire));
  });
}

function withoutWanted(state: JsonObject, wires: Wires): JsonObject {
  return Object.fromEntries(Object.entries(state).filter(([property]) => !wires.has(property)));
}
