import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { StoredNearMiss } from './near-miss-ring.ts';

/**
 * A trace as it is kept: what the lists look for, and the rest packed. Times are of the epoch of the hub's clock, which
 * may be corrected later.
 */
export type StoredRun = {
  readonly id: string;
  readonly automation: AutomationId;
  readonly epoch: string;
  readonly outcome: RunOutcome;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  /** Equal ones that came after it. */
  readonly merged: number;
  /** Equal for starts that came to nothing in the same way. */
  readonly likeness: string;
  /** Whether it says who was at home. */
  readonly tellsPresence: boolean;
  readonly packed: Uint8Array;
};

/** Starts of a day are counted by what happened to them. `runs`: those that began. */
export type RunCounts = {
  readonly runs: number;
  readonly notMet: number;
  readonly skipped: number;
  /** Among `runs`. */
  readonly failed: number;
};

/** `day`: days since 1970, as the time zone of the hub counted them. */
export type StoredCounts = RunCounts & { readonly automation: AutomationId; readonly day: number };

/** The newest start of an automation that did something: it is known for longer than its trace. */
export type LastRun = {
  readonly id: string;
  readonly epoch: string;
  readonly atMs: number;
  readonly outcome: RunOutcome;
};

/** The store keeps this of an automation beside its traces. */
export type StoredPast = {
  readonly automation: AutomationId;
  readonly last: LastRun | null;
  /** Oldest first. */
  readonly nearMisses: readonly StoredNearMiss[];
};

/** A write takes what changed since the last one. */
export type RunChanges = {
  readonly runs: readonly StoredRun[];
  readonly goneRuns: readonly string[];
  readonly pasts: readonly StoredPast[];
  readonly counts: readonly StoredCounts[];
  /** All that is kept of them goes. */
  readonly goneAutomations: readonly AutomationId[];
};

/** Where traces are kept. What `keep` takes is written with the next seal of history or at the end of the process. */
export type RunStore = {
  readonly keep: (changes: RunChanges) => void;
  /** On disk when it resolves, with all that was kept before. */
  readonly write: (changes: RunChanges) => Promise<void>;
  /** In the order of their ids. `after`: the last id of the page before. */
  readonly loadRuns: (after: string | null) => Promise<readonly StoredRun[]>;
  readonly loadPasts: () => Promise<readonly StoredPast[]>;
  /** From this day on; older ones are removed. */
  readonly loadCounts: (fromDay: number) => Promise<readonly StoredCounts[]>;
};
