import type { JsonValue } from '#base/json.ts';
import type { CivilMoment, SeenValue } from '#core/automation/view.ts';
import type { RunView } from '#core/automation-run/engine.ts';
import { fittingDevices } from '#core/automation/check/directory.ts';
import type { Cause } from '#core/cause/cause.ts';
import { canFulfil, requestedKeys } from '#core/command/command-request.ts';
import type { Availability, Device, DeviceId } from '#core/device/device.ts';
import { isSensitive, isSensitiveRequest } from '#core/device/sensitive.ts';
import { type FeatureState, UNREPORTED } from '#core/feature/feature.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import { isGroup } from '#core/device/group.ts';
import { memberSets } from '#core/group/group-requests.ts';
import { planScene } from '#core/scene/scene-plan.ts';
import { activityNow } from '#core/scene/scene-watch.ts';
import { pastValue } from './past-value.ts';
import type { Recorded, RecordedSeries, ReplayClock } from '#core/automation-replay/simulation.ts';

/** The home at one moment of a replay. It is changed in its place, because a month has a million changes. */
export type RecordedHome = HomeParts & { readonly view: RunView };

type HomeParts = {
  nowMs: number;
  readonly devices: ReadonlyMap<DeviceId, ReplayedDevice>;
  readonly modes: Map<string, string>;
  readonly variables: Map<string, JsonValue>;
  readonly people: Map<string, PresenceState>;
  readonly integrations: Map<string, boolean>;
  /** By device and key: of the last change. */
  readonly causes: Map<DeviceId, Map<string, Cause | null>>;
  readonly clock: ReplayClock;
};

/** A device whose values the replay writes. */
export type ReplayedDevice = Omit<Device, 'states' | 'availability'> & {
  readonly states: Map<string, FeatureState>;
  availability: Availability;
};

type Inputs = ReadonlyMap<string, JsonValue>;

export function createRecordedHome(recorded: Recorded, inputs: Inputs): RecordedHome {
  const variables = new Map<string, JsonValue>();
  const parts: HomeParts = {
    nowMs: 0,
    devices: new Map(
      recorded.home.devices.map((device) => [device.id, { ...device, states: new Map(), availability: NOT_SEEN }]),
    ),
    modes: new Map(),
    variables,
    people: new Map(),
    integrations: new Map(),
    causes: new Map(),
    clock: recorded.clock((variable) => {
      const value = variables.get(variable);
      return typeof value === 'string' ? value : undefined;
    }),
  };
  return Object.assign(parts, { view: createView(parts, recorded, inputs) });
}

const NOT_SEEN: Availability = { state: 'unknown', sinceMs: 0, lastSeenAtMs: null, reason: 'integration_down' };

function createView(parts: HomeParts, { home, series }: Recorded, inputs: Inputs): RunView {
  const { devices, modes, variables, people, clock } = parts;
  const stateOf = (person: string): PresenceState => people.get(person) ?? 'unknown';
  return {
    now: createNow(parts),
    value: (device, key) => seenValue(parts, device, key),
    availability: (device) => devices.get(device)?.availability,
    mode: (key) => modes.get(key),
    variable: (key) => variables.get(key),
    presence: (person) => (home.people.includes(person) ? stateOf(person) : undefined),
    everyone: () => home.people.map(stateOf),
    sun: () => clock.sun(parts.nowMs),
    history: (question) => {
      const name = `${question.device}/${question.key}`;
      const found = inputs.has(name) ? heldSeries(name, inputs.get(name) ?? null) : series.get(name);
      const feature = devices.get(question.device)?.features.find(({ key }) => key === question.key);
      return found && pastValue(found, question, { nowMs: parts.nowMs, feature });
    },
    ...createPlaces(parts, home),
    // Rights are those of the present, and nothing of a replay leaves the hub.
    steerRefusal: () => null,
    signedWith: () => [],
  };
}

function createNow(parts: HomeParts): RunView['now'] {
  let known: { readonly second: number; readonly civil: CivilMoment } | undefined;
  return {
    get hubMs() {
      return parts.nowMs;
    },
    get wallMs() {
      return parts.nowMs;
    },
    /** Worked out where something asks for it: most changes need no date. */
    get civil() {
      const second = Math.floor(parts.nowMs / 1000);
      if (known?.second !== second) known = { second, civil: parts.clock.moment(parts.nowMs) };
      return known.civil;
    },
  };
}

function seenValue({ devices, causes }: HomeParts, id: DeviceId, key: string): SeenValue | undefined {
  const device = devices.get(id);
  const state = device?.states.get(key);
  if (state !== undefined) {
    const { value, quality, changedAtMs } = state;
    return { value, quality, changedAtMs, cause: causes.get(id)?.get(key) ?? null };
  }
  const isKnown = device?.features.some((feature) => feature.key === key) === true;
  return isKnown ? { ...UNREPORTED, cause: null } : undefined;
}

type Places = Pick<
  RunView,
  'scene' | 'devicesIn' | 'members' | 'memberSets' | 'canTake' | 'isSensitive' | 'sceneWishes'
>;

export function causesOf({ causes }: Pick<HomeParts, 'causes'>, id: DeviceId): Map<string, Cause | null> {
  const known = causes.get(id) ?? new Map<string, Cause | null>();
  causes.set(id, known);
  return known;
}

/** Where commands may go. */
function createPlaces({ devices }: HomeParts, home: Recorded['home']): Places {
  const scenes = new Map(home.scenes.map((scene) => [scene.id, scene]));
  const findDevice = (id: string): Device | undefined => devices.get(id as DeviceId);
  const directory = { devices: () => devices.values() };
  return {
    scene: (id) => {
      const scene = scenes.get(id);
      return scene && activityNow(scene, findDevice).state;
    },
    devicesIn: (place) => {
      if ('anyOf' in place) return [...fittingDevices(directory, place.anyOf)].map(({ id }) => id);
      return [...devices.values()].filter((one) => one.roomId === place.room && !isGroup(one)).map(({ id }) => id);
    },
    members: (id) => (findDevice(id)?.members ?? []).map((member) => member.id),
    memberSets: (id, set) => {
      const device = findDevice(id);
      const all = device === undefined ? [] : memberSets(device, set, findDevice);
      return all.map(([member, own]) => [member.id, own]);
    },
    canTake: (id, wish) => {
      const device = findDevice(id);
      return device !== undefined && canFulfil(device, wish);
    },
    isSensitive: (id, wish) => {
      const device = findDevice(id);
      if (device === undefined) return false;
      return isGroup(device) ? isSensitive(device) : isSensitiveRequest(device, requestedKeys(wish));
    },
    sceneWishes: (id) => {
      const scene = scenes.get(id);
      if (scene === undefined) return undefined;
      const { requests } = planScene(scene, { findDevice, isBusy: () => false, force: true, transitionMs: null });
      return [...requests].map(([device, { set }]) => [device.id, { set: set ?? {} }] as const);
    },
  };
}

/** A series that always had this value. */
function heldSeries(name: string, value: JsonValue): RecordedSeries {
  const isKept = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
  return { name, timesMs: isKept ? [0] : [], values: isKept ? [value] : [], gaps: new Map() };
}
