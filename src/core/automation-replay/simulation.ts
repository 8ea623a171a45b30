import type { EFFECTS_BESIDE_COMMANDS } from '#core/automation-run/turn.ts';
import type { RunOutcome } from '#core/cause/run-outcome.ts';
import type { JsonValue } from '#base/json.ts';
import type { HubError } from '#base/hub-error.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { CivilMoment, SeenSun } from '#core/automation/view.ts';
import type { CivilRule, Effect } from '#core/automation-run/engine.ts';
import type { KeptNearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { CommandRequest } from '#core/command/command-request.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { GapMark, SampleValue } from '#core/past/history/sample.ts';
import type { Scene } from '#core/scene/scene.ts';

export const SIMULATION_LIMITS = {
  days: 31,
  /** Features, modes, variables and people that a definition looks at or moves. */
  series: 20,
  /** Whole traces of starts that did something, in one answer. All others are counted. */
  runs: 500,
  /** Whole traces of starts that came to nothing. */
  dullRuns: 50,
  /** The traces of one definition as JSON. */
  traceBytes: 1_048_576,
  firings: 50_000,
  /** Moments of one definition in `perDay`. */
  moments: 5_000,
  /** Samples of all series together. */
  samples: 2_000_000,
  workMs: 5_000,
} as const;

/** `recorded`: the home does what it did. `answering`: what is commanded takes its value, until a hand moves it. */
export const SIMULATION_WORLDS = ['recorded', 'answering'] as const;
export type SimulationWorld = (typeof SIMULATION_WORLDS)[number];

/** The part of an automation that a replay needs. */
export type Replayed = { readonly id: AutomationId; readonly version: number; readonly definition: Definition };

export type TimeWindow = { readonly fromMs: number; readonly toMs: number };

/** The samples of one series in a window. The columns have the same length; times never go back. */
export type RecordedSeries = {
  /** `<device id>/<key>`, `<device id>/availability`, `mode/home`, `variable/bedtime`, `presence/<id>`, … */
  readonly name: string;
  readonly timesMs: ArrayLike<number>;
  /** `null` where a gap begins. */
  readonly values: readonly (SampleValue | null)[];
  readonly gaps: ReadonlyMap<number, GapMark>;
};

/** The home of a replay is as it is now, apart from its samples, because nothing else is kept. */
export type ReplayHome = {
  readonly devices: readonly Device[];
  readonly scenes: readonly Scene[];
  /** Ids of all people who live here. */
  readonly people: readonly string[];
};

/** Times of the clock and the sun, which the edge finds. In ms since 1970. */
export type ReplayClock = {
  /** The first such time after `afterMs`; `undefined`: none within nine years (of the sun: one, or two of certain weekdays), or none that can be known. */
  readonly next: (rule: CivilRule, afterMs: number) => number | undefined;
  /** The last such time after `afterMs` and not after `toMs`. */
  readonly last: (rule: CivilRule, afterMs: number, toMs: number) => number | undefined;
  readonly moment: (atMs: number) => CivilMoment;
  /** `undefined`: nobody said where the hub stands. */
  readonly sun: (atMs: number) => SeenSun | undefined;
};

/** `timeIn`: the clock time in a variable at that moment of the replay. */
export type MakeReplayClock = (timeIn: (variable: string) => string | undefined) => ReplayClock;

export const MISSING_REASONS = [
  'hub_off',
  'clock_unset',
  'paused',
  'lost',
  'deleted',
  /** Nothing was kept: nobody asked for it, or it has no history at all, as the calls of a hook. */
  'not_recorded',
  /** The samples were removed for their age. */
  'only_hours',
  /** Some changes were left out, because there were too many or a person wanted fewer. */
  'thinned',
  /** Two things happened within a tenth of a second, and which came first was not kept. */
  'order_unknown',
  /** Which changes commands caused was not kept, because there were too many. */
  'cause_unknown',
] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

/** A time for which the replay may differ from what would have been, and why. */
export type Missing = TimeWindow & { readonly series: string; readonly reason: MissingReason };

export type Recorded = {
  readonly home: ReplayHome;
  /** From before the window too. */
  readonly series: ReadonlyMap<string, RecordedSeries>;
  readonly clock: MakeReplayClock;
  /** The names of features, modes, variables and people that can start a run. */
  readonly triggers: ReadonlySet<string>;
  /** What the samples themselves do not tell to be missing. */
  readonly missing: readonly Missing[];
  /** When the replay begins to warm up. */
  readonly startMs: number;
};

export type ReplayOptions = {
  readonly world: SimulationWorld;
  /** Held for the whole time, by the name of the series, in place of what was recorded. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
  /** Called now and then; `true` ends the replay with `undefined`. */
  readonly isOver?: () => boolean;
};

/** All that one definition would have done. */
export type Replay = {
  /** Traces of starts inside the window, oldest first: the newest of those that did something, and of the others. */
  readonly runs: readonly AutomationRun[];
  /** All of them, oldest first. Those without a trace have `null` for it. */
  readonly firings: readonly Firing[];
  readonly nearMisses: readonly KeptNearMiss[];
  readonly commands: CommandsSent;
  readonly missing: readonly Missing[];
};
/** `onMs`: for how long the device would have been on by these commands. */
type CommandsSent = ReadonlyMap<DeviceId, { readonly sent: number; readonly onMs: number }>;

/** One start. `run`: the id of its trace; `null` where the trace is not kept. */
export type Firing = {
  readonly atMs: number;
  readonly trigger: string;
  readonly outcome: RunOutcome;
  readonly run: string | null;
};

/** A day of the hub's time zone. Starts that came to nothing (`not_met`, `skipped`) are counted only. */
export type DayOfFirings = {
  /** `2026-11-22`. */
  readonly date: string;
  readonly new: readonly Firing[];
  /** Empty without a comparison. */
  readonly old: readonly Firing[];
  readonly newCounts: OutcomeCounts;
  readonly oldCounts: OutcomeCounts;
};
export type OutcomeCounts = Readonly<Partial<Record<RunOutcome, number>>>;

/** Starts that did something, of two definitions. They are the same where they began within a second. */
export type Comparison = {
  readonly onlyNew: readonly Firing[];
  readonly onlyOld: readonly Firing[];
  readonly both: number;
};

/** Beside the runs that there were. `sinceMs`: the oldest one that is kept; before it nothing is compared. */
export type Reality = {
  readonly sinceMs: number;
  readonly agrees: number;
  readonly wouldHave: readonly Firing[];
  readonly didInstead: readonly Firing[];
};

/** An estimate: what a definition would have done in a time of the past. */
export type Simulation = TimeWindow & {
  readonly world: SimulationWorld;
  readonly fidelity: { readonly isComplete: boolean; readonly missing: readonly Missing[] };
  readonly runs: readonly AutomationRun[];
  /** Runs of the definition with which it is compared. */
  readonly oldRuns: readonly AutomationRun[];
  /** Starts for whose traces there was no room. */
  readonly runsLeftOut: number;
  readonly counts: OutcomeCounts;
  readonly perDay: readonly DayOfFirings[];
  readonly nearMisses: readonly KeptNearMiss[];
  readonly commands: CommandsSent;
  readonly compare: Comparison | null;
  readonly againstReality: Reality | null;
};

/** A start that is only tried, on the home as it is. `isOver` is asked after each piece of work; `true` ends it there. */
export type DryRunOptions = Pick<ReplayOptions, 'inputs' | 'isOver'> & {
  /** The trigger that counts as the one that started it; `null` for none of them. */
  readonly trigger: string | null;
  readonly skipConditions: boolean;
  /** Names the caller; absent: no one. */
  readonly cause?: Cause;
};

export type DryCommand = Extract<Effect, { kind: 'command' }> & { readonly afterMs: number };
export type OtherEffect = Extract<Effect, { kind: (typeof EFFECTS_BESIDE_COMMANDS)[number] }>;
export type DryEffect = OtherEffect & { readonly afterMs: number };

/** Says what a start would do now, whatever the state of the automation. `undefined`: it would not even be refused. */
export type TryStart = (
  record: AutomationRecord,
  options: Omit<DryRunOptions, 'isOver'>,
) => Promise<TriedStart | undefined>;

type TriedStart = {
  /** A trace that nobody keeps. */
  readonly run: AutomationRun;
  readonly isOver: boolean;
  readonly commands: readonly CheckedCommand[];
  readonly others: readonly CheckedEffect[];
};

/** A check tells how far a command would come at this moment. */
export type CommandCheck =
  | {
      readonly requests: ReadonlyMap<Device, CommandRequest>;
      /** Why each device that cannot be reached cannot be. */
      readonly unreachable: ReadonlyMap<DeviceId, HubError>;
    }
  | { readonly refused: string; readonly message: string };
export type CheckedCommand = { readonly command: DryCommand; readonly check: CommandCheck };
export type CheckedEffect = {
  readonly effect: DryEffect;
  readonly refused: 'SIGNER_GONE' | 'RIGHTS_MISSING' | null;
};
