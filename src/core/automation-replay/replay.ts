import type { Effect } from '#core/automation-run/engine.ts';
import type { DeviceId } from '#core/device/device.ts';
import { AVAILABILITY } from '#core/past/history/recorder.ts';
import { type GapMark, isGap, RUN_SERIES, type SampleValue, HOME_TIMELINE } from '#core/past/history/sample.ts';
import { houseSeriesFrom } from '#core/past/history/house-series.ts';
import { missingIn, tidyMissing } from './fidelity.ts';
import { changerOf, giveValue } from '#core/automation-replay/recorded/home-changes.ts';
import {
  mergeSamples,
  type MergedSample,
  type MergedSamples,
} from '#core/automation-replay/recorded/merged-samples.ts';
import { createRecordedCauses, type RecordedCauses } from '#core/automation-replay/recorded/recorded-causes.ts';
import { createRecordedHome, type RecordedHome } from '#core/automation-replay/recorded/recorded-home.ts';
import { createReplayStage, type ReplayStage, restoreHome } from './replay-stage.ts';
import { createRunBook } from './run-book.ts';
import type { Missing, Recorded, RecordedSeries, Replay, Replayed, ReplayOptions, TimeWindow } from './simulation.ts';

/** Looked at from time to time only: it may be a look at a clock. */
const LOOK_EVERY = 256;
/** A sample has a time to a tenth of a second. */
const TICK_MS = 100;

export type ReplaySetup = ReplayOptions & {
  readonly window: TimeWindow;
  /** Eight hexadecimal digits, for the ids of runs. */
  readonly seed: string;
};

/**
 * Finds what a definition would have done in the past. The same function of automations runs as in life, with a clock
 * of its own over what was recorded. `undefined` where `isOver` ended it, or where there was more than fits.
 */
export function replay(automation: Replayed, recorded: Recorded, setup: ReplaySetup): Replay | undefined {
  const { window, inputs, isOver = () => false } = setup;
  const home = createRecordedHome(recorded, inputs);
  const book = createRunBook(window);
  const merging = [...recorded.series.values()].filter(({ name }) => !inputs.has(name) && isMerged(name));
  const causes = createRecordedCauses([...home.devices.keys()], recorded.series);
  const course: Course = {
    automation,
    recorded,
    setup,
    home,
    lines: merging.map(({ name }) => lineOf(name, home, causes)),
    merging,
    merged: mergeSamples(merging, createRanks(merging, recorded.triggers)),
    causes,
    note: (effect) => {
      if (effect.kind === 'trace' && effect.run.startedAtMs === home.nowMs) course.hasStarted = true;
      book.note(effect, home.nowMs);
    },
    isOn: !recorded.series.has(RUN_SERIES),
    stage: undefined,
    last: undefined,
    hasStarted: false,
    ties: [],
  };
  for (let turns = 1; advance(course); turns += 1) {
    if (turns % LOOK_EVERY === 0 && (isOver() || book.isFull())) return undefined;
  }
  const { series } = recorded;
  const own = merging.map(({ name }) => name).filter(isOwn);
  const gone = missingIn({ own, series, devices: [...home.devices.keys()], causes: course.causes }, window);
  return { ...book.end(), missing: tidyMissing([...recorded.missing, ...gone, ...course.ties], window) };
}

type Course = {
  readonly automation: Replayed;
  readonly recorded: Recorded;
  readonly setup: ReplaySetup;
  readonly home: RecordedHome;
  readonly merging: readonly RecordedSeries[];
  /** The line of each series in `merging`, at the same place. */
  readonly lines: readonly Line[];
  readonly merged: MergedSamples;
  readonly causes: RecordedCauses;
  readonly note: (effect: Effect) => void;
  /** Whether the hub ran. */
  isOn: boolean;
  stage: ReplayStage | undefined;
  last: MergedSample | undefined;
  /** Whether the last sample made a run begin. */
  hasStarted: boolean;
  readonly ties: Missing[];
};

/** A line turns the samples of one series into changes of the home. */
type Line = {
  readonly name: string;
  readonly causeOf: ReturnType<RecordedCauses['finderOf']>;
  readonly change: ReturnType<typeof changerOf>;
};

function lineOf(name: string, home: RecordedHome, causes: RecordedCauses): Line {
  const slash = name.indexOf('/');
  return {
    name,
    causeOf: causes.finderOf(name.slice(0, slash) as DeviceId, name.slice(slash + 1)),
    change: changerOf(home, name),
  };
}

