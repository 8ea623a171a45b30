import { type FieldError, fieldError } from '#base/hub-error.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { findValueErrors, isSettable } from '#core/feature/feature-value.ts';
import { pointerStep } from '#core/feature/value-schema.ts';

/** What someone wants of a device, as they said it. */
export type Wish = { readonly set?: JsonObject | undefined; readonly do?: string | undefined };

/** A wish that the device can be asked to fulfil: exactly one of the two is there. */
export type CheckedWish = {
  /** Values by feature key; empty where an action is wanted. */
  readonly set: ReadonlyMap<string, JsonValue>;
  /** Key of the wanted action feature. */
  readonly action: string | null;
};

export type WishReading = { readonly wish: CheckedWish } | { readonly errors: readonly FieldError[] };

/** Checks a wish against what the device can do: all of it is good, or every fault is named. */
export function readWish(device: Pick<Device, 'features' | 'states'>, wish: Wish): WishReading {
  const fault = findFormFault(wish);
  if (fault !== undefined) return { errors: [fault] };
  if (wish.do !== undefined) return readAction(device, wish.do);
  const entries = Object.entries(wish.set ?? {});
  const errors = entries.flatMap(([key, value]) => findEntryErrors(findFeature(device, key), key, value));
  return errors.length > 0 ? { errors } : { wish: { set: new Map(entries), action: null } };
}

/** What is wrong with a wish whatever device it is for. */
export function findFormFault(wish: Wish): FieldError | undefined {
  if (wish.set !== undefined && wish.do !== undefined) {
    return fieldError('/do', 'INVALID_VALUE', 'cannot stand beside set');
  }
  if (wish.do !== undefined) return undefined;
  if (wish.set === undefined) return fieldError('/set', 'REQUIRED', 'set or do is needed');
  if (Object.keys(wish.set).length > 0) return undefined;
  return fieldError('/set', 'TOO_SHORT', 'must name at least one feature');
}

/** Whether a device has all that a wish is about, be the wanted values within its bounds or not. */
export function hasWished(device: Pick<Device, 'features' | 'states'>, wish: Wish): boolean {
  if (wish.do !== undefined) return 'wish' in readAction(device, wish.do);
  return Object.keys(wish.set ?? {}).every((key) => {
    const feature = findFeature(device, key);
    return feature !== undefined && isSettable(feature);
  });
}

/** Every key of a feature that a wish may be about, whatever the device has. */
export function wishedKeys(wish: Wish): readonly string[] {
  const switchKey = wish.do === undefined ? undefined : switchKeyOf(wish.do);
  return [
    ...Object.keys(wish.set ?? {}),
    ...(wish.do === undefined ? [] : [wish.do]),
    ...(switchKey === undefined ? [] : [switchKey]),
  ];
}

function findEntryErrors(feature: Feature | undefined, key: string, value: JsonValue): readonly FieldError[] {
  const pointer = `/set${pointerStep(key)}`;
  if (feature === undefined) return [fieldError(pointer, 'UNKNOWN', 'is not a feature of this device')];
  if (feature.kind === 'action' && feature.valueType === 'none') {
    return [fieldError(pointer, 'WRONG_TYPE', `takes no value: use {"do": "${key}"}`)];
  }
  if (!isSettable(feature)) return [fieldError(pointer, 'READ_ONLY', 'cannot be set')];
  return findValueErrors(feature, value, pointer);
}

function readAction(device: Pick<Device, 'features' | 'states'>, key: string): WishReading {
  const feature = findFeature(device, key);
  if (feature === undefined) return readToggle(device, key);
  if (feature.kind !== 'action') return { errors: [fieldError('/do', 'INVALID_VALUE', 'is not an action: use set')] };
  if (!feature.writable) return { errors: [fieldError('/do', 'READ_ONLY', 'cannot be started from here')] };
  if (feature.valueType !== 'none')
    return { errors: [fieldError('/do', 'WRONG_TYPE', `needs a value: use {"set": {"${key}": …}}`)] };
  return { wish: { set: new Map(), action: key } };
}

/** `toggle` is a word for every switch: `left.toggle` turns `left.on` over. One whose state is not known is switched on. */
function readToggle(device: Pick<Device, 'features' | 'states'>, key: string): WishReading {
  const switchKey = switchKeyOf(key);
  const feature = switchKey === undefined ? undefined : findFeature(device, switchKey);
  if (switchKey === undefined || feature?.valueType !== 'boolean') {
    return { errors: [fieldError('/do', 'UNKNOWN', 'is not an action of this device')] };
  }
  if (!isSettable(feature)) return { errors: [fieldError('/do', 'READ_ONLY', 'cannot be switched from here')] };
  return { wish: { set: new Map([[switchKey, device.states.get(switchKey)?.value !== true]]), action: null } };
}

function switchKeyOf(action: string): string | undefined {
  return /^(.+\.)?toggle$/.test(action) ? action.replace(/toggle$/, 'on') : undefined;
}

function findFeature(device: Pick<Device, 'features'>, key: string): Feature | undefined {
  return device.features.find((feature) => feature.key === key);
}
