import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { DeviceType } from '#core/device/device.ts';

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

/** What a hole takes. Without a `default` and not `optional`, it has to be filled. */
export type TemplateInput = { readonly label: string; readonly hint?: string } & InputRules;
export type InputRules = { readonly optional?: true; readonly default?: JsonValue } & InputKind;

type InputKind =
  /** The id or selector of a device that has this capability as its main one. `many`: a list of them. */
  | {
      readonly kind: 'device';
      readonly capability: string;
      readonly writable?: true;
      readonly type?: DeviceType;
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
  /** Of all that were imported, as JSON: they stay in memory. */
  importedBytes: 1024 * 1024,
  inputs: 30,
  /** Characters. */
  description: 2000,
  /** Devices in one hole. */
  many: 50,
  /** Of the definition before it is filled. */
  bytes: 64 * 1024,
  /** Of nodes while it is filled: a hole of many devices may stand in another. */
  nodes: 20_000,
};

/** Whether a value of any origin can be a template that was stored. */
export function isTemplateRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { name, description, version, inputs, definition, changedAtMs, revision } = record;
  return (
    typeof name === 'string' &&
    typeof description === 'string' &&
    Number.isSafeInteger(version) &&
    Number.isSafeInteger(revision) &&
    typeof changedAtMs === 'number' &&
    isJsonObject(definition) &&
    isJsonObject(inputs) &&
    Object.values(inputs).every((input) => isJsonObject(input) && typeof input['label'] === 'string' && isKnown(input))
  );
}

function isKnown({ kind, capability, capabilities, options }: JsonObject): boolean {
  if (kind === 'device') return typeof capability === 'string';
  if (kind === 'feature') return Array.isArray(capabilities);
  if (kind === 'choice') return Array.isArray(options);
  return PLAIN_KINDS.has(kind);
}
const PLAIN_KINDS: ReadonlySet<JsonValue | undefined> = new Set([
  'room',
  'scene',
  'text',
  'time',
  'days',
  'boolean',
  'number',
]);
