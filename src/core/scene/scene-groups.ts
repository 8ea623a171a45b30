import type { Device } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import { memberSets } from '#core/group/group-requests.ts';
import type { FindDevice, Match, SceneTarget } from './scene.ts';
import { targetOf } from './scene-capture.ts';
import { fittingPart, matchTarget } from './scene-match.ts';

/**
 * The targets with the members of each group in its place, so that each device gets one command and shows by its own
 * reports whether the scene is active. A device that is named by itself keeps its own values; of two groups, the later
 * one has its way. What a group cannot take stays with it.
 */
export function spreadTargets(targets: readonly SceneTarget[], findDevice: FindDevice): readonly SceneTarget[] {
  const groupOf = ({ deviceId }: SceneTarget): Device | undefined => {
    const device = findDevice(deviceId);
    return device !== undefined && isGroup(device) ? device : undefined;
  };
  if (targets.every((target) => groupOf(target) === undefined)) return targets;
  const spread = new Map<string, SceneTarget>();
  const put = (target: SceneTarget, isOwn = false): void => {
    const before = spread.get(target.deviceId);
    const transitionMs = target.transitionMs ?? (isOwn ? null : (before?.transitionMs ?? null));
    spread.set(target.deviceId, { ...target, transitionMs, set: { ...before?.set, ...target.set } });
  };
  // In the order in which they are named, and then once more: what is named by itself has the last word.
  for (const target of targets) {
    const group = groupOf(target);
    if (group === undefined) {
      put(target, true);
      continue;
    }
    const { set, faults } = fittingPart(target, group);
    for (const [member, own] of memberSets(group, set, findDevice)) {
      put({ ...targetOf(member, own), transitionMs: target.transitionMs });
    }
    const refused = Object.entries(target.set).filter(([key]) => faults.has(key));
    if (refused.length > 0) put({ ...target, set: Object.fromEntries(refused) });
  }
  for (const target of targets) if (groupOf(target) === undefined) put(target, true);
  return [...spread.values()];
}

/** Whether a device, or each member of a group, shows what a target wants. */
export function matchNamed(target: SceneTarget, findDevice: FindDevice): Match {
  const matches = new Set(spreadTargets([target], findDevice).map((one) => matchTarget(one, findDevice(one.deviceId))));
  const order: readonly Match[] = ['differs', 'unknown', 'matched', 'absent'];
  return order.find((match) => matches.has(match)) ?? 'absent';
}
