import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { callerId, visibilityKey } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { KeptAnswer, RequestKeys } from '#core/request-key/request-keys.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { takesKey, type Route, type RouteRequest } from './route.ts';

type OnceDeps = {
  readonly requestKeys: Pick<RequestKeys, 'once'>;
  /** Makes the fingerprints: a body may have a password, which a plain hash on disk would let others guess. */
  readonly fingerprintKey: Buffer;
};

type Request = RouteRequest<unknown, unknown>;

/** In characters; the place of a longer answer is kept instead of it. */
const MAX_ANSWER = 128 * 1024;

/** The same calls, of which each that takes an `Idempotency-Key` works once for each key. */
export function onceRoutes(routes: readonly Route[], { requestKeys, fingerprintKey }: OnceDeps): readonly Route[] {
  return routes.map((route) => {
    if (!takesKey(route)) return route;
    const handle: Route['handle'] = (request) => {
      const { caller, target, body } = request;
      const text = request.header('idempotency-key');
      const key = text === undefined ? undefined : readRequestKey(text);
      if (key === undefined || caller === undefined || isTrial(request)) return route.handle(request);
      const fingerprint = fingerprintOf({ target, body }, createHmac('sha256', fingerprintKey));
      const keyed = { caller: callerId(caller), key, fingerprint };
      return requestKeys.once(keyed, {
        make: () => route.handle(request),
        keep: (answer: RouteAnswer) => keptAnswer(route, answer),
        rights: () => visibilityKey(request.authorize()),
      });
    };
    return { ...route, handle };
  });
}

/** A trial makes nothing. */
function isTrial({ query, body }: Request): boolean {
  return [query, body].some((one) => (one as { readonly dry_run?: unknown } | undefined)?.dry_run === true);
}

function keptAnswer({ once }: Route, { status, headers = {}, json, bytes, takeOver }: RouteAnswer): KeptAnswer {
  const place = headers['Location'] ?? null;
  const isFile = bytes !== undefined || takeOver !== undefined;
  const isLong = json !== undefined && JSON.stringify(json).length > MAX_ANSWER;
  if (once === 'place' || isFile || isLong) return { place, whole: null };
  return { place, whole: { status, headers, ...(json !== undefined && { json: json as JsonValue }) } };
}

/** The value of an `Idempotency-Key`. Throws MALFORMED_REQUEST. */
export function readRequestKey(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new HubError('MALFORMED_REQUEST', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

/** Equal for equal values, whatever the order of their members. */
export function fingerprintOf(value: object, hash: Hash | Hmac = createHash('sha256')): string {
  return hash.update(JSON.stringify(sortedMembers(value))).digest('base64');
}

/** Sorts the members of all objects, so that equal JSON values have equal texts. */
function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortedMembers(member)]));
}
