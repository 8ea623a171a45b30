import type { JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { TriggerMemory } from '#core/automation/trigger/happening.ts';
import type { TriggerFacts } from '#core/automation/view.ts';
import type { Cause, CauseCaller } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';

/**
 * A run that goes on: plain data, so that it can be written, read again after a power cut, and continued by another
 * process. What stands in its version of the automation (steps, conditions) is not in it. All times are hub time.
 */
export type RunState = {
  readonly id: string;
  readonly automation: AutomationId;
  /** A run keeps the version with which it began. */
  readonly version: number;
  readonly trigger: TriggerFacts;
  /** The cause of the commands that it gives; its depth counts this run too. Who ends one of its waits is added. */
  cause: Cause;
  readonly startedAtMs: number;
  readonly variables: Readonly<Record<string, JsonValue>>;
  /** It waits for its turn (`queued`). */
  isQueued: boolean;
  /** The longest that one of its waits went on too late: a sensitive device is not moved after that. */
  lateMs: number;
  /** By the id of the step: whether its wait timed out. */
  timedOut: Record<string, boolean>;
  /** Ascending by id. The first goes through the steps, others through branches, or follow a command. */
  threads: Thread[];
  nextThread: number;
  nextCommand: number;
  /** What this run set, and what was there before: for `restore`. */
  moved: Moved[];
  /** The lines of its trace when it was written, with those left out: the trace itself may be hours late on disk. */
  lines: number;
};

export type Moved = {
  readonly device: DeviceId;
  readonly key: string;
  /** `null` where nothing was known: such a feature is not restored. */
  readonly before: JsonValue;
  readonly sent: JsonValue;
  /** By a run whose place this one took. */
  readonly isInherited: boolean;
};

/** A place in the steps. `parallel` makes further ones, and so does a command that is followed in the background. */
export type Thread = {
  readonly id: number;
  /** The thread that waits for this one; `null`: none does. */
  readonly parent: number | null;
  /** With so many frames it began, and with fewer it is over. */
  readonly base: number;
  /** From the outermost list of steps to the innermost. */
  frames: Frame[];
  wait: Wait | null;
};

export type Frame = {
  /** Which body of the step at which the frame before stands; 0 for the outermost. */
  readonly body: number;
  /** The next step, or the one that waits. */
  index: number;
  /** A `repeat` has the rounds that are done, how many there may be, and the values of `for_each`. */
  round: number;
  readonly rounds: number;
  readonly items: readonly JsonValue[] | null;
};

/**
 * A thread waits for one of these. `fromWallMs`: the least that the clock on the wall has been said to show at
 * `sinceMs`.
 */
export type Wait =
  | { readonly kind: 'delay'; readonly untilMs: number; readonly lateMaxMs: number }
  /** A time of the clock. */
  | {
      readonly kind: 'clock';
      readonly at: string;
      readonly sinceMs: number;
      readonly fromWallMs?: number;
      readonly lateMaxMs: number;
    }
  | {
      readonly kind: 'watch';
      readonly sinceMs: number;
      readonly fromWallMs?: number;
      readonly untilMs: number;
      readonly lateMaxMs: number;
      /** The memory of each trigger, by its place. */
      memories: TriggerMemory[];
      /** Who led to the last change of what its condition looks at, by the place among what it watches. */
      callers?: Readonly<Record<number, readonly CauseCaller[]>>;
    }
  | CommandWait
  | { readonly kind: 'retry'; readonly untilMs: number; readonly attempt: number }
  | { readonly kind: 'request'; readonly ref: string; readonly trace: number }
  | { readonly kind: 'branches'; readonly children: readonly number[]; readonly end: 'all' | 'any' };

export type CommandWait = {
  readonly kind: 'command';
  readonly ref: string;
  /** `sent`: it must have gone out; `finished`: it must have ended. */
  readonly phase: 'sent' | 'finished';
  readonly attempt: number;
  readonly sinceMs: number;
  /** After a restart the values of these features decide whether it arrived. */
  readonly wanted: readonly (readonly [DeviceId, string, JsonValue])[];
};

export const MAX_RUNS = 200;

/** Moves every time in it, after the hub's clock was corrected. */
export function shiftRun(run: RunState, byMs: number): RunState {
  if (byMs === 0) return run;
  const { trigger } = run;
  return {
    ...run,
    trigger: { ...trigger, atMs: trigger.atMs + byMs },
    startedAtMs: run.startedAtMs + byMs,
    threads: run.threads.map((thread) => ({ ...thread, wait: thread.wait && shiftWait(thread.wait, byMs) })),
  };
}

function shiftWait(wait: Wait, byMs: number): Wait {
  switch (wait.kind) {
    case 'delay':
    case 'retry':
      return { ...wait, untilMs: wait.untilMs + byMs };
    case 'clock':
    case 'command':
      return { ...wait, sinceMs: wait.sinceMs + byMs };
    case 'watch': {
      const memories = wait.memories.map((memory) => shiftMemory(memory, byMs));
      return { ...wait, sinceMs: wait.sinceMs + byMs, untilMs: wait.untilMs + byMs, memories };
    }
    default:
      return wait;
  }
}

export function shiftMemory(memory: TriggerMemory, byMs: number): TriggerMemory {
  if (byMs === 0) return memory;
  const shift = (atMs: number | null): number | null => (atMs === null ? null : atMs + byMs);
  return Object.fromEntries(
    Object.entries(memory).map(([name, { lookAtMs, armed, held, firedAtMs, points }]) => [
      name,
      {
        armed,
        lookAtMs: shift(lookAtMs),
        firedAtMs: shift(firedAtMs),
        points: points.map(([untilMs, value]) => [shift(untilMs), value] as const),
        held: held && {
          sinceMs: held.sinceMs + byMs,
          unknownSinceMs: shift(held.unknownSinceMs),
          facts: { ...held.facts, atMs: held.facts.atMs + byMs },
        },
      },
    ]),
  );
}