/** Does what comes next; false if that is not inside the window. */
function advance(course: Course): boolean {
  const { home, merged, recorded, setup } = course;
  const sampleMs = merged.nextMs();
  if (course.stage === undefined && course.isOn && sampleMs >= recorded.startMs) {
    home.nowMs = recorded.startMs;
    begin(course);
    return true;
  }
  const dueMs = course.isOn ? (course.stage?.nextMs() ?? Infinity) : Infinity;
  if (Math.min(sampleMs, dueMs) >= setup.window.toMs) return false;
  // The time of a sample is rounded down: what was due at that moment came first.
  if (dueMs <= sampleMs) {
    home.nowMs = Math.max(home.nowMs, dueMs);
    course.hasStarted = false;
    course.stage?.runDue();
    if (course.hasStarted && sampleMs - dueMs < TICK_MS) noteTie(course, nameOf(course, merged.peek() ?? -1), dueMs);
    return true;
  }
  const sample = merged.take();
  if (sample === undefined) return false;
  home.nowMs = sample.atMs;
  take(course, sample);
  course.last = sample;
  return true;
}

function begin(course: Course): void {
  const { automation, home, setup, note } = course;
  if (course.stage === undefined) {
    for (const [name, value] of setup.inputs) giveValue(home, name, value);
    course.stage = createReplayStage({ ...setup, automation, home, note });
  }
  course.isOn = true;
  course.stage.start();
}

function take(course: Course, sample: MergedSample): void {
  const { home, recorded, automation, setup, stage } = course;
  const { atMs, value } = sample;
  const line = course.lines[sample.series];
  if (line === undefined) return;
  const { name } = line;
  if (name === RUN_SERIES) {
    if (isGap(value)) course.isOn = false;
    else if (atMs < recorded.startMs) course.isOn = true;
    else {
      restoreHome(home);
      begin(course);
    }
    return;
  }
  // After a power cut this is all that is left of the end of the hub.
  if (isGap(value) && value.gap === 'hub_off' && recorded.series.has(RUN_SERIES)) course.isOn = false;
  const cause = isGap(value) ? null : line.causeOf({ atMs, value });
  if (setup.world === 'answering' && cause?.automation === automation.id) return;
  const events = line.change({ atMs, value, cause });
  if (stage === undefined || !course.isOn) return;
  course.hasStarted = false;
  const dueMs = stage.nextMs();
  stage.emit(events, cause);
  // It may have come after the time that it put off.
  if (dueMs - atMs < TICK_MS && stage.nextMs() !== dueMs) noteTie(course, name, atMs);
  const other = course.hasStarted ? companionOf(course, sample) : undefined;
  if (other !== undefined) noteTie(course, other, atMs);
}

function noteTie({ ties }: Course, series: string, atMs: number): void {
  if (isOwn(series)) ties.push({ series, reason: 'order_unknown', fromMs: atMs, toMs: atMs + TICK_MS });
}

function nameOf({ merging }: Course, series: number): string {
  return merging[series]?.name ?? '';
}

/** Another series with a sample in the same tenth of a second: it may have come before or after. */
function companionOf(course: Course, { series, atMs }: MergedSample): string | undefined {
  const { last, merged } = course;
  const next = merged.nextMs() === atMs ? merged.peek() : undefined;
  const beside = [last?.atMs === atMs ? last.series : undefined, next];
  return beside
    .filter((one) => one !== undefined && one !== series)
    .map((one) => nameOf(course, one ?? -1))
    .find(isOwn);
}

/** Lines of the logbook stand beside changes, and marks of thinning beside series. */
function isMerged(name: string): boolean {
  return name === HOME_TIMELINE || !/^(timeline|thinned)\//.test(name);
}

/** A feature, mode, variable or person. */
function isOwn(name: string): boolean {
  return isMerged(name) && name !== HOME_TIMELINE && name !== RUN_SERIES && !name.endsWith(`/${AVAILABILITY}`);
}

/**
 * Ranks the changes of one moment: first a start of the hub, then what is there at all, then values, those that only
 * conditions look at before those that start something, and the end of the hub last.
 */
function createRanks(
  all: readonly RecordedSeries[],
  triggers: ReadonlySet<string>,
): (series: number, value: SampleValue | GapMark) => number {
  const ranks = all.map(({ name }) => {
    if (!isOwn(name)) return 1;
    if (houseSeriesFrom(name) !== undefined) return triggers.has(name) ? 4 : 2;
    return triggers.has(name) ? 5 : 3;
  });
  return (series, value) => {
    if (isGap(value) && value.gap === 'hub_off') return Infinity;
    return all[series]?.name === RUN_SERIES ? 0 : (ranks[series] ?? 0);
  };
}
