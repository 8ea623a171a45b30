import type { Feature } from '#web/client/api.ts';
import type { ReferenceKind } from '#web/client/rule-forms.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** The capability of a look that stands for a length of time in seconds. */
export const LENGTH = 'x.seconds';

/** A look says which words a value has, and which control sets it. */
export type Look = Pick<
  Feature,
  'key' | 'name' | 'capability' | 'kind' | 'value_type' | 'unit' | 'min' | 'max' | 'step' | 'options' | 'writable'
> & {
  readonly category?: Feature['category'];
  /** As people wrote the options. */
  readonly names?: Readonly<Record<string, string>>;
};

/** A length of time is no feature: its look is this. */
export const SECONDS: Look = {
  key: '',
  name: '',
  capability: LENGTH,
  kind: 'state',
  value_type: 'number',
  unit: 's',
  min: null,
  max: null,
  step: null,
  options: null,
  writable: true,
};
/** The same about a height of the sun. */
export const DEGREES: Look = { ...SECONDS, capability: 'x.degrees', unit: '°' };

/** The names of the home, for sentences. References are ids or selectors. */
export type Names = {
  readonly nameOf: (to: ReferenceKind, reference: string) => string | undefined;
  readonly feature: (device: string, key: string) => Look | undefined;
  /** What a capability is, by any feature of the home that has it. */
  readonly capability: (capability: string) => Look | undefined;
  readonly mode: (key: string) => Look | undefined;
  readonly variable: (name: string) => Look | undefined;
};

/** The id or selector of a reference, which answers show as an object. */
export function referenceOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return '';
  const { selector, id } = value;
  return typeof selector === 'string' ? selector : typeof id === 'string' ? id : '';
}

/** The device or group that a part is about; of a command the first of its devices. */
export function deviceOf(node: JsonObject): string {
  const targets = isObject(node['targets']) ? node['targets'] : node;
  const devices = Array.isArray(targets['devices']) ? (targets['devices'] as readonly Json[]) : [];
  return referenceOf(node['device']) || referenceOf(targets['group']) || referenceOf(devices[0]);
}

/** Lists the devices of a command that it names one by one. */
export function devicesOf(node: JsonObject): readonly string[] {
  const targets = isObject(node['targets']) ? node['targets'] : {};
  return (Array.isArray(targets['devices']) ? (targets['devices'] as readonly Json[]) : []).map(referenceOf);
}

/** Finds what the values of a part are about. */
export function lookOf(names: Names, node: JsonObject): Look | undefined {
  const { key, mode, variable, any_of: selection } = node;
  if (typeof key === 'string') return names.feature(deviceOf(node), key) ?? capabilityLook(names, selection);
  if (mode !== undefined) return names.mode(referenceOf(mode));
  if (variable !== undefined) return names.variable(referenceOf(variable));
  return capabilityLook(names, selection);
}

function capabilityLook(names: Names, selection: Json | undefined): Look | undefined {
  const capability = isObject(selection) ? selection['capability'] : undefined;
  return typeof capability === 'string' ? names.capability(capability) : undefined;
}

/** Finds what a value of a command is about: a feature of its devices. */
export function settingLook(names: Names, node: JsonObject, key: string): Look | undefined {
  const targets = isObject(node['targets']) ? node['targets'] : {};
  return names.feature(deviceOf(node), key) ?? capabilityLook(names, targets['any_of']) ?? names.capability(key);
}
