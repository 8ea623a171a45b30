import { isJsonObject, type JsonValue } from '#base/json.ts';

type JsonRecord = { readonly [key: string]: JsonValue };

/** Whether JSON from a file is what the hub writes of somebody who signed. */
export function isSigner(value: JsonValue | undefined): value is JsonRecord {
  if (!isObject(value) || !isPerson(value['user'])) return false;
  const { via } = value;
  return isObject(via) && (via['type'] === 'session' || via['type'] === 'api_token') && typeof via['id'] === 'string';
}

export function isPerson(value: JsonValue | undefined): boolean {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string';
}

export function isObject(value: JsonValue | undefined): value is JsonRecord {
  return value !== undefined && isJsonObject(value);
}
