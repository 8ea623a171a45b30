import { isJsonObject, type JsonObject, type JsonValue, listOf, objectOf, parseJson } from '#base/json.ts';
import { readName } from '#core/integration/read-name.ts';

/** A resource of the bridge. Only `id` and `type` were checked. */
export type Resource = JsonObject & { readonly id: string; readonly type: string };
export type Ref = { readonly rid: string; readonly rtype: string };

export type ClipEvent = {
  /** `add` and `delete` change what there is; an `update` has only the members that changed. */
  readonly type: 'update' | 'add' | 'delete';
  readonly resources: readonly Resource[];
};

/** A bridge says this of itself to everyone. */
type BridgeConfig = {
  /** 16 hex digits in lower case. */
  readonly bridgeId: string;
  readonly name: string;
  readonly modelId: string;
};

const ID = /^[\w-]{1,64}$/;
const TYPE = /^[a-z][a-z0-9_]{0,63}$/;
const BRIDGE_ID = /^[0-9a-f]{16}$/i;
const KEY = /^[\w-]{10,128}$/;
const MAX_REMARKS = 20;

/** Ids become parts of paths, so any other characters make it no resource. */
export function readResource(value: JsonValue | undefined): Resource | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, type } = value;
  if (typeof id !== 'string' || typeof type !== 'string' || !ID.test(id) || !TYPE.test(type)) return undefined;
  return { ...value, id, type };
}

export function readRef(value: JsonValue | undefined): Ref | undefined {
  if (!isJsonObject(value)) return undefined;
  const { rid, rtype } = value;
  return typeof rid === 'string' && typeof rtype === 'string' && ID.test(rid) && TYPE.test(rtype)
    ? { rid, rtype }
    : undefined;
}

export function readRefs(value: JsonValue | undefined): readonly Ref[] {
  return listOf(value).flatMap((item) => readRef(item) ?? []);
}

/** The events in the data of one server-sent event; `undefined` if it is none of the bridge's. */
export function readEvents(text: string): readonly ClipEvent[] | undefined {
  const list = parseJson(text);
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((event: JsonValue): ClipEvent[] => {
    if (!isJsonObject(event) || !Array.isArray(event['data'])) return [];
    const { type, data } = event;
    if (type !== 'update' && type !== 'add' && type !== 'delete') return [];
    return [{ type, resources: data.flatMap((item: JsonValue) => readResource(item) ?? []) }];
  });
}

/** The bridge's own words about a request: reasons of a refusal, or remarks on what it did. */
export function readRemarks(body: Uint8Array): readonly string[] {
  return listOf(objectOf(parseBody(body))['errors'])
    .slice(0, MAX_REMARKS)
    .flatMap((error) => readName(objectOf(error)['description'], 300) ?? []);
}

/** `undefined` if this is no answer of a Hue bridge. */
export function readBridgeConfig(body: Uint8Array): BridgeConfig | undefined {
  const config = objectOf(parseBody(body));
  const { bridgeid, modelid } = config;
  if (typeof bridgeid !== 'string' || !BRIDGE_ID.test(bridgeid)) return undefined;
  return {
    bridgeId: bridgeid.toLowerCase(),
    name: readName(config['name']) ?? 'Hue Bridge',
    modelId: readName(modelid) ?? '',
  };
}

/** Error 101 of the bridge: nobody has pressed its button. */
const NOT_PRESSED = 101;

/** The key that the bridge gives; `not_pressed` before its button; `undefined` if it answers anything else. */
export function readNewKey(body: Uint8Array): { readonly key: string } | 'not_pressed' | undefined {
  const [first] = listOf(parseBody(body));
  if (!isJsonObject(first)) return undefined;
  const { success, error } = first;
  if (isJsonObject(success) && typeof success['username'] === 'string' && KEY.test(success['username'])) {
    return { key: success['username'] };
  }
  return isJsonObject(error) && error['type'] === NOT_PRESSED ? 'not_pressed' : undefined;
}

function parseBody(body: Uint8Array): JsonValue | undefined {
  return parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
}
