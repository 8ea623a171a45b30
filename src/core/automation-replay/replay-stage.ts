import type { JsonValue } from '#base/json.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import {
  createEngine,
  type Due,
  type Effect,
  type Input,
  type SavedEntry,
  type TimerId,
} from '#core/automation-run/engine.ts';
import type { Loaded } from '#core/automation-run/load.ts';
import { step } from '#core/automation-run/step.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createAnswers } from './answers.ts';
import { availabilityOf, setMode, setVariable } from '#core/automation-replay/recorded/home-changes.ts';
import type { RecordedHome } from '#core/automation-replay/recorded/recorded-home.ts';
import type { ReplayClock, Replayed, SimulationWorld } from './simulation.ts';

/** The reducer with hands that reach nothing: what it wants is noted, and answered as a home would. */
export type ReplayStage = ReturnType<typeof createReplayStage>;

type ReplayStageDeps = {
  readonly automation: Replayed;
  readonly home: RecordedHome;
  readonly world: SimulationWorld;
  /** Eight hexadecimal digits, for the ids of runs. */
  readonly seed: string;
  /** Hears what it does, before it is answered. */
  readonly note: (effect: Effect) => void;
  /** Asked before each input: what comes of one may come without end at the same moment. */
  readonly isEnough?: () => boolean;
};

export function createReplayStage(deps: ReplayStageDeps) {
  const { home, world, seed, note } = deps;
  let automation = asReady(deps.automation, home.nowMs);
  let processes = 0;
  let engine = createEngine('');
  let isWorking = false;
  const inbox: Input[] = [];
  const timers = createVirtualTimers(home.clock);
  const found: Found = { written: new Map(), running: new Map() };

  /** One input after the other, each with all that it makes happen. */
  const send = (input: Input): void => {
    inbox.push(input);
    if (isWorking) return;
    isWorking = true;
    for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) {
      if (deps.isEnough?.() === true) break;
      for (const effect of step(engine, next, home.view).effects) {
        note(effect);
        noteFound(found, effect);
        carryOut(effect);
      }
    }
    isWorking = false;
  };
  const emit = (events: readonly HomeEvent[], cause: Cause | null): void => {
    for (const event of events) {
      if (event.type === 'variable.changed') timers.reviewCivil(home.nowMs);
      send({ kind: 'event', event, cause });
    }
  };
  const answers = createAnswers({
    home,
    world,
    emit,
    report: (ref, report, process) => {
      if (process === processes) send({ kind: 'command', ref, report });
    },
    process: () => processes,
  });

  const carryOut = (effect: Effect): void => {
    switch (effect.kind) {
      case 'arm':
        return timers.arm(effect.timer, effect.due, home.nowMs);
      case 'disarm':
        return timers.disarm(effect.timer);
      case 'command':
        return answers.give(effect);
      case 'request':
        return effect.ref === null ? undefined : send({ kind: 'request_ended', ref: effect.ref, error: null });
      case 'set_mode':
        return world === 'answering' ? emit(setMode(home, effect.mode, effect.value), effect.cause) : undefined;
      case 'set_variable':
        return world === 'answering' ? emit(setVariable(home, effect.variable, effect.value), effect.cause) : undefined;
      case 'enable':
      case 'disable':
        if (effect.target !== automation.id) return undefined;
        automation = { ...automation, state: effect.kind === 'enable' ? 'ready' : 'disabled' };
        return send({ kind: 'saved', automation });
      default:
    }
  };

  const start = (options?: { readonly startsLater: true }): void => {
    processes += 1;
    engine = createEngine(seed + String(processes % 10_000).padStart(4, '0'));
    timers.clear();
    send({ ...loadedFrom(home, automation, found), ...options });
  };
  return {
    send,
    emit,
    /** The start of a process: the first one, or after the hub was off. `startsLater`: its triggers do not hear of it. */
    start,
    /** When something is due that the stage itself waits for. */
    nextMs: (): number => Math.min(timers.next()?.atMs ?? Infinity, answers.nextMs()),
    runDue: (): void => {
      const due = timers.next();
      if (due === undefined || answers.nextMs() < due.atMs) return answers.runNext();
      timers.disarm(due.timer);
      send(inputFrom(due, home.nowMs));
    },
    /** Whether a run goes on. */
    isBusy: (): boolean => engine.runs.size > 0,
  };
}

