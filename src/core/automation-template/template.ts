import type { JsonObject, JsonValue } from '#base/json.ts';
import type { DeviceType } from '#core/device/device.ts';
import { KEYED_CHECKS } from '#core/records/keyed-records.ts';
import {
  type Check,
  either,
  isObject,
  isText,
  isWhole,
  listOf,
  oneOf,
  recordOf,
  valuesOf,
} from '#core/records/record-check.ts';

/** An automation with holes: people fill in their devices and numbers. `definition` has nodes that `fill.ts` replaces. */
export type Template = {
  readonly id: string;
  /** Rises with each change; automations made of an older one can be brought up to date. */
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, TemplateInput>>;
  readonly definition: JsonObject;
};

/** A hole takes a value of this kind. Without a `default` and not `optional`, it has to be filled. */
export type TemplateInput = { readonly label: string; readonly hint?: string } & InputRules;
export type InputRules = { readonly optional?: true; readonly default?: JsonValue } & InputKind;

type InputKind =
  /** The id or selector of a device that has this capability as its main one. `many`: a list of them. */
  | {
      readonly kind: 'device';
      readonly capability: string;
      readonly writable?: true;
      readonly type?: DeviceType;
      /** Only lights are offered; another device, such as a plug with a lamp behind it, is taken all the same. */
      readonly light?: true;
      readonly many?: true;
    }
  /** `{device, key}` of a feature with one of these capabilities. `many`: a list of them. */
  | { readonly kind: 'feature'; readonly capabilities: readonly string[]; readonly many?: true }
  | { readonly kind: 'room' | 'scene' | 'text' | 'time' | 'days' | 'boolean' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly unit?: string }
  | { readonly kind: 'choice'; readonly options: readonly string[] };

export const INPUT_KINDS = [
  'device',
  'feature',
  'room',
  'scene',
  'text',
  'time',
  'days',
  'boolean',
  'number',
  'choice',
] as const satisfies readonly InputKind['kind'][];

export type InputValues = Readonly<Record<string, JsonValue>>;

export const TEMPLATE_LIMITS = {
  imported: 100,
  /** All imported templates together, as JSON: they stay in memory. */
  importedBytes: 1024 * 1024,
  inputs: 30,
  description: 2000,
  /** Devices in one hole. */
  many: 50,
  /** The definition as JSON, before it is filled. */
  bytes: 64 * 1024,
  /** Nodes of a definition while it is filled: a hole of many devices may stand in another. */
  nodes: 20_000,
};

const PLAIN_KINDS = ['room', 'scene', 'text', 'time', 'days', 'boolean', 'number'];
const isAny: Check = () => true;
const isInput = either(
  recordOf({ label: isText, kind: oneOf(['device']), capability: isText }),
  recordOf({ label: isText, kind: oneOf(['feature']), capabilities: listOf(isAny) }),
  recordOf({ label: isText, kind: oneOf(['choice']), options: listOf(isAny) }),
  recordOf({ label: isText, kind: oneOf(PLAIN_KINDS) }),
);
/** Whether a value of any origin can be a template that was stored. */
export const isTemplateRecord = recordOf({
  ...KEYED_CHECKS,
  description: isText,
  version: isWhole,
  definition: isObject,
  inputs: valuesOf(isInput),
});
