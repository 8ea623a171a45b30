import type { Device, DeviceId } from '#core/device/device.ts';
import type { UserId } from '#core/person/user.ts';
import type { Presence, PresenceSource } from './presence.ts';

/** What a source says at the moment. `quiet`: a sensor of motion sees nobody, which is no word for `away`. */
export type Saying = 'home' | 'away' | 'quiet' | undefined;

export type Sources = {
  /** Takes the person's present sources. */
  readonly follow: (user: UserId) => void;
  readonly usersOf: (device: DeviceId) => Iterable<UserId>;
  /** What the person's sources, or those of this device, say now and did not say at the last look. */
  readonly look: (user: UserId, device?: DeviceId) => readonly Saying[];
  readonly sayings: (user: UserId) => readonly Saying[];
};

/** What the devices say that belong to one person. */
export function createSources(
  findDevice: (id: DeviceId) => Device | undefined,
  presenceOf: (user: UserId) => Presence,
): Sources {
  const last = new Map<string, Saying>();
  const users = new Map<DeviceId, Set<UserId>>();
  return {
    follow: (user) => {
      for (const one of users.values()) one.delete(user);
      for (const { deviceId } of presenceOf(user).sources) {
        users.set(deviceId, (users.get(deviceId) ?? new Set()).add(user));
      }
    },
    usersOf: (device) => users.get(device) ?? [],
    look: (user, device) =>
      presenceOf(user).sources.flatMap((source) => {
        if (device !== undefined && source.deviceId !== device) return [];
        const now = sayingOf(findDevice(source.deviceId), source.key);
        const name = nameOf(user, source);
        if (last.get(name) === now) return [];
        last.set(name, now);
        return [now];
      }),
    sayings: (user) => presenceOf(user).sources.map((source) => last.get(nameOf(user, source))),
  };
}

/** Only what a device confirms itself is a word, and only while it can be reached. */
function sayingOf(device: Device | undefined, key: string): Saying {
  const state = device?.states.get(key);
  if (state?.quality !== 'confirmed' || device?.availability.state === 'offline') return undefined;
  if (typeof state.value !== 'boolean') return undefined;
  if (state.value) return 'home';
  const feature = device?.features.find((one) => one.key === key);
  return feature?.capability === 'presence' ? 'away' : 'quiet';
}

function nameOf(user: UserId, { deviceId, key }: PresenceSource): string {
  return `${user} ${deviceId}/${key}`;
}
