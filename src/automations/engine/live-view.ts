import { isSameJson, type JsonValue } from '#base/json.ts';
import { canFulfil, requestedKeys } from '#core/command/command-request.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { RunView, Wish } from '#core/automation-run/engine.ts';
import type { Moment, SeenValue } from '#core/automation/view.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { UNREPORTED } from '#core/feature/feature.ts';
import { isGroup, membersOf } from '#core/device/group.ts';
import { memberSets } from '#core/group/group-requests.ts';
import type { ModeRegistry } from '#core/mode/mode-registry.ts';
import type { UserId } from '#core/person/user.ts';
import type { PresenceRegistry } from '#core/presence/presence-registry.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import { planScene } from '#core/scene/scene-plan.ts';
import type { VariableRegistry } from '#core/variable/variable-registry.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { CivilTime } from '#automations/civil-time.ts';
import type { EngineClock } from './engine-clock.ts';

/** The parts of the hub that automations see and act on. */
export type LiveHome = {
  readonly devices: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly modes: Pick<ModeRegistry, 'modes' | 'findMode' | 'setMode'>;
  readonly variables: Pick<VariableRegistry, 'variables' | 'findVariable' | 'setVariable'>;
  readonly presence: Pick<PresenceRegistry, 'presenceOf' | 'tell'>;
  readonly scenes: Pick<SceneRegistry, 'findScene' | 'activityOf'>;
  readonly people: () => readonly UserId[];
};

export type LiveView = {
  /** Its `now` is the present each time that it is read. */
  readonly view: RunView;
  /** Takes each event in before the reducer does. */
  readonly note: (event: HomeEvent) => void;
  /** The hub's clock jumped by so much. */
  readonly shift: (byMs: number) => void;
};

type LiveViewDeps = Pick<RunView, 'history' | 'steerRefusal' | 'signedWith'> & {
  readonly clock: EngineClock;
  readonly civil: CivilTime;
};

type Change = {
  readonly wallMs: number | null;
  readonly value: JsonValue;
  atMs: number;
  readonly cause: Cause | null;
};

/** The home as the reducer may see it, live. */
export function createLiveView(
  home: LiveHome,
  { clock, civil, history, steerRefusal, signedWith }: LiveViewDeps,
): LiveView {
  const { devices, modes, variables, presence, scenes } = home;
  const hubTimeOf = (wallMs: number): number => Math.min(clock.hubMs(), wallMs - clock.machineMs() + clock.hubMs());
  const changes = createChanges(clock, hubTimeOf);
  const find = (id: DeviceId): Device | undefined => devices.findDevice(id);

  const value = (id: DeviceId, key: string): SeenValue | undefined => {
    const device = find(id);
    if (device?.features.some((feature) => feature.key === key) !== true) return undefined;
    const { value: shown, quality, changedAtMs } = device.states.get(key) ?? UNREPORTED;
    const change = changes.find(id, key);
    if (change !== undefined && change.wallMs === changedAtMs) {
      return { value: shown, quality, changedAtMs: change.atMs, cause: change.cause };
    }
    return { value: shown, quality, changedAtMs: changedAtMs === null ? null : hubTimeOf(changedAtMs), cause: null };
  };
  const sensitiveIn = (device: Device, wish: Wish): boolean => {
    const keys = requestedKeys(wish);
    if (isSensitiveRequest(device, keys)) return true;
    return isGroup(device) && membersOf(device, devices.findDevice).some((member) => isSensitiveRequest(member, keys));
  };

  return {
    view: {
      get now() {
        return momentOf(clock, civil);
      },
      value,
      availability: (id) => {
        const device = find(id);
        return device && { ...device.availability, sinceMs: hubTimeOf(device.availability.sinceMs) };
      },
      mode: (key) => modes.findMode(key)?.value,
      variable: (key) => variables.findVariable(key)?.value,
      presence: (person) => presence.presenceOf(person as UserId).state,
      everyone: () => home.people().map((person) => presence.presenceOf(person).state),
      scene: (id) => {
        const scene = scenes.findScene(id);
        return scene && scenes.activityOf(scene).state;
      },
      sun: () => {
        const wallMs = clock.wallMs();
        return wallMs === undefined ? undefined : civil.sun(wallMs);
      },
      history,
      devicesIn: (place) =>
        devices
          .devices()
          .filter((device) => !isGroup(device) && isIn(device, place))
          .map(({ id }) => id),
      members: (id) => (find(id)?.members ?? []).map((member) => member.id),
      memberSets: (id, set) => {
        const device = find(id);
        const all = device === undefined ? [] : memberSets(device, set, devices.findDevice);
        return all.map(([member, own]) => [member.id, own]);
      },
      canTake: (id, wish) => {
        const device = find(id);
        return device !== undefined && canFulfil(device, wish);
      },
      isSensitive: (id, wish) => {
        const device = find(id);
        return device !== undefined && sensitiveIn(device, wish);
      },
      sceneWishes: (id) => {
        const scene = scenes.findScene(id);
        const all = { findDevice: devices.findDevice, isBusy: () => true, force: true, transitionMs: null };
        return scene && [...planScene(scene, all).requests].map(([device, { set }]) => [device.id, { set: set ?? {} }]);
      },
      steerRefusal,
      signedWith,
    },
    note: changes.note,
    shift: changes.shift,
  };
}

/** When each feature changed last, as it was dated then, and why. No later step of the machine's clock moves it. */
function createChanges(clock: EngineClock, hubTimeOf: (wallMs: number) => number) {
  const changes = new Map<string, Change>();
  return {
    find: (id: DeviceId, key: string): Change | undefined => changes.get(`${id} ${key}`),
    note: (event: HomeEvent): void => {
      if (event.type === 'feature.changed') {
        const { device, key, state, cause } = event;
        const known = changes.get(`${device.id} ${key}`);
        const isSame = known?.wallMs === state.changedAtMs && isSameJson(known.value, state.value);
        if (isSame) return;
        const atMs = state.changedAtMs === null ? clock.hubMs() : hubTimeOf(state.changedAtMs);
        changes.set(`${device.id} ${key}`, { wallMs: state.changedAtMs, value: state.value, atMs, cause });
      } else if (event.type === 'device.removed') {
        for (const key of event.device.states.keys()) changes.delete(`${event.device.id} ${key}`);
      }
    },
    shift: (byMs: number): void => {
      for (const change of changes.values()) change.atMs += byMs;
    },
  };
}

function isIn(device: Device, place: Parameters<RunView['devicesIn']>[0]): boolean {
  if ('room' in place) return device.roomId === place.room;
  const { room, type, capability, except } = place.anyOf;
  return (
    (room === undefined || device.roomId === room) &&
    (type === undefined || device.type === type) &&
    (capability === undefined || device.features.some((feature) => feature.capability === capability)) &&
    except?.includes(device.id) !== true
  );
}

/** The time on the wall clock is worked out only for those who look. */
function momentOf(clock: EngineClock, civil: CivilTime): Moment {
  const wallMs = clock.wallMs();
  let shown: Moment['civil'];
  return {
    hubMs: clock.hubMs(),
    wallMs,
    get civil() {
      if (wallMs !== undefined) shown ??= civil.moment(wallMs);
      return shown;
    },
  };
}
