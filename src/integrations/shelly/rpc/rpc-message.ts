import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '#base/json.ts';
import { digestResponse } from '#base/network/digest.ts';

/** A device sends on its socket the answer to a request, or news. */
export type RpcFrame =
  | { readonly type: 'result'; readonly id: number; readonly result: JsonValue }
  | { readonly type: 'error'; readonly id: number; readonly code: number; readonly message: string }
  | { readonly type: 'news'; readonly method: string; readonly params: JsonObject };

/** `undefined` if it is none of a Shelly device. */
export function readFrame(text: string): RpcFrame | undefined {
  const frame = parseJson(text);
  if (!isJsonObject(frame)) return undefined;
  const { id, method, params, result, error } = frame;
  if (typeof method === 'string') {
    return isJsonObject(params) ? { type: 'news', method, params } : undefined;
  }
  if (typeof id !== 'number') return undefined;
  if (isJsonObject(error)) {
    const { code, message } = error;
    return {
      type: 'error',
      id,
      code: typeof code === 'number' ? code : 0,
      message: typeof message === 'string' ? message : '',
    };
  }
  return result === undefined ? undefined : { type: 'result', id, result };
}

/** A device asks for this before it takes requests (RFC 7616, within the frames). */
export type Challenge = { readonly realm: string; readonly nonce: string | number };

/** From the message of an error 401. `undefined` if it asks for something else than SHA-256. */
export function readChallenge(message: string): Challenge | undefined {
  const challenge = parseJson(message);
  if (!isJsonObject(challenge)) return undefined;
  const { realm, nonce, algorithm } = challenge;
  if (typeof realm !== 'string' || realm.length > 200 || algorithm !== 'SHA-256') return undefined;
  if (typeof nonce !== 'number' && (typeof nonce !== 'string' || nonce.length > 200)) return undefined;
  return { realm, nonce };
}

/** The only user that a device has. */
export const USER = 'admin';
/** Frames have no method and path, so the devices take these in their place. */
const PLACE = { method: 'dummy_method', uri: 'dummy_uri' };
const USUAL = { algorithm: 'SHA-256', opaque: null, hasQop: true, isStale: false, hashesUser: false };

/** Proves the password without sending it. The next proof for a challenge needs the next `count`. */
export function proofOf(password: string, { realm, nonce }: Challenge, count: number): JsonObject {
  const cnonce = randomBytes(8).toString('hex');
  const challenge = { ...USUAL, realm, nonce: `${nonce}` };
  const response = digestResponse(challenge, { user: USER, password }, { ...PLACE, nc: `${count}`, cnonce });
  return { realm, username: USER, nonce, cnonce, nc: count, response, algorithm: USUAL.algorithm };
}
