import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import { DAYS } from '#core/automation/document/condition.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isSettable } from '#core/feature/feature-value.ts';
import { isGroup } from '#core/device/group.ts';
import { isLight } from '#core/device/light.ts';
import { type InputValues, type Template, TEMPLATE_LIMITS, type TemplateInput } from './template.ts';
import { type FaultWords, faultWords, notOneOf } from '#words/faults.ts';

/** Holes are filled with parts of the home, by id or selector. */
export type InputHome = {
  readonly devices: () => readonly Device[];
  readonly findDevice: (idOrSelector: string) => Device | undefined;
  readonly findRoom: (idOrSelector: string) => { readonly id: string } | undefined;
  readonly findScene: (idOrSelector: string) => { readonly id: string } | undefined;
};

/** A device that fits into a hole, with the keys of its features that fit. */
type FittingDevice = { readonly device: Device; readonly keys: readonly string[] };

/** The devices of the home that fit into a hole; none for holes of other kinds. Groups show what their members show. */
export function fittingDevices(input: TemplateInput, devices: readonly Device[]): readonly FittingDevice[] {
  return devices.flatMap((device) => {
    const keys = isOffered(input, device) ? fittingKeys(input, device) : [];
    return keys.length === 0 ? [] : [{ device, keys }];
  });
}

/** A device of a type that says nothing may be a lamp. */
function isOffered(input: TemplateInput, device: Device): boolean {
  return input.kind !== 'device' || input.light !== true || isLight(device) || device.type === 'other';
}

function fittingKeys(input: TemplateInput, device: Device): readonly string[] {
  if (input.kind === 'feature') {
    if (isGroup(device)) return [];
    const isFitting = ({ capability, kind }: Feature): boolean =>
      input.capabilities.includes(capability) && kind !== 'action';
    return device.features.filter(isFitting).map(({ key }) => key);
  }
  if (input.kind !== 'device' || (input.type !== undefined && input.type !== device.type)) return [];
  const feature = device.features.find(({ key }) => key === input.capability);
  return feature !== undefined && (input.writable !== true || isSettable(feature)) ? [feature.key] : [];
}

type InputReading =
  /** With what is usual for holes that were left empty, and ids in the place of selectors. */
  | { readonly values: InputValues; readonly errors: readonly [] }
  | { readonly values: undefined; readonly errors: readonly FieldError[] };

/** The values for all holes of a template, or what is wrong with them, at `/inputs/<name>`. */
export function readInputs(template: Template, inputs: InputValues, home: InputHome): InputReading {
  const errors: FieldError[] = [];
  const values: Record<string, JsonValue> = {};
  for (const name of Object.keys(inputs)) {
    if (!Object.hasOwn(template.inputs, name))
      errors.push(fieldError(`/inputs/${name}`, 'UNKNOWN', ...faultWords('unknown_input')));
  }
  for (const [name, input] of Object.entries(template.inputs)) {
    const value = inputs[name] ?? input.default;
    const pointer = `/inputs/${name}`;
    if (value === undefined || value === null) {
      if (input.optional !== true) errors.push(fieldError(pointer, 'REQUIRED', ...faultWords('required')));
      continue;
    }
    const read = readInput({ input, home, errors }, value, pointer);
    if (read !== undefined) values[name] = read;
  }
  return errors.length > 0 ? { values: undefined, errors } : { values, errors: [] };
}

type Reading = { readonly input: TemplateInput; readonly home: InputHome; readonly errors: FieldError[] };

function readInput(reading: Reading, value: JsonValue, pointer: string): JsonValue | undefined {
  const { input, errors } = reading;
  const refuse = (...words: FaultWords): undefined => {
    errors.push(fieldError(pointer, 'INVALID_VALUE', ...words));
    return undefined;
  };
  switch (input.kind) {
    case 'device':
    case 'feature': {
      if (input.many !== true) return readPlace(reading, value, pointer);
      if (!Array.isArray(value) || value.length > TEMPLATE_LIMITS.many)
        return refuse(...faultWords('list_of_most', { most: TEMPLATE_LIMITS.many }));
      if (value.length === 0 && input.optional !== true) return refuse(...faultWords('none_chosen'));
      const places = value.flatMap(
        (one: JsonValue, index) => readPlace(reading, one, `${pointer}/${index}`) ?? [],
      ) as readonly JsonValue[];
      return new Set(places.map((one) => JSON.stringify(one))).size === places.length
        ? places
        : refuse(...faultWords('one_twice'));
    }
    case 'room':
    case 'scene': {
      const find = input.kind === 'room' ? reading.home.findRoom : reading.home.findScene;
      const found = typeof value === 'string' ? find(value) : undefined;
      return found?.id ?? refuse(...faultWords(input.kind === 'room' ? 'no_room' : 'no_scene'));
    }
    default: {
      const fault = valueFault(input, value);
      return fault === undefined ? value : refuse(...fault);
    }
  }
}

/**
 * Says why the value does not fit its input; `undefined` if it fits, and for inputs that name something of the home.
 */
export function valueFault(input: TemplateInput, value: JsonValue): FaultWords | undefined {
  switch (input.kind) {
    case 'number':
      if (typeof value === 'number' && value >= input.min && value <= input.max) return undefined;
      return faultWords('number_range', { least: input.min, most: input.max });
    case 'boolean':
      return typeof value === 'boolean' ? undefined : faultWords('true_or_false');
    case 'choice':
      if (typeof value === 'string' && input.options.includes(value)) return undefined;
      return notOneOf(input.options);
    case 'time':
      return typeof value === 'string' && CLOCK.test(value) ? undefined : faultWords('short_time');
    case 'days':
      if (Array.isArray(value) && value.length > 0 && value.every((one) => DAYS.some((day) => day === one)))
        return undefined;
      return faultWords('list_of', { values: DAYS.join(', ') });
    default:
      return typeof value === 'string' && value.length <= MAX_TEXT ? undefined : faultWords('text');
  }
}

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const MAX_TEXT = 200;

function readPlace({ input, home, errors }: Reading, value: JsonValue, pointer: string): JsonValue | undefined {
  const refuse = (...words: FaultWords): undefined => {
    errors.push(fieldError(pointer, 'INVALID_VALUE', ...words));
    return undefined;
  };
  const isPair = isJsonObject(value) && Object.keys(value).every((name) => name === 'device' || name === 'key');
  const name = input.kind === 'feature' && isPair ? value['device'] : value;
  const device = typeof name === 'string' ? home.findDevice(name) : undefined;
  if (device === undefined) return refuse(...faultWords('not_a_device'));
  const keys = fittingKeys(input, device);
  if (keys.length === 0) return refuse(...faultWords('device_unfit'));
  if (input.kind !== 'feature') return device.id;
  const key = isPair ? (value['key'] ?? keys[0]) : keys[0];
  if (typeof key !== 'string' || !keys.includes(key)) return refuse(...faultWords('feature_unfit'));
  return { device: device.id, key };
}
