import { createHash } from 'node:crypto';
import { type Caller, callerId } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { isJsonObject } from '#base/json.ts';
import type { Replay } from '#core/command/command-log.ts';

/** The replay that a request asks for by its `Idempotency-Key`; `null` without one. `asked` is all that was asked for. */
export function replayOf(key: string | undefined, caller: Caller, asked: object): Replay | null {
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new HubError('MALFORMED_REQUEST', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(sortedMembers(asked)))
    .digest('base64');
  return { key: `${callerId(caller)} ${key}`, fingerprint };
}

/** Two spellings of one JSON value become one. */
function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortedMembers(member)]));
}
