import { isSameJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { createEngine, type Effect, type Input } from '#core/automation-run/engine.ts';
import type { AutomationEngine, EntryStore } from '#core/automation-run/live.ts';
import { stepInPieces } from '#core/automation-run/step.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Place } from '#core/place/place.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import { type CivilTime, createCivilTime } from '#automations/civil-time.ts';
import { type AlarmsDeps, createAlarms } from './alarms.ts';
import { type CommandDeskDeps, createCommandDesk } from './command-desk.ts';
import { createEffects } from './effects.ts';
import { createCalls } from './engine-calls.ts';
import { type EngineClockDeps, watchClock } from './engine-clock.ts';
import { createEngineTimers } from './engine-timers.ts';
import type { EngineAutomations, EngineReports } from './engine-ports.ts';
import { createHomeActs, createSteering, type HomeActsDeps } from './home-acts.ts';
import { createInputLoop } from './input-loop.ts';
import { createLiveView, type LiveHome } from './live-view.ts';
import { createRecentPast, type PastSource } from './recent-past.ts';
import { loadedInput, type LoadedFrom, loadVersions, type ReachableDeps, whenReachable } from './loaded-input.ts';
import { createSavedEntries } from './saved-entries.ts';

type AutomationEngineDeps = EngineClockDeps &
  Pick<CommandDeskDeps, 'commands' | 'findSigner' | 'mayCaller'> &
  Pick<HomeActsDeps, 'send'> &
  Pick<AlarmsDeps, 'notifications'> &
  LoadedFrom &
  Pick<ReachableDeps, 'isReachable'> & {
    readonly home: LiveHome & { readonly scenes: Pick<SceneRegistry, 'noteActivated'> };
    readonly automations: EngineAutomations;
    readonly events: Pick<EventLog, 'subscribe'>;
    readonly place: Place;
    readonly past: PastSource;
    readonly zone: () => TimeZone;
    readonly store: EntryStore;
    readonly reports: EngineReports;
    /** The version of the program: a new one is an update. */
    readonly version: string;
    /** Twelve hexadecimal digits that no other start had. */
    readonly seed: string;
    /** To be called before something is done for automations; its result once that is done. */
    readonly noteServed: () => () => void;
    /** Whether safe mode has put off all automations: until `begin` none is read and none runs. */
    readonly isPutOff: () => boolean;
    readonly startTimer: StartTimer;
    readonly monotonicMs: () => number;
    readonly log: Log;
  };

/** The last program that ran here; it is not the reducer's. */
const VERSION_KEY = 'edge/version';
/** The reducer takes in these events; all others cost one look. */
const HEARD: ReadonlySet<HomeEvent['type']> = new Set<HomeEvent['type']>([
  'feature.changed',
  'feature.occurred',
  'availability.changed',
  'device.added',
  'device.changed',
  'device.removed',
  'mode.changed',
  'variable.changed',
  'presence.changed',
  'integration.changed',
]);

type OpenAutomationEngine = {
  readonly engine: AutomationEngine;
  /**
   * Continues what was under way when the hub ended, and runs the automations from then on. To be called until it resolves:
   * where it fails, nothing has begun.
   */
  readonly begin: () => Promise<void>;
  readonly close: () => void;
};

export function openAutomationEngine(deps: AutomationEngineDeps): OpenAutomationEngine {
  const parts = createParts({ ...deps, ...createSteering(deps) });
  const { timers, loop, acts } = parts;
  const stops: (() => void)[] = [];
  return {
    engine: createCalls({ ...parts, isPutOff: deps.isPutOff }),
    begin: () => begin(deps, parts, stops),
    close: () => {
      for (const end of stops) end();
      loop.stop();
      timers.stop();
      acts.stop();
      parts.past.stop();
    },
  };
}

async function begin(deps: AutomationEngineDeps, parts: Parts, stops: (() => void)[]): Promise<void> {
  const { loop, entries } = parts;
  const saved = await entries.load();
  const lastVersion = saved.get(VERSION_KEY)?.value;
  saved.delete(VERSION_KEY);
  const versions = await loadVersions(saved, deps.automations);
  const doneServing = deps.noteServed();
  for (const { id, definition } of deps.automations.all()) {
    const older = versions.filter((one) => one.id === id);
    parts.past.put(id, [definition, ...older.map((one) => one.definition)]);
  }
  doneServing();
  stops.push(...listen(deps, parts));
  loop.push(loadedInput(deps, saved, versions));
  stops.push(whenReachable(deps, () => startOnce(deps, parts)));
  if (lastVersion !== deps.version) {
    entries.keep([{ kind: 'persist', urgency: 'with_next', key: VERSION_KEY, value: deps.version }]);
    if (lastVersion !== undefined) loop.push({ kind: 'updated' });
  }
}

/** Automations that start with the hub may ask of the past, which is being read: they wait two seconds at most. */
function startOnce({ automations }: AutomationEngineDeps, { past, loop }: Parts): void {
  const reading = automations.all().flatMap(({ id }) => past.ready(id) ?? []);
  const start = (): void => loop.push({ kind: 'started' });
  if (reading.length === 0) start();
  else void Promise.all(reading).then(start);
}

type Parts = ReturnType<typeof createParts>;

function createParts(deps: AutomationEngineDeps & ReturnType<typeof createSteering>) {
  const { home, automations, reports, log } = deps;
  const engine = createEngine(deps.seed);
  const clock = watchClock(deps);
  const civil = civilTimeOf(deps);
  const past = createRecentPast({
    ...deps,
    findFeature: ({ device, key }) => home.devices.findDevice(device)?.features.find((one) => one.key === key),
    // Between the clock's jump and the moment in which the reducer takes it in, the two count differently.
    nowMs: () => (clock.epoch() === deps.hubClock.epoch() ? clock.wallMs() : undefined),
  });
  const live = createLiveView(home, {
    ...deps,
    clock,
    civil,
    history: past.answer,
  });
  const timers = createEngineTimers({
    ...clock,
    wallMs: clock.guessMs,
    startTimer: deps.startTimer,
    civil,
    onDue: () => loop.wake(),
  });
  const entries = createSavedEntries({ ...deps, ...clock });
  const alarms = createAlarms(deps);
  const desk = createCommandDesk({
    ...deps,
    ...home,
    ...reports,
    noteActivated: home.scenes.noteActivated,
    findProgram: (id) => engine.automations.get(id)?.program.ready(),
    report: (ref, report) => loop.push({ kind: 'command', ref, report }),
  });
  const acts = createHomeActs({
    ...deps,
    alarms,
    clock,
    civil,
    onRequestEnded: (ref, error) => loop.push({ kind: 'request_ended', ref, error }),
  });
  const hasNone = (): boolean => engine.automations.size === 0 && automations.all().length === 0;
  let isClosed = false;
  const carryOut = createEffects({
    timers,
    entries,
    desk,
    acts,
    alarms,
    automations,
    reports,
    isStopped: () => isClosed,
    log,
  });
  const { stop, ...loop } = createInputLoop({
    takeDue: timers.take,
    deal: (input) => stepInPieces(engine, input, live.view),
    // The first input brings them all; from then on the engine has them.
    noteServed: () => (hasNone() ? () => undefined : deps.noteServed()),
    carryOut,
    onIdle: timers.schedule,
    monotonicMs: deps.monotonicMs,
    nameOf: (input, effects) => nameOf(automations, input, effects),
    log,
  });
  const stopLoop = (): void => {
    isClosed = true;
    stop();
  };
  return {
    engine,
    clock,
    live,
    past,
    timers,
    entries,
    alarms,
    desk,
    acts,
    loop: { ...loop, stop: stopLoop },
  };
}

function civilTimeOf({ zone, place, home }: AutomationEngineDeps): CivilTime {
  return createCivilTime({
    zone,
    place: place.location,
    isFree: place.isFree,
    timeIn: (key) => {
      const value = home.variables.findVariable(key)?.value;
      return typeof value === 'string' ? value : undefined;
    },
  });
}

/** Keeps the past that the automation looks at, in the versions too with which its runs began. */
function lookBack({ engine, past }: Parts, id: AutomationId, present: readonly Definition[]): void {
  const running = [...engine.runs.values()].filter(({ state }) => state.automation === id);
  past.put(id, [...present, ...running.map(({ program }) => program.definition)]);
}

function listen(deps: AutomationEngineDeps, parts: Parts) {
  const { clock, live, past, timers, alarms, desk, loop } = parts;
  const hear = (event: HomeEvent): void => {
    if (event.type === 'command.changed') return desk.note(event.command);
    if (!HEARD.has(event.type)) return;
    live.note(event);
    if (event.type === 'variable.changed') {
      const { key } = event.variable;
      timers.replan((rule) => rule.type === 'time' && isSameJson(rule.at ?? null, { variable: key }));
    }
    // A feature has its own.
    const cause = event.type !== 'feature.changed' && 'cause' in event ? (event.cause ?? null) : null;
    loop.push({ kind: 'event', event, cause });
  };
  return [
    deps.events.subscribe(hear),
    deps.automations.subscribe((change) => {
      if (change.kind === 'removed') {
        lookBack(parts, change.id, []);
        alarms.removed(change.id);
        return loop.push({ kind: 'removed', automation: change.id });
      }
      lookBack(parts, change.automation.id, [change.automation.definition]);
      if (change.automation.state !== 'suspended') alarms.mended(change.automation.id);
      loop.push({ kind: 'saved', automation: change.automation });
    }),
    deps.place.subscribe(() => {
      timers.replan(() => true);
      loop.wake();
    }),
    clock.follow((hubShiftMs, take) => {
      const before = (): void => {
        take();
        timers.noteClockSet();
        live.shift(hubShiftMs);
        past.renew();
      };
      loop.push({ kind: 'clock_set', hubShiftMs }, { before });
    }),
  ];
}

function nameOf({ nameOf: find }: EngineAutomations, input: Input, effects: readonly Effect[]): string | null {
  if ('automation' in input) return find(typeof input.automation === 'string' ? input.automation : input.automation.id);
  for (const effect of effects) {
    if ('automation' in effect) return find(effect.automation);
    if (effect.kind === 'trace') return find(effect.run.automation);
  }
  return null;
}
