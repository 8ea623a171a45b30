import { type FieldError, fieldError } from '#base/hub-error.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { findValueErrors, isSettable } from '#core/feature/feature-value.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import type { DeviceCommand } from './command-way.ts';
import { faultWords } from '#words/faults.ts';

/** A caller asks this of one device, in their own words. */
export type CommandRequest = {
  readonly set?: JsonObject | undefined;
  readonly do?: string | undefined;
  /** Absent or `null` where it is the command's. */
  readonly transitionMs?: number | null | undefined;
  /** JSON pointer of the request in what the caller sent, for its faults; absent where it is all of that. */
  readonly pointer?: string | undefined;
};

type RequestReading =
  | { readonly request: Pick<DeviceCommand, 'set' | 'action'> }
  | { readonly errors: readonly FieldError[] };

/** Checks a request against the device's features. Returns every fault. */
export function readRequest(device: Pick<Device, 'features' | 'states'>, request: CommandRequest): RequestReading {
  const fault = findFormFault(request);
  if (fault !== undefined) return { errors: [fault] };
  if (request.do !== undefined) return readAction(device, request.do);
  const entries = Object.entries(request.set ?? {});
  const errors = entries.flatMap(([key, value]) => findEntryErrors(findFeature(device, key), key, value));
  return errors.length > 0 ? { errors } : { request: { set: new Map(entries), action: null } };
}

/** The faults of a command that was read before: the device may have lost features while it waited. */
export function findRequestErrors(
  device: Pick<Device, 'features' | 'states'>,
  { set, action }: Pick<DeviceCommand, 'set' | 'action'>,
): readonly FieldError[] {
  const reading = readRequest(device, action === null ? { set: Object.fromEntries(set) } : { do: action });
  if ('errors' in reading) return reading.errors;
  // A switch takes `toggle` too, but as another request.
  return reading.request.action === action ? [] : [noSuchAction(device)];
}

/** A fault that the request has for every device. */
export function findFormFault(request: CommandRequest): FieldError | undefined {
  if (request.set !== undefined && request.do !== undefined) {
    return fieldError('/do', 'INVALID_VALUE', ...faultWords('not_beside', { other: 'set' }));
  }
  if (request.do !== undefined) return undefined;
  if (request.set === undefined) return fieldError('/set', 'REQUIRED', ...faultWords('set_or_do'));
  if (Object.keys(request.set).length > 0) return undefined;
  return fieldError('/set', 'TOO_SHORT', ...faultWords('no_feature_named'));
}

/** Whether a device has every feature of a request. Does not check the values. */
export function canFulfil(device: Pick<Device, 'features' | 'states'>, request: CommandRequest): boolean {
  if (request.do !== undefined) return 'request' in readAction(device, request.do);
  return Object.keys(request.set ?? {}).every((key) => {
    const feature = findFeature(device, key);
    return feature !== undefined && isSettable(feature);
  });
}

/** Every feature key that a request may mean, even if the device does not have it. */
export function requestedKeys(request: CommandRequest): readonly string[] {
  const switchKey = request.do === undefined ? undefined : switchKeyOf(request.do);
  return [
    ...Object.keys(request.set ?? {}),
    ...(request.do === undefined ? [] : [request.do]),
    ...(switchKey === undefined ? [] : [switchKey]),
  ];
}

function findEntryErrors(feature: Feature | undefined, key: string, value: JsonValue): readonly FieldError[] {
  const pointer = `/set${pointerStep(key)}`;
  if (feature === undefined) return [fieldError(pointer, 'UNKNOWN', ...faultWords('unknown_feature'))];
  if (feature.kind === 'action' && feature.valueType === 'none') {
    return [fieldError(pointer, 'WRONG_TYPE', ...faultWords('takes_no_value', { key }))];
  }
  if (!isSettable(feature)) return [fieldError(pointer, 'READ_ONLY', ...faultWords('not_writable'))];
  return findValueErrors(feature, value, pointer);
}

function readAction(device: Pick<Device, 'features' | 'states'>, key: string): RequestReading {
  const feature = findFeature(device, key);
  if (feature === undefined) return readToggle(device, key);
  if (feature.kind !== 'action')
    return { errors: [fieldError('/do', 'INVALID_VALUE', ...faultWords('not_an_action'))] };
  if (!feature.writable) return { errors: [fieldError('/do', 'READ_ONLY', ...faultWords('not_startable'))] };
  if (feature.valueType !== 'none')
    return { errors: [fieldError('/do', 'WRONG_TYPE', ...faultWords('needs_value', { key }))] };
  return { request: { set: new Map(), action: key } };
}

/** Every switch takes `toggle`: `left.toggle` inverts `left.on`. If its state is unknown, it is switched on. */
function readToggle(device: Pick<Device, 'features' | 'states'>, key: string): RequestReading {
  const switchKey = switchKeyOf(key);
  const feature = switchKey === undefined ? undefined : findFeature(device, switchKey);
  if (switchKey === undefined || feature?.valueType !== 'boolean') {
    return { errors: [noSuchAction(device)] };
  }
  if (!isSettable(feature)) return { errors: [fieldError('/do', 'READ_ONLY', ...faultWords('not_switchable'))] };
  return { request: { set: new Map([[switchKey, device.states.get(switchKey)?.value !== true]]), action: null } };
}

/** A device may have a thousand features. */
const MAX_NAMED = 20;

function noSuchAction(device: Pick<Device, 'features'>): FieldError {
  const actions = actionsOf(device);
  const named = actions.slice(0, MAX_NAMED).join(', ') + (actions.length > MAX_NAMED ? ', …' : '');
  return fieldError('/do', 'UNKNOWN', ...faultWords('unknown_action', { actions: named === '' ? 'none' : named }));
}

/** Lists what `do` may ask of the device: its actions that take no value, and a toggle for each of its switches. */
export function actionsOf({ features }: Pick<Device, 'features'>): readonly string[] {
  const actions = features.flatMap((feature) => {
    if (feature.kind === 'action') return feature.writable && feature.valueType === 'none' ? [feature.key] : [];
    const isSwitch = feature.valueType === 'boolean' && /^(?:.+\.)?on$/.test(feature.key) && isSettable(feature);
    return isSwitch ? [feature.key.replace(/on$/, 'toggle')] : [];
  });
  return [...new Set(actions)];
}

function switchKeyOf(action: string): string | undefined {
  return /^(.+\.)?toggle$/.test(action) ? action.replace(/toggle$/, 'on') : undefined;
}

function findFeature(device: Pick<Device, 'features'>, key: string): Feature | undefined {
  return device.features.find((feature) => feature.key === key);
}
