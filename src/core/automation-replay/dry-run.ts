import { EFFECTS_BESIDE_COMMANDS } from '#core/automation-run/turn.ts';
import type { JsonValue } from '#base/json.ts';
import type { Effect, RunView } from '#core/automation-run/engine.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { View } from '#core/automation/view.ts';
import { type Cause, DIRECT } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import { giveValue, setMode, setVariable } from '#core/automation-replay/recorded/home-changes.ts';
import { causesOf, createRecordedHome, type RecordedHome } from '#core/automation-replay/recorded/recorded-home.ts';
import { createReplayStage, type ReplayStage } from './replay-stage.ts';
import {
  type DryCommand,
  type DryEffect,
  type DryRunOptions,
  type MakeReplayClock,
  type OtherEffect,
  type Replayed,
  type ReplayHome,
} from './simulation.ts';

/** The home as it is. Its devices have their values. */
export type PresentHome = {
  readonly home: ReplayHome;
  readonly modes: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly people: ReadonlyMap<string, PresenceState>;
  /** By `device key`: of the last change. */
  readonly causes: ReadonlyMap<string, Cause>;
  readonly history: View['history'];
  readonly steerRefusal: RunView['steerRefusal'];
  readonly clock: MakeReplayClock;
  readonly nowMs: number;
  /** Whether anybody knows the time of day. */
  readonly isClockSet: boolean;
};

export type DryRun = {
  readonly run: AutomationRun;
  /** In the order in which they would go out. */
  readonly commands: readonly DryCommand[];
  /** Notices, requests and changes of the home itself, none of which happened. */
  readonly others: readonly DryEffect[];
  /** Whether it came to its end: one that waits for a week, or for what does not happen, goes on. */
  readonly isOver: boolean;
};
const KINDS: ReadonlySet<string> = new Set(EFFECTS_BESIDE_COMMANDS);
/** Commands and other effects of one start: a run that repeats without end has shown by then what it does. */
const MOST_EFFECTS = 500;
/** Waits are skipped, up to so far. */
const MOST_MS = 7 * 86_400_000;
const MOST_TURNS = 2_000;
const SEED = '00000003';

/** Finds what one start would do now. Nothing leaves the hub, waits take no time, and devices answer. */
export function dryRun(automation: Replayed, present: PresentHome, options: DryRunOptions): DryRun | undefined {
  const { nowMs } = present;
  const { trigger, skipConditions, isOver: isLate = () => false } = options;
  const home = presentHome(present, options.inputs);
  const traces = new Map<string, AutomationRun>();
  const commands: DryCommand[] = [];
  const others: DryEffect[] = [];
  const isEnough = (): boolean => isLate() || commands.length + others.length >= MOST_EFFECTS;
  const stage = createReplayStage({
    automation,
    home,
    world: 'answering',
    seed: SEED,
    isEnough,
    note: (effect) => {
      if (effect.kind === 'trace') traces.set(effect.run.id, effect.run);
      if (commands.length + others.length >= MOST_EFFECTS) return;
      const afterMs = home.nowMs - nowMs;
      if (effect.kind === 'command') commands.push({ ...effect, afterMs });
      else if (isOther(effect)) others.push({ ...effect, afterMs });
    },
  });
  // What starts with the hub is not what was asked for.
  stage.start({ startsLater: true });
  stage.send({ kind: 'run', automation: automation.id, trigger, skipConditions, cause: options.cause ?? DIRECT });
  const [first] = traces.values();
  if (first === undefined) return undefined;
  const traceNow = (): AutomationRun => traces.get(first.id) ?? first;
  skipWaits(stage, home, {
    untilMs: nowMs + MOST_MS,
    isOver: () => traceNow().outcome !== 'running',
    isEnough,
  });
  const run = traceNow();
  return {
    run,
    isOver: run.outcome !== 'running',
    commands: commands.filter((one) => one.run === run.id),
    others: others.filter((one) => one.run === run.id),
  };
}

function isOther(effect: Effect): effect is OtherEffect {
  return KINDS.has(effect.kind);
}

/** Commands are followed for a moment after the last step, so that the trace says what came of them. */
function skipWaits(
  stage: ReplayStage,
  home: RecordedHome,
  { untilMs, isOver, isEnough }: { readonly untilMs: number } & Readonly<Record<'isOver' | 'isEnough', () => boolean>>,
): void {
  let endMs = untilMs;
  for (let turn = 0; turn < MOST_TURNS && !isEnough(); turn += 1) {
    if (isOver()) endMs = Math.min(endMs, home.nowMs + SETTLE_MS);
    const dueMs = stage.nextMs();
    if (dueMs > endMs) return;
    home.nowMs = Math.max(home.nowMs, dueMs);
    stage.runDue();
  }
}
const SETTLE_MS = 1_000;

function presentHome(present: PresentHome, inputs: DryRunOptions['inputs']): RecordedHome {
  const { nowMs } = present;
  const recorded = { ...present, series: new Map(), triggers: new Set<string>(), missing: [], startMs: nowMs };
  const home = createRecordedHome(recorded, inputs);
  home.nowMs = nowMs;
  for (const { id, states, availability } of present.home.devices) {
    const device = home.devices.get(id);
    if (device === undefined) continue;
    device.availability = availability;
    for (const [key, state] of states) device.states.set(key, state);
  }
  for (const [key, value] of present.modes) setMode(home, key, value);
  for (const [key, value] of present.variables) setVariable(home, key, value);
  for (const [person, state] of present.people) home.people.set(person, state);
  for (const [feature, cause] of present.causes) {
    const space = feature.indexOf(' ');
    causesOf(home, feature.slice(0, space) as DeviceId).set(feature.slice(space + 1), cause);
  }
  for (const [name, value] of inputs) giveValue(home, name, value);
  const { view } = home;
  const now = present.isClockSet ? view.now : timeless(view.now);
  const sun: View['sun'] = present.isClockSet ? view.sun : () => undefined;
  return Object.assign(home, {
    view: { ...view, history: present.history, steerRefusal: present.steerRefusal, now, sun },
  });
}

/** Before anybody set the clock. */
function timeless(now: View['now']): View['now'] {
  return {
    get hubMs() {
      return now.hubMs;
    },
    wallMs: undefined,
    civil: undefined,
  };
}
