import type { JsonValue } from '#base/json.ts';
import type { RunState } from '#core/automation-run/state/run-state.ts';

/** The collections of a turn, the same for each: most changes of a home put nothing into them. */
export type Scratch = {
  /** Runs whose record or trace is not what was last given out. */
  readonly touched: Set<string>;
  /** Runs that ended in this turn. */
  readonly over: Map<string, RunState>;
  /** What to write at the end, by key. */
  readonly entries: Map<string, Entry>;
};

/** `value`: `null` to forget it. `isLong`: a wait that is on disk within a second. */
export type Entry = { readonly value: JsonValue; readonly isLong: boolean; readonly isGuard: boolean };

export function createScratch(): Scratch {
  return { touched: new Set(), over: new Map(), entries: new Map() };
}

/** Forgets what the turn before left. */
export function emptied(scratch: Scratch): Scratch {
  for (const one of [scratch.touched, scratch.over, scratch.entries]) if (one.size > 0) one.clear();
  return scratch;
}
