import type { AutomationId } from '#core/automation/document/condition.ts';
import {
  createNearMissRing,
  type KeptNearMiss,
  type NearMiss,
  type NearMissRing,
  type StoredNearMiss,
} from './near-miss-ring.ts';
import type { RunShelfDeps } from './run-shelf.ts';

/** The near misses of all automations. Times that it answers are hub time of now. */
export type NearMisses = {
  readonly put: (miss: NearMiss) => void;
  /** Newest first. */
  readonly list: (automation: AutomationId) => readonly KeptNearMiss[];
  /** From when on none is missing. */
  readonly completeSinceMs: (automation: AutomationId) => number;
  readonly remove: (automation: AutomationId) => void;
  /** Forgets those of this time that may say who was at home. */
  readonly forgetPresence: (range: { readonly fromMs: number; readonly toMs: number }) => void;
};

/** With what the store is given of it. */
type OpenNearMisses = NearMisses & {
  readonly saved: (automation: AutomationId) => readonly StoredNearMiss[];
  /** The automations that have new ones since the last call. */
  readonly takeDirt: () => readonly AutomationId[];
};

export function createNearMisses(
  { epoch, shiftMsOf, nowMs, onChange }: RunShelfDeps & { readonly onChange: () => void },
  saved: ReadonlyMap<AutomationId, readonly StoredNearMiss[]>,
): OpenNearMisses {
  const rings = new Map<AutomationId, NearMissRing>(
    [...saved].map(([automation, misses]) => [automation, createNearMissRing(misses)]),
  );
  const dirty = new Set<AutomationId>();
  const openedMs = nowMs();
  const noteChange = (automation: AutomationId): void => {
    dirty.add(automation);
    onChange();
  };
  return {
    put: (miss) => {
      const { automation } = miss;
      const ring = rings.get(automation) ?? createNearMissRing();
      rings.set(automation, ring);
      ring.put({ ...miss, epoch: epoch() });
      noteChange(automation);
    },
    list: (automation) =>
      (rings.get(automation)?.list() ?? []).map(({ epoch: of, ...miss }) => {
        const shiftMs = shiftMsOf(of);
        return { ...miss, atMs: miss.atMs + shiftMs, lastAtMs: miss.lastAtMs + shiftMs };
      }),
    completeSinceMs: (automation) => {
      const dropped = rings.get(automation)?.dropped();
      return Math.max(openedMs, dropped === undefined ? -Infinity : dropped.lastAtMs + shiftMsOf(dropped.epoch));
    },
    remove: (automation) => {
      rings.delete(automation);
      dirty.delete(automation);
    },
    forgetPresence: ({ fromMs, toMs }) => {
      for (const [automation, ring] of rings) {
        ring.remove(({ device, atMs, lastAtMs, epoch: of }) => {
          const shiftMs = shiftMsOf(of);
          // Triggers that watch people name no device.
          return device === null && lastAtMs + shiftMs >= fromMs && atMs + shiftMs < toMs;
        });
        noteChange(automation);
      }
    },
    saved: (automation) => rings.get(automation)?.saved() ?? [],
    takeDirt: () => {
      const taken = [...dirty];
      dirty.clear();
      return taken;
    },
  };
}
