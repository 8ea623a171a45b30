import { createHash } from 'node:crypto';
import { type Caller, callerId } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { isJsonObject } from '#base/json.ts';
import type { Replay } from '#core/command/command-log.ts';

/** The replay for an `Idempotency-Key`; `null` without one. */
export function replayOf(key: string | undefined, caller: Caller, wholeRequest: object): Replay | null {
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new HubError('MALFORMED_REQUEST', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(sortedMembers(wholeRequest)))
    .digest('base64');
  return { key: `${callerId(caller)} ${key}`, fingerprint };
}

/** Sorts the members of all objects, so that equal JSON values have equal texts. */
function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortedMembers(member)]));
}

const DEFAULT_WAIT_S = 2;
const MAX_WAIT_S = 10;
/** Added to the longest wait, because the hub gives up a command 10 s after sending it, a moment after accepting it. */
const LAST_MOMENT_MS = 250;

/** How long the caller wants to wait for an answer (RFC 7240 section 4.3), and the headers that confirm it. */
type PreferredWait = { readonly waitMs: number; readonly applied: Readonly<Record<string, string>> };

/** Ignores unknown preferences, as RFC 7240 demands, and shortens a wait beyond the longest. */
export function preferredWait(prefer: string | undefined): PreferredWait {
  const match = /(?:^|,)\s*wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?=[,;]|$)/i.exec(prefer ?? '');
  const text = match?.[1] ?? match?.[2];
  if (text === undefined) return { waitMs: DEFAULT_WAIT_S * 1000, applied: {} };
  const seconds = Math.min(MAX_WAIT_S, Number(text));
  const waitMs = seconds * 1000 + (seconds === MAX_WAIT_S ? LAST_MOMENT_MS : 0);
  return { waitMs, applied: { 'Preference-Applied': `wait=${seconds}` } };
}
