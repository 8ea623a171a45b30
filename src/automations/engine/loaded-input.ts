import type { StartTimer } from '#base/time/timer.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Input, SavedEntry } from '#core/automation-run/engine.ts';
import { decodeRun } from '#core/automation-run/state/run-record.ts';
import type { RunRegistry } from '#core/automation-run/trace/run-registry.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { EngineAutomations } from './engine-ports.ts';
import type { LiveHome } from './live-view.ts';

export type ReachableDeps = {
  /** False while something that automations command is still to be connected. */
  readonly isReachable: () => boolean;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly startTimer: StartTimer;
};

export type LoadedFrom = {
  readonly home: LiveHome;
  readonly automations: EngineAutomations;
  readonly integrations: () => ReadonlyMap<string, boolean>;
  /** The traces from before. */
  readonly runs: Pick<RunRegistry, 'find' | 'unfinished'>;
};

/** Older versions of automations, of the runs that go on. */
export async function loadVersions(
  saved: ReadonlyMap<string, SavedEntry>,
  automations: EngineAutomations,
): Promise<Loaded['versions']> {
  const present = new Map(automations.all().map(({ id, version }) => [id, version]));
  const wanted = new Map<string, readonly [AutomationId, number]>();
  for (const [key, { value }] of saved) {
    const run = key.startsWith('run/') ? decodeRun(value) : undefined;
    if (run === undefined || !present.has(run.automation) || present.get(run.automation) === run.version) continue;
    wanted.set(`${run.automation} ${run.version}`, [run.automation, run.version]);
  }
  const found = await Promise.all([...wanted.values()].map(([id, version]) => automations.loadVersion(id, version)));
  return found.filter((version) => version !== undefined);
}

type Loaded = Extract<Input, { kind: 'loaded' }>;

export function loadedInput(
  { home, automations, integrations, runs }: LoadedFrom,
  entries: Loaded['entries'],
  versions: Loaded['versions'],
): Loaded {
  return {
    kind: 'loaded',
    automations: automations.all(),
    versions,
    devices: home.devices.devices(),
    modes: new Map(home.modes.modes().map(({ key, value }) => [key, value])),
    variables: new Map(home.variables.variables().map(({ key, value }) => [key, value])),
    people: new Map(home.people().map((id) => [id, home.presence.presenceOf(id).state])),
    integrations: integrations(),
    entries,
    traces: tracesFor(entries, runs),
    startsLater: true,
  };
}

/** Traces of runs that had not ended, and of runs whose entries are left: one of these may have ended. */
function tracesFor(entries: Loaded['entries'], runs: LoadedFrom['runs']): readonly AutomationRun[] {
  const left = [...entries.keys()].flatMap((key) => (key.startsWith('run/') ? (runs.find(key.slice(4)) ?? []) : []));
  return [...new Map([...runs.unfinished(), ...left].map((run) => [run.id, run])).values()];
}

/** A hub whose power was cut with the whole house starts before its bridges do. */
const MOST_START_MS = 30_000;

/** Calls it once all can be reached, at the latest after half a minute. */
export function whenReachable({ isReachable, events, startTimer }: ReachableDeps, onReachable: () => void): () => void {
  if (isReachable()) {
    onReachable();
    return () => undefined;
  }
  const stop = (): void => {
    stopTimer();
    stopEvents();
  };
  const go = (): void => {
    stop();
    onReachable();
  };
  const stopTimer = startTimer(MOST_START_MS, go);
  const stopEvents = events.subscribe(({ type }) => {
    if (type.startsWith('integration.') && isReachable()) go();
  });
  return stop;
}
