import { isJsonObject, type JsonValue } from '#base/json.ts';
import { ISSUER_TYPES } from '#core/cause/issuer.ts';

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

/** The same of the sender of a command, or `null`. */
export function isIssuerOrNull(issuer: JsonValue | undefined): boolean {
  if (issuer === null) return true;
  if (!isObject(issuer) || !ISSUER_TYPES.some((type) => type === issuer['type'])) return false;
  return ['id', 'userId'].every((key) => typeof issuer[key] === 'string');
}