/** The replayed automation is ready whatever its state is in life, and has missed no times before this moment. */
function asReady({ id, version, definition }: Replayed, signedAtMs: number): Automation {
  return { id, version, definition, state: 'ready', broken: [], signedAtMs, isDurable: false };
}

function inputFrom({ timer, atMs, isCivil }: DueTimer, nowMs: number): Input {
  return isCivil
    ? { kind: 'civil_due', timer, wallMs: atMs, lateMs: Math.max(0, nowMs - atMs) }
    : { kind: 'due', timer };
}

/** A start of the hub finds these entries and runs of the time before. */
type Found = { readonly written: Map<string, JsonValue>; readonly running: Map<string, AutomationRun> };

function noteFound({ written, running }: Found, effect: Effect): void {
  if (effect.kind === 'persist') {
    if (effect.value === null) written.delete(effect.key);
    else written.set(effect.key, effect.value);
  } else if (effect.kind === 'trace') {
    const { run } = effect;
    if (run.outcome === 'running') running.set(run.id, run);
    else running.delete(run.id);
  }
}

function loadedFrom(home: RecordedHome, automation: Automation, { written, running }: Found): Loaded {
  const { modes, variables, people, integrations } = home;
  const entries = new Map<string, SavedEntry>();
  for (const [key, value] of written) entries.set(key, { value: structuredClone(value), shiftMs: 0 });
  return {
    kind: 'loaded',
    automations: [automation],
    versions: [],
    devices: [...home.devices.values()],
    modes,
    variables,
    people,
    integrations,
    entries,
    traces: [...running.values()],
  };
}

/** As the hub finds its home at a start: values from before, and devices of which it has not heard yet. */
export function restoreHome(home: RecordedHome): void {
  for (const device of home.devices.values()) {
    device.availability = availabilityOf('unknown', home.nowMs);
    for (const [key, state] of device.states) {
      if (state.quality !== 'confirmed' && state.quality !== 'stale') continue;
      device.states.set(key, { ...state, quality: 'restored' });
    }
  }
  for (const integration of home.integrations.keys()) home.integrations.set(integration, false);
}

/** A timer is due at a moment of the replay. `isCivil`: that is a time of the wall clock, which may be past already. */
type DueTimer = { readonly timer: TimerId; readonly atMs: number; readonly isCivil: boolean };

/** The timers of one engine, on a clock that stands between two things that happen. */
function createVirtualTimers(clock: ReplayClock) {
  const timers = new Map<TimerId, { readonly due: Due; readonly atMs: number }>();
  let first: DueTimer | undefined;
  let isStale = false;
  /** The last such time up to now that was not dealt with yet, else the next one. */
  const timeOf = (due: Due, nowMs: number): number | undefined => {
    if ('hubMs' in due) return due.hubMs;
    const { civil, afterWallMs } = due;
    return clock.last(civil, afterWallMs, nowMs) ?? clock.next(civil, Math.max(afterWallMs, nowMs));
  };
  const put = (timer: TimerId, due: Due, nowMs: number): void => {
    timers.set(timer, { due, atMs: timeOf(due, nowMs) ?? Infinity });
    isStale = true;
  };
  return {
    arm: put,
    disarm: (timer: TimerId): void => {
      timers.delete(timer);
      isStale = true;
    },
    /** The first one; those of one moment come in the order of their names. */
    next: (): DueTimer | undefined => {
      if (!isStale) return first;
      isStale = false;
      first = undefined;
      for (const [timer, { due, atMs }] of timers) {
        const isFirst = first === undefined || atMs < first.atMs || (atMs === first.atMs && timer < first.timer);
        if (isFirst && atMs < Infinity) first = { timer, atMs, isCivil: 'civil' in due };
      }
      return first;
    },
    /** A variable changed, which may hold a time of the clock. */
    reviewCivil: (nowMs: number): void => {
      for (const [timer, { due }] of timers) if ('civil' in due) put(timer, due, nowMs);
    },
    clear: (): void => {
      timers.clear();
      isStale = true;
    },
  };
}
