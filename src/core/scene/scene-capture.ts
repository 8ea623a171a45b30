import type { JsonObject, JsonValue } from '#base/json.ts';
import { stateWish } from '#core/command/state-wish.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import type { Feature } from '#core/feature/feature.ts';
import { findValueErrors, isSettable } from '#core/feature/feature-value.ts';
import type { SceneTarget } from './scene.ts';

export const SKIP_REASONS = ['stale', 'offline', 'none'] as const;

/** A value that was left out, because it cannot be trusted. */
export type Skipped = {
  readonly device: Device;
  readonly key: string;
  readonly reason: (typeof SKIP_REASONS)[number];
};

export type Captured = { readonly targets: readonly SceneTarget[]; readonly skipped: readonly Skipped[] };

/** For so long the hub trusts what it sent, although the device has not reported it. */
const ASSUMED_MS = 5_000;

/**
 * The present states of devices as targets: what people set every day, as far as it is certain. Locks, valves, sirens
 * and alarm systems are never taken: a person adds them by name.
 */
export function captureTargets(
  devices: readonly Device[],
  { keys, nowMs }: { readonly keys: readonly string[] | null; readonly nowMs: number },
): Captured {
  const skipped: Skipped[] = [];
  const targets: SceneTarget[] = [];
  for (const device of devices) {
    const set: Record<string, JsonValue> = {};
    for (const feature of device.features) {
      if (!isCapturable(device, feature) || (keys !== null && !keys.includes(feature.key))) continue;
      const reason = reasonToSkip(device, feature, nowMs);
      if ((reason === 'stale' || reason === 'none') && isSomethingElseShown(device, feature, nowMs)) continue;
      if (reason !== undefined) skipped.push({ device, key: feature.key, reason });
      else if (isPartOfState(device, feature)) set[feature.key] = device.states.get(feature.key)?.value ?? null;
    }
    if (Object.keys(set).length > 0) targets.push(targetOf(device, set));
  }
  return { targets, skipped };
}

/** A target without a transition of its own. */
export function targetOf(device: Device, set: JsonObject): SceneTarget {
  const { id: deviceId, selector } = device;
  return { deviceId, selector, name: deviceName(device), set, transitionMs: null };
}

/** A scene's targets with the present values in place of the old ones; what was skipped or is never taken stays. */
export function recaptureTargets(
  old: readonly SceneTarget[],
  devices: readonly Device[],
  choice: { readonly keys: readonly string[] | null; readonly nowMs: number },
): Captured {
  const { targets, skipped } = captureTargets(devices, choice);
  const captured = new Map(targets.map((target) => [target.deviceId, target]));
  const deviceById = new Map(devices.map((device) => [device.id, device]));
  const isReplaced = ({ deviceId }: SceneTarget, key: string): boolean => {
    const device = deviceById.get(deviceId);
    const feature = device?.features.find((one) => one.key === key);
    if (device === undefined || feature === undefined || !isCapturable(device, feature)) return false;
    if (choice.keys !== null && !choice.keys.includes(key)) return false;
    return !skipped.some((one) => one.device.id === deviceId && one.key === key);
  };
  const renewed = old.flatMap((target) => {
    const kept = Object.entries(target.set).filter(([key]) => !isReplaced(target, key));
    const set = { ...Object.fromEntries(kept), ...captured.get(target.deviceId)?.set };
    return Object.keys(set).length === 0 ? [] : [{ ...target, set }];
  });
  const known = new Set(old.map(({ deviceId }) => deviceId));
  return { targets: [...renewed, ...targets.filter(({ deviceId }) => !known.has(deviceId))], skipped };
}

function isCapturable(device: Device, feature: Feature): boolean {
  const { kind, category, readable, key } = feature;
  return (
    kind === 'state' && category === 'primary' && readable && isSettable(feature) && !isSensitiveRequest(device, [key])
  );
}

function reasonToSkip(
  { availability, states }: Device,
  feature: Feature,
  nowMs: number,
): Skipped['reason'] | undefined {
  if (availability.state === 'offline') return 'offline';
  const state = states.get(feature.key);
  if (state === undefined || state.quality === 'none') return 'none';
  if (findValueErrors(feature, state.value, '').length > 0) return 'none';
  if (state.quality === 'confirmed') return undefined;
  const isFresh = state.quality === 'assumed' && nowMs - (state.changedAtMs ?? -Infinity) <= ASSUMED_MS;
  return isFresh ? undefined : 'stale';
}

/** A lamp that is off has only that in a scene; of its two ways to have a color, it has the one that it shows. */
function isPartOfState(device: Device, { key }: Feature): boolean {
  return shownInPlaceOf(device, key).includes(key);
}

function shownInPlaceOf({ features, states }: Device, key: string): readonly string[] {
  return [...stateWish(features, { key, findState: (one) => states.get(one) }).keys()];
}

/** Whether a feature has no value because the lamp is off for certain, or has its color in the other way. */
function isSomethingElseShown(device: Device, { key }: Feature, nowMs: number): boolean {
  const shown = shownInPlaceOf(device, key);
  return device.features.some(
    (one) => one.key !== key && shown.includes(one.key) && reasonToSkip(device, one, nowMs) === undefined,
  );
}
