import { type Device, type DeviceId, isReachable } from '#core/device/device.ts';
import type { UserId } from '#core/person/user.ts';
import type { Presence, PresenceSource } from './presence.ts';

/** A source says this at the moment. `quiet`: a sensor of motion sees nobody, which is no word for `away`. */
export type Saying = 'home' | 'away' | 'quiet' | undefined;

export type Sources = ReturnType<typeof createSources>;

/** Follows the devices that belong to people, and what they say of them. */
export function createSources(
  findDevice: (id: DeviceId) => Device | undefined,
  presenceOf: (user: UserId) => Presence,
) {
  const last = new Map<string, Saying>();
  const overruled = new Set<string>();
  const users = new Map<DeviceId, Set<UserId>>();
  return {
    /** Takes the person's present sources. */
    follow: (user: UserId): void => {
      for (const one of users.values()) one.delete(user);
      const { sources } = presenceOf(user);
      for (const { deviceId } of sources) users.set(deviceId, (users.get(deviceId) ?? new Set()).add(user));
      // What comes back later has not said anything yet.
      const names = new Set(sources.map((source) => nameOf(user, source)));
      for (const name of last.keys()) {
        if (!name.startsWith(`${user} `) || names.has(name)) continue;
        last.delete(name);
        overruled.delete(name);
      }
    },
    usersOf: (device: DeviceId): Iterable<UserId> => users.get(device) ?? [],
    /** What the person's sources, or those of this device, say now and did not say at the last look. */
    look: (user: UserId, device?: DeviceId): readonly Saying[] =>
      presenceOf(user).sources.flatMap((source) => {
        if (device !== undefined && source.deviceId !== device) return [];
        const now = sayingOf(findDevice(source.deviceId), source.key);
        const name = nameOf(user, source);
        if (last.get(name) === now) return [];
        last.set(name, now);
        overruled.delete(name);
        return [now];
      }),
    /** What all of the person's sources say. A word for `away` from before they said the opposite counts as `quiet`. */
    sayings: (user: UserId): readonly Saying[] =>
      presenceOf(user).sources.map((source) => {
        const name = nameOf(user, source);
        return overruled.has(name) ? 'quiet' : last.get(name);
      }),
    /** The person says that they are at home, whatever their sources say at the moment. */
    overrule: (user: UserId): void => {
      for (const source of presenceOf(user).sources) {
        const name = nameOf(user, source);
        if (last.get(name) === 'away') overruled.add(name);
      }
    },
  };
}

/** Only what a device confirms itself is a word, and only while it can be reached. */
function sayingOf(device: Device | undefined, key: string): Saying {
  const state = device?.states.get(key);
  if (device === undefined || state?.quality !== 'confirmed' || !isReachable(device.availability)) return undefined;
  if (typeof state.value !== 'boolean') return undefined;
  if (state.value) return 'home';
  const feature = device.features.find((one) => one.key === key);
  return feature?.capability === 'presence' ? 'away' : 'quiet';
}

function nameOf(user: UserId, { deviceId, key }: PresenceSource): string {
  return `${user} ${deviceId}/${key}`;
}
