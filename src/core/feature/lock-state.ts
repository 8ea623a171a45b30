import type { JsonValue } from '#base/json.ts';
import type { Feature } from './feature.ts';

/** States in which the peer says that the door can be opened. */
const UNLOCKED: ReadonlySet<JsonValue> = new Set(['unlocked', 'unlatched', 'open']);

/** Reads `locked` from the state of a lock; `null` for a bolt that is jammed, on its way, or that nobody knows. */
export function lockedIn(lockState: JsonValue): boolean | null {
  if (lockState === 'locked') return true;
  return UNLOCKED.has(lockState) ? false : null;
}

/** A report in which no lock is locked whose state says otherwise. */
export function withLockRule(
  features: ReadonlyMap<string, Feature>,
  values: ReadonlyMap<string, JsonValue>,
): ReadonlyMap<string, JsonValue> {
  let ruled: Map<string, JsonValue> | undefined;
  for (const [key, state] of values) {
    if (!key.endsWith('lock_state') || features.get(key)?.capability !== 'lock_state') continue;
    const lockedKey = key.slice(0, -'lock_state'.length) + 'locked';
    const said = values.get(lockedKey);
    // A peer that has never seen the one may still know the other.
    if (!features.has(lockedKey) || said === false || (state === null && said !== undefined)) continue;
    const locked = lockedIn(state);
    if (said !== locked) ruled = new Map(ruled ?? values).set(lockedKey, locked);
  }
  return ruled ?? values;
}
