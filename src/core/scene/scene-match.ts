import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import { readRequest } from '#core/command/command-request.ts';
import { type Device, isReachable } from '#core/device/device.ts';
import { chromaticityFromHue } from '#core/feature/chromaticity.ts';
import { type Feature, type FeatureState, UNREPORTED } from '#core/feature/feature.ts';
import type { ActivityState, Difference, FindDevice, Match, SceneTarget } from './scene.ts';

/** How far a reported number may be from the wanted one. Devices round, and people see no difference. */
const TOLERANCES: Readonly<Record<string, number>> = {
  brightness: 2,
  position: 3,
  color_temperature: 60,
  target_temperature: 0.2,
  target_temperature_cool: 0.2,
  away_target_temperature: 0.2,
};
const COLOR = { xy: 0.02, hue: 3, saturation: 4 };
/** 0.32 − 0.3 is slightly more than 0.02. */
const FLOAT_ERROR = 1e-9;

/** Whether a value is what a scene wants of this feature, within what devices round. */
function isWanted(feature: Feature, wanted: JsonValue, value: JsonValue): boolean {
  const tolerance = TOLERANCES[feature.capability];
  if (tolerance !== undefined && typeof wanted === 'number' && typeof value === 'number') {
    return Math.abs(wanted - value) <= tolerance + FLOAT_ERROR;
  }
  if (feature.valueType === 'color' && isJsonObject(wanted) && isJsonObject(value)) return isNear(wanted, value);
  return isConfirmedBy(feature, wanted, value);
}

/** Whether the device shows a target, by evidence: what the hub only sent, or what is old, is none. */
export function matchTarget(target: SceneTarget, device: Device | undefined): Match {
  const { isKnown, wanted } = lookAt(target, device);
  if (wanted.length === 0) return 'absent';
  if (!isKnown) return 'unknown';
  const matches = new Set(wanted.map(matchOf));
  if (matches.has('differs')) return 'differs';
  return matches.has('unknown') ? 'unknown' : 'matched';
}

/** The wanted values that the device does not show for certain. */
export function differencesOf(target: SceneTarget, device: Device | undefined): readonly Difference[] {
  const { isKnown, wanted } = lookAt(target, device);
  if (device === undefined) return [];
  return wanted
    .filter((one) => !isKnown || matchOf(one) !== 'matched')
    .map(({ feature, value, state }) => ({
      deviceId: device.id,
      selector: device.selector,
      key: feature.key,
      wanted: value,
      value: state.value,
      quality: state.quality,
    }));
}

/** The values of a target that the device can take now, and why it cannot take the others. */
export function fittingPart(
  { set }: SceneTarget,
  device: Device,
): { readonly set: JsonObject; readonly faults: ReadonlyMap<string, string> } {
  const fitting: Record<string, JsonValue> = {};
  const faults = new Map<string, string>();
  for (const [key, value] of Object.entries(set)) {
    const reading = readRequest(device, { set: { [key]: value } });
    if ('request' in reading) fitting[key] = value;
    else faults.set(key, reading.errors.map(({ message }) => message).join('; '));
  }
  return { set: fitting, faults };
}

/** Whether each device of the scene exists and can still take all of its values. */
export function targetState(target: SceneTarget, findDevice: FindDevice): 'ok' | 'missing' | 'cannot' {
  const device = findDevice(target.deviceId);
  if (device === undefined) return 'missing';
  return fittingPart(target, device).faults.size === 0 ? 'ok' : 'cannot';
}

export function activityState({ matched, differs, unknown }: Record<Exclude<Match, 'absent'>, number>): ActivityState {
  if (differs > 0) return matched > 0 ? 'partly' : 'inactive';
  return unknown > 0 || matched === 0 ? 'unknown' : 'active';
}

type WantedValue = { readonly feature: Feature; readonly value: JsonValue; readonly state: FeatureState };

function lookAt({ set }: SceneTarget, device: Device | undefined) {
  const wanted: WantedValue[] = [];
  for (const feature of device?.features ?? []) {
    const value = set[feature.key];
    // A feature that cannot be read never shows what it is.
    if (value === undefined || feature.kind !== 'state' || !feature.readable) continue;
    wanted.push({ feature, value, state: device?.states.get(feature.key) ?? UNREPORTED });
  }
  return { wanted, isKnown: device !== undefined && isReachable(device.availability) };
}

function matchOf({ feature, value, state }: WantedValue): Match {
  if (state.quality === 'confirmed') return isWanted(feature, value, state.value) ? 'matched' : 'differs';
  return state.quality === 'assumed' ? 'differs' : 'unknown';
}

function isNear(wanted: JsonObject, value: JsonObject): boolean {
  const [left, right] = [hueOf(wanted), hueOf(value)];
  if (left !== undefined && right !== undefined) {
    if (Math.abs(left.saturation - right.saturation) > COLOR.saturation + FLOAT_ERROR) return false;
    const apart = Math.abs(left.hue - right.hue) % 360;
    // White has no hue.
    return Math.min(apart, 360 - apart) <= COLOR.hue + FLOAT_ERROR || left.saturation <= COLOR.saturation;
  }
  const [from, to] = [pointOf(wanted), pointOf(value)];
  if (from === undefined || to === undefined) return false;
  return Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) <= COLOR.xy + FLOAT_ERROR;
}

function hueOf({ hue, saturation }: JsonObject) {
  return typeof hue === 'number' && typeof saturation === 'number' ? { hue, saturation } : undefined;
}

function pointOf(color: JsonObject) {
  const { x, y } = color;
  if (typeof x === 'number' && typeof y === 'number') return { x, y };
  const hue = hueOf(color);
  return hue === undefined ? undefined : chromaticityFromHue(hue);
}
