import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import {
  bytesOf,
  type Draft,
  type Message,
  putBytes,
  putFixed,
  putFlag,
  putFloat,
  putText,
  putZigzag,
} from '#integrations/esphome/wire/protobuf.ts';
import { textOf } from './entity.ts';
import { slugOf } from './slug.ts';

/** An action that the owner wrote for the node. */
export type Service = {
  /** Unique among the actions of a node. */
  readonly key: number;
  readonly feature: Feature;
  readonly bodyFor: (value: JsonValue) => Uint8Array;
};

export const LIST_SERVICE = 41;
export const EXECUTE_SERVICE = 42;
const MAX_ARGUMENTS = 32;
const MAX_ITEMS = 256;
const MAX_TEXT = 1_024;

type Argument = { readonly name: string; readonly type: number };
type ArgumentType = { readonly schema: JsonObject; readonly put: (draft: Draft, value: JsonValue) => void };

const FLAG: ArgumentType = { schema: { type: 'boolean' }, put: (draft, value) => putFlag(draft, 1, value === true) };
const WHOLE = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
/** In the order of the API (`api.proto` of aioesphomeapi 45.13), of which lists of each follow. */
const TYPES: readonly ArgumentType[] = [
  FLAG,
  { schema: WHOLE, put: (draft, value) => putZigzag(draft, 5, Number(value)) },
  { schema: { type: 'number' }, put: (draft, value) => putFloat(draft, 3, Number(value)) },
  { schema: { type: 'string', maxLength: MAX_TEXT }, put: (draft, value) => putText(draft, 4, textOf(value)) },
];
/** Items one by one: nodes read no packed lists. */
const ITEMS: readonly ArgumentType[] = [
  { ...FLAG, put: (draft, value) => putFlag(draft, 6, value === true) },
  { schema: WHOLE, put: (draft, value) => putZigzag(draft, 7, Number(value)) },
  { schema: { type: 'number' }, put: (draft, value) => putFloat(draft, 8, Number(value)) },
  { schema: { type: 'string', maxLength: MAX_TEXT }, put: (draft, value) => putText(draft, 9, textOf(value)) },
];

/** `undefined` for one with an argument of a type that nobody knows. */
export function readService(listed: Message): Service | undefined {
  const key = listed.number(2);
  const name = slugOf(listed.text(1), `action_${key.toString(16)}`);
  const args = listed
    .messages(3, MAX_ARGUMENTS)
    .map((one) => ({ name: one.text(1).slice(0, 64), type: one.number(2) }));
  if (args.some(({ type }) => type >= TYPES.length + ITEMS.length)) return undefined;
  const feature: Feature = {
    ...ownFeature(name, 'main', {
      valueType: args.length === 0 ? 'none' : 'object',
      writable: true,
      readable: false,
      category: 'primary',
      schema: args.length === 0 ? null : schemaOf(args),
    }),
    kind: 'action',
  };
  return {
    key,
    feature,
    bodyFor: (value) => {
      const given = isJsonObject(value) ? value : {};
      const draft: Draft = new Map();
      putFixed(draft, 1, key);
      if (args.length > 0) putBytes(draft, 2, ...args.map((one) => argumentBytes(one, given[one.name] ?? null)));
      return bytesOf(draft);
    },
  };
}

function schemaOf(args: readonly Argument[]): JsonObject {
  const properties = args.map(({ name, type }) => {
    const item = ITEMS[type - TYPES.length];
    const schema =
      item === undefined ? TYPES[type]?.schema : { type: 'array', items: item.schema, maxItems: MAX_ITEMS };
    return [name, schema ?? {}] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: args.map(({ name }) => name),
    additionalProperties: false,
  };
}

function argumentBytes({ type }: Argument, value: JsonValue): Uint8Array {
  const item = ITEMS[type - TYPES.length];
  const one = (kind: ArgumentType | undefined, part: JsonValue): Uint8Array => {
    const draft: Draft = new Map();
    kind?.put(draft, part);
    return bytesOf(draft);
  };
  if (item === undefined) return one(TYPES[type], value);
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [];
  return Buffer.concat(list.map((part) => one(item, part)));
}
