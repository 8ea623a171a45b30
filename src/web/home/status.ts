import { type Status, STATUSES } from '#web/state/device/device-status.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';

/** A hidden device still opens doors and leaks; that it is silent or lit is of no interest. */
const OF_HIDDEN: ReadonlySet<Status> = new Set(['alarm', 'unlocked', 'open']);

/** The devices of each status, in the order of urgency; without those of which there is none. */
export function statusOfHome(
  entries: readonly DeviceEntry[],
  hidden: readonly string[],
): readonly (readonly [Status, readonly DeviceEntry[]])[] {
  const found = new Map<Status, DeviceEntry[]>(STATUSES.map((status) => [status, []]));
  for (const entry of entries) {
    const isHidden = hidden.includes(entry.id);
    for (const status of entry.statuses.value) {
      if (!isHidden || OF_HIDDEN.has(status)) found.get(status)?.push(entry);
    }
    if (entry.isLit.value && !isHidden) found.get('lights')?.push(entry);
  }
  // All doors are locked only if none is open to anybody.
  if ((found.get('unlocked') ?? []).length > 0) found.delete('locked');
  return [...found].filter(([, own]) => own.length > 0);
}
