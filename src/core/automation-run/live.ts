import type { JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { HookCall } from '#core/automation/trigger/happening.ts';
import type { RunView } from './engine.ts';
import type { TripReason } from '#core/automation-run/guard/breaker.ts';

/** The automations as they run in the hub, for those who start, stop and show them. */
export type AutomationEngine = {
  /**
   * Starts it as a person would, whatever its triggers say. What it asks of the past may be read first: `authorize` is
   * called after that, and what it throws starts nothing.
   */
  readonly run: (id: AutomationId, start: StartByHand, authorize?: () => void) => Promise<Started>;
  /** Ends its runs. Resolves when that is done. */
  readonly stop: (id: AutomationId) => Promise<void>;
  /** Lets one that tripped run again. */
  readonly reset: (id: AutomationId) => Promise<void>;
  /** Starts it with what another program sent; `authorize` as with `run`. */
  readonly callHook: (id: AutomationId, call: HookCall, authorize?: () => void) => Promise<Started>;
  readonly statusOf: (id: AutomationId) => EngineStatus;
  /** The home as a decision would see it at this moment: for dry runs. */
  readonly now: () => RunView;
};

type StartByHand = {
  /** The trigger that counts as the one that started it; `null` for none of them. */
  readonly trigger: string | null;
  readonly skipConditions: boolean;
  /** The cause of what the person did. */
  readonly cause: Cause;
};

/** `refused`: no run began, not even one that its conditions ended, because the automation may not run. */
export type Started = { readonly run: string } | { readonly refused: string };

type EngineStatus = {
  /** Times are hub time. */
  readonly tripped: { readonly untilMs: number; readonly reason: TripReason; readonly detail: string } | null;
  /** The next time of the clock, on the wall clock; `null` where it has none or none can be known. */
  readonly nextAtMs: number | null;
  /** Runs under way, those that queue counted. */
  readonly running: number;
};

/** The reducer asked to keep this value under its key; `null` forgets it. Its times count as the epoch does. */
export type StoredEntry = { readonly key: string; readonly epoch: string; readonly value: JsonValue };

/** Where it is kept. */
export type EntryStore = {
  readonly loadEntries: () => Promise<readonly StoredEntry[]>;
  /** To be written with what else waits, within so long. */
  readonly keepEntries: (entries: readonly StoredEntry[], withinMs: number) => void;
  /** On disk when it resolves, with all that was kept before. Rejects if the disk takes no writes, and keeps them then. */
  readonly writeEntries: (entries: readonly StoredEntry[]) => Promise<void>;
};
