import type { Device, DeviceId } from '#core/device/device.ts';
import { isLight } from '#core/device/light.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { isSettable } from '#core/feature/feature-value.ts';
import type { Scene, SceneId, SceneTarget } from './scene.ts';
import { isGroup } from '#core/device/group.ts';
import { targetOf } from './scene-capture.ts';

export const ALL_OFF_SELECTOR = 'all-off';
export const ALL_OFF_ID = '00000000-0000-7000-8000-00000000a0ff' as SceneId;
/** Whether the scene reaches the device: as a person said, else lights, fans and media. A plug may have a fridge behind it. */
export function isInAllOff(device: Device): boolean {
  const { isLeftOn, type, features } = device;
  if (isLeftOn !== undefined) return !isLeftOn;
  return isLight(device) || type === 'fan' || features.some(({ capability }) => capability === 'playback');
}

/** Turns off what `isInAllOff` says and has a switch, but for what opens or guards the home. */
export function allOffScene(devices: readonly Device[]): Scene {
  return sceneOf(devices.flatMap(offTargets));
}

/** The same of a home whose devices change: only those that did are looked at, because a home may have thousands. */
export function keepAllOffScene(devices: readonly Device[], findDevice: (id: DeviceId) => Device | undefined) {
  const targets = new Map<DeviceId, readonly SceneTarget[]>(devices.map((device) => [device.id, offTargets(device)]));
  const changed = new Set<DeviceId>();
  let made: Scene | undefined;
  const take = (id: DeviceId): void => {
    if (!changed.delete(id)) return;
    const device = findDevice(id);
    if (device === undefined) targets.delete(id);
    else targets.set(id, offTargets(device));
    made = undefined;
  };
  return {
    noteChange: (id: DeviceId): void => void changed.add(id),
    changed: (): readonly DeviceId[] => [...changed],
    take,
    /** As the devices are now: what an owner has just left out must stay on. */
    scene: (): Scene => {
      for (const id of changed) take(id);
      return (made ??= sceneOf([...targets.values()].flat()));
    },
  };
}

function offTargets(device: Device): readonly SceneTarget[] {
  // A group is turned off with its members, but for those that are left out.
  if (!isInAllOff(device) || isGroup(device)) return [];
  const keys = device.features
    .filter((feature) => feature.capability === 'on' && feature.readable && isSettable(feature))
    .map(({ key }) => key);
  if (keys.length === 0 || isSensitiveRequest(device, keys)) return [];
  return [targetOf(device, Object.fromEntries(keys.map((key) => [key, false])))];
}

function sceneOf(targets: readonly SceneTarget[]): Scene {
  return {
    id: ALL_OFF_ID,
    selector: ALL_OFF_SELECTOR,
    name: 'All off',
    roomId: null,
    icon: null,
    transitionMs: null,
    targets,
    isBuiltIn: true,
    revision: 1,
    createdBy: null,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}
