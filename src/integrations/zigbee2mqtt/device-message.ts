import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '#base/json.ts';

/** Limits for all messages but `bridge/devices` and `bridge/info`. Zigbee2MQTT sends nothing larger or deeper. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_MESSAGE_DEPTH = 8;
/** Depth limit of a message that contains a definition (14 seen). */
export const MAX_DEFINITION_DEPTH = 24;

/** `bridge/info` has the settings of each device, and their schema. */
const MAX_INFO_BYTES = 192 * 1024;

export type JsonLimits = { readonly maxDepth?: number; readonly maxBytes?: number };
export const EVENT_LIMITS: JsonLimits = { maxDepth: MAX_DEFINITION_DEPTH };
export const INFO_LIMITS: JsonLimits = { maxDepth: MAX_DEFINITION_DEPTH, maxBytes: MAX_INFO_BYTES };

/** The JSON in a message, or for the log why it is refused. */
type ReadJson = { readonly json: JsonValue } | { readonly refusal: string };

export function readJson(
  payload: Buffer,
  { maxDepth = MAX_MESSAGE_DEPTH, maxBytes = MAX_MESSAGE_BYTES }: JsonLimits = {},
): ReadJson {
  if (payload.length > maxBytes) return { refusal: `${payload.length} bytes are too many` };
  const json = parseJson(payload.toString());
  if (json === undefined) return { refusal: 'not JSON' };
  return isDeeper(json, maxDepth) ? { refusal: `nests deeper than ${maxDepth}` } : { json };
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item: JsonValue) => isDeeper(item, levels - 1));
}

type ReadState = { readonly state: JsonObject } | { readonly refusal: string };

/** A device's state: one object of properties. */
export function readState(payload: Buffer): ReadState {
  const read = readJson(payload);
  if ('refusal' in read) return read;
  return isJsonObject(read.json) ? { state: read.json } : { refusal: 'not an object' };
}

/** `online` or `offline`, as plain text (old versions) or as `{"state": …}`. Both for devices and for the bridge. */
export function readOnline(payload: Buffer): boolean | undefined {
  const text = payload.length <= MAX_MESSAGE_BYTES ? payload.toString() : '';
  const read = text.startsWith('{') ? readJson(payload) : { json: { state: text } };
  const state = 'json' in read && isJsonObject(read.json) ? read.json['state'] : undefined;
  return state === 'online' ? true : state === 'offline' ? false : undefined;
}
