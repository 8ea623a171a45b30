import type { JsonValue } from '#base/json.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Room } from '#core/room/room.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import type { BuiltInKind } from './notification.ts';
import { worded } from './worded.ts';

/** The present values of a device prove or disprove a cause; `undefined` if they do not decide it. */
type Verdict = boolean | undefined;
type Watched = {
  readonly kind: 'water' | 'smoke' | 'carbon_monoxide' | 'gas' | 'lock_jammed' | 'battery_low';
  readonly concerns: (feature: Feature) => boolean;
  /** Judges one value; `null` for one between the thresholds. */
  readonly judge: (capability: string, value: JsonValue) => boolean | null;
};

const isTrue = (_capability: string, value: JsonValue): boolean => value === true;
const has =
  (...capabilities: readonly string[]) =>
  ({ capability }: Feature): boolean =>
    capabilities.includes(capability);

/** Percent of a battery. Between these an alarm stays as it was, so that it does not come and go at the threshold. */
const BATTERY = { low: 15, charged: 25 };
const LOW_WORDS = /^(low|critical|empty|warning)$/;

const WATCHED: readonly Watched[] = [
  { kind: 'water', concerns: has('water_leak'), judge: isTrue },
  { kind: 'smoke', concerns: has('smoke'), judge: isTrue },
  { kind: 'carbon_monoxide', concerns: has('co_alarm'), judge: isTrue },
  { kind: 'gas', concerns: has('gas_leak'), judge: isTrue },
  {
    kind: 'lock_jammed',
    concerns: ({ capability }) => capability === 'lock_state' || /^x\.(?:\w+_)?jam(?:med)?$/.test(capability),
    judge: (_capability, value) => value === true || (typeof value === 'string' && /jam/i.test(value)),
  },
  {
    kind: 'battery_low',
    concerns: has('battery', 'battery_low', 'battery_state'),
    judge: (capability, value) => {
      if (capability === 'battery_low') return value === true;
      if (capability === 'battery_state') return typeof value === 'string' && LOW_WORDS.test(value);
      if (typeof value !== 'number' || value <= BATTERY.low) return typeof value === 'number';
      return value >= BATTERY.charged ? false : null;
    },
  },
];

/** Devices of the hub itself, which are there as long as the hub is. A notification about a group would repeat that of its member. */
const OWN_INTEGRATIONS: ReadonlySet<string> = new Set(['group', 'energy']);

function isOwn({ integration }: Pick<Device, 'integration'>): boolean {
  return OWN_INTEGRATIONS.has(integration);
}

const HOUR_MS = 3_600_000;
const OFFLINE_MS = 24 * HOUR_MS;
/** Right after a start many devices are away for a moment, although they were last heard long ago. */
const LEAST_OFFLINE_MS = 600_000;

export type DeviceAlarmsDeps = {
  readonly desk: AlarmDesk;
  readonly devices: () => readonly Device[];
  readonly findDevice: (id: string) => Device | undefined;
  readonly findRoom: (id: string) => Pick<Room, 'name'> | undefined;
  readonly wallMs: () => number;
};

/** Watches devices for water, low batteries and the like. An event costs a look at one device. */
export function createDeviceAlarms({ desk, devices, findDevice, findRoom, wallMs }: DeviceAlarmsDeps) {
  const aboutDevice = (kind: Watched['kind'] | 'device_offline', device: Device) => {
    const room = device.roomId === null ? undefined : findRoom(device.roomId)?.name;
    const values = { device: placedName(deviceName(device), room), ...(room === undefined ? {} : { room }) };
    return { ...worded(kind, values), deviceId: device.id };
  };
  const judge = (device: Device, { kind, concerns, judge: judgeValue }: Watched): void => {
    const verdict = verdictOf(device, concerns, judgeValue);
    if (verdict === 'no such feature') desk.forget(kind, device.id);
    else if (verdict === true) desk.note(kind, device.id, aboutDevice(kind, device));
    else if (verdict === false) desk.over(kind, device.id);
  };
  const judgeAvailability = (device: Device): void => {
    const { id, availability } = device;
    if (availability.state === 'offline') {
      const silentMs = Math.max(0, wallMs() - lastHeardMs(device));
      desk.note('device_offline', id, {
        ...aboutDevice('device_offline', device),
        afterMs: Math.max(LEAST_OFFLINE_MS, OFFLINE_MS - silentMs),
      });
    } else if (availability.state === 'unknown') desk.doubt('device_offline', id);
    else desk.over('device_offline', id);
  };
  const lookAt = (device: Device): void => {
    if (isOwn(device)) return;
    for (const watched of WATCHED) judge(device, watched);
    judgeAvailability(device);
  };
  return {
    onEvent: (event: HomeEvent): void => {
      if (event.type === 'feature.changed') {
        const { device, key } = event;
        if (!MAY_CONCERN.test(key) || isOwn(device)) return;
        const feature = device.features.find((one) => one.key === key);
        const watched = feature && WATCHED.find(({ concerns }) => concerns(feature));
        if (watched !== undefined) judge(device, watched);
      } else if (event.type === 'availability.changed') {
        if (!isOwn(event.device)) judgeAvailability(event.device);
      } else if (event.type === 'device.added' || event.type === 'device.changed') lookAt(event.device);
      else if (event.type === 'device.removed') {
        for (const kind of KINDS) desk.forget(kind, event.device.id);
      }
    },
    /** Looks at every device, for what was so before anyone watched. */
    lookAtAll: (): void => {
      for (const device of devices()) lookAt(device);
      for (const kind of KINDS) {
        for (const subject of desk.subjectsOf(kind)) if (findDevice(subject) === undefined) desk.forget(kind, subject);
      }
    },
  };
}

/** With its room, unless the name says it: six doors may have the same name. */
function placedName(name: string, room: string | undefined): string {
  return room === undefined || name.toLowerCase().includes(room.toLowerCase()) ? name : `${room} – ${name}`;
}

const KINDS: readonly BuiltInKind[] = [...WATCHED.map(({ kind }) => kind), 'device_offline'];
/** Most values are none of these: their key decides that without a search. */
const MAY_CONCERN = /(?:^|\.)(?:water_leak|smoke|co_alarm|gas_leak|lock_state|battery\w*|\w*jam(?:med)?)$/;

/** The cause is there if any value says so, and over if there are values and all say so. */
function verdictOf(
  { features, states }: Device,
  concerns: Watched['concerns'],
  judge: Watched['judge'],
): Verdict | 'no such feature' {
  const found = features.filter(concerns);
  if (found.length === 0) return 'no such feature';
  const judged = new Set(
    found.map(({ key, capability }) => {
      const value = states.get(key)?.value ?? null;
      return value === null ? null : judge(capability, value);
    }),
  );
  if (judged.has(true)) return true;
  return judged.has(null) ? undefined : false;
}

function lastHeardMs({ availability: { lastSeenAtMs, sinceMs }, states }: Device): number {
  const times = [...states.values()].flatMap(({ observedAtMs }) => observedAtMs ?? []);
  const heardMs = times.reduce((latest, ms) => Math.max(latest, ms), lastSeenAtMs ?? 0);
  return heardMs === 0 ? sinceMs : heardMs;
}
