import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, Device, DeviceId } from '#core/device/device.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { Happening, NearMissReason, TriggerMemory } from '#core/automation/trigger/happening.ts';
import { compileTrigger } from '#core/automation/trigger/match.ts';
import { createTriggerIndex } from '#core/automation/trigger/trigger-index.ts';
import type { SeenValue } from '#core/automation/view.ts';
import { type SeenHome, seenValue, viewOf } from './seen-home.ts';

/** A device of a few features, for `any_of`. */
export function deviceWith(id: string, keys: readonly string[], part: Partial<Device> = {}): Device {
  const features = keys.map((key) => ({ key, capability: key, kind: key === 'button' ? 'event' : 'state' }));
  return { id, roomId: null, type: 'other', integration: 'test', features, ...part } as unknown as Device;
}

/** One trigger with a home and a clock: what it answers is written down with its time in seconds. */
export function stageOf(trigger: Trigger, devices: readonly Device[] = []) {
  const index = createTriggerIndex<string>();
  for (const device of devices) index.noteDevice(device.id, device);
  index.put('owner', [trigger]);
  const match = compileTrigger(trigger);
  const values = new Map<string, SeenValue>();
  const reported = new Map<string, JsonValue>();
  const availability: Record<string, AvailabilityState> = {};
  const modes: Record<string, string> = {};
  const presence: Record<string, 'home' | 'away' | 'unknown'> = {};
  let nowMs = 0;
  let memory: TriggerMemory = {};
  const fired: number[] = [];
  const near: (NearMissReason & { readonly atS: number })[] = [];
  const facts: JsonValue[] = [];

  const home = (): SeenHome => ({ nowMs, values: Object.fromEntries(values), availability, modes, presence });
  const give = (happening: Happening): void => {
    const isNamed =
      happening.kind === 'begin' || happening.kind === 'look' || happening.kind === 'time' || happening.kind === 'hook';
    if (!isNamed && index.find(happening).length === 0) return;
    const verdict = match(happening, { memory, view: viewOf(home()), members: () => index.members(trigger) });
    memory = JSON.parse(JSON.stringify(verdict.memory)) as TriggerMemory;
    if (verdict.fired !== null) {
      fired.push(nowMs / 1000);
      facts.push(verdict.fired.value);
    }
    if (verdict.nearMiss !== null) near.push({ ...verdict.nearMiss.reason, atS: nowMs / 1000 });
    passLooks();
  };
  const passLooks = (untilMs = nowMs): void => {
    for (;;) {
      const due = Object.entries(memory).flatMap(([slot, { lookAtMs }]) =>
        lookAtMs !== null && lookAtMs <= untilMs ? [{ slot, lookAtMs }] : [],
      );
      const [next] = due.toSorted((left, right) => left.lookAtMs - right.lookAtMs);
      if (next === undefined) return;
      nowMs = Math.max(nowMs, next.lookAtMs);
      give({ kind: 'look', slot: next.slot });
    }
  };

  return {
    fired,
    near,
    facts,
    /** Goes on to this second; what is due before happens at its time. */
    at(second: number) {
      passLooks(second * 1000);
      nowMs = second * 1000;
      return this;
    },
    begin(isWait = false) {
      give({ kind: 'begin', isWait });
      return this;
    },
    /** `name` is `device key`; what is not said is as of a confirmed report that changes the value now. */
    set(name: string, given: JsonValue | Partial<SeenValue>) {
      const [device = '', key = ''] = name.split(' ');
      const before = values.get(name);
      const seen = seenValue(given);
      values.set(name, { ...seen, changedAtMs: before?.value === seen.value ? before.changedAtMs : nowMs });
      const [from, shown] = [reported.get(name), before?.value];
      if (seen.quality !== 'assumed') reported.set(name, seen.value);
      give({ kind: 'value', device: device as DeviceId, key, from, shown });
      return this;
    },
    /** Changes of one moment: the rules hear of the first after the last has come. */
    setAll(name: string, given: readonly JsonValue[]) {
      const [device = '', key = ''] = name.split(' ');
      const last = given.at(-1);
      if (last !== undefined) values.set(name, { ...seenValue(last), changedAtMs: nowMs });
      for (const value of given) {
        const from = reported.get(name);
        reported.set(name, value);
        const news = seenValue(value);
        give({ kind: 'value', device: device as DeviceId, key, from, shown: from, news });
      }
      return this;
    },
    /** The device was removed. */
    remove(name: string) {
      const [device = '', key = ''] = name.split(' ');
      values.delete(name);
      give({ kind: 'value', device: device as DeviceId, key, from: reported.get(name), shown: reported.get(name) });
      return this;
    },
    reach(device: string, to: AvailabilityState) {
      const from = availability[device];
      availability[device] = to;
      give({ kind: 'availability', device: device as DeviceId, from, to });
      return this;
    },
    mode(mode: string, to: string) {
      const from = modes[mode] ?? '';
      modes[mode] = to;
      give({ kind: 'mode', mode, from, to, cause: null });
      return this;
    },
    presence(person: string, to: 'home' | 'away' | 'unknown') {
      const from = presence[person] ?? 'unknown';
      presence[person] = to;
      give({ kind: 'presence', person, from, to });
      return this;
    },
    give(happening: Happening) {
      give(happening);
      return this;
    },
  };
}
