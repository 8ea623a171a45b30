import type { Log } from '#base/log.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { dateOf } from '#automations/civil-date.ts';
import type { ReplayWork, ReplayWorkerDeps } from '#automations/replay/replay-worker.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { isDull } from '#core/automation-run/trace/trace.ts';
import type { RunRegistry } from '#core/automation-run/trace/run-registry.ts';
import type { Firing, Simulation, TimeWindow } from '#core/automation-replay/simulation.ts';
import { createSimulations, type SimulationRequest, type Simulations } from '#core/automation-replay/simulations.ts';
import { type UsedSeries, usedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Device } from '#core/device/device.ts';
import { withRecentPresence } from '#core/past/answer/presence-history.ts';
import type { Accounts } from '#auth/account/accounts.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { RecordingSettings } from '#core/past/history/recording-settings.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { UserId } from '#core/person/user.ts';
import type { Place } from '#core/place/place.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import type { Household } from '#hub/hub-household.ts';
import type { Storage } from '#storage/storage.ts';
import { followUsedFeatures, type UsedFeaturesDeps } from './used-features.ts';

type SimulationSource = Omit<ReplayWorkerDeps, 'threadUrl'>;

type Deps = {
  readonly storage: Pick<Storage, 'history' | 'hours' | 'meta'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly hubClock: { readonly nowMs: () => number };
  readonly startTimer: StartTimer;
  readonly newId: () => string;
  readonly log: Log;
  readonly simulate: SimulateWork;
};
/** Reads and replays; see `simulateInThread`. */
export type SimulateWork = (source: SimulationSource, work: ReplayWork) => Promise<Simulation>;

type Home = Pick<Household, 'modes' | 'variables'> & {
  readonly accounts: Pick<Accounts, 'users'>;
  readonly devices: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly automations: UsedFeaturesDeps['automations'];
  readonly events: UsedFeaturesDeps['events'];
  readonly scenes: Pick<SceneRegistry, 'findScene'>;
  readonly recording: Pick<RecordingSettings, 'isRecorded' | 'use' | 'used'>;
  readonly place: Place;
  readonly identity: Pick<HubIdentity, 'timeZone'>;
  readonly runs: Pick<RunRegistry, 'list' | 'completeSinceMs'>;
};

/** The people who live here. */
export function peopleOf({ accounts }: Pick<Home, 'accounts'>): readonly UserId[] {
  return accounts.users().flatMap(({ id, role }) => (role === 'guest' ? [] : [id]));
}

/** Replays of the past in threads of their own. */
export function openSimulations(deps: Deps, home: Home, stops: StopList): Simulations {
  const usedBy = createUsedBy(home);
  const simulations = createSimulations({
    ...deps,
    usedBy,
    simulate: (request, signal) => simulateIn(deps, { home, usedBy }, { request, signal }),
    log: deps.log.part('simulations'),
  });
  stops.add('simulations', simulations.stop);
  const { addMeta } = deps.storage.meta;
  stops.add('the watch over what automations look at', followUsedFeatures({ ...deps, ...home, usedBy, addMeta }));
  return simulations;
}

/** What of the past definitions look at in the home as it is now. */
function createUsedBy(
  home: Pick<Home, 'devices' | 'scenes' | 'accounts' | 'modes' | 'variables'>,
): (definitions: readonly Definition[]) => UsedSeries {
  return (definitions) =>
    usedSeries(definitions, {
      devices: home.devices.devices(),
      findScene: home.scenes.findScene,
      people: peopleOf(home),
      modes: home.modes.modes().map(({ key }) => key),
      variables: home.variables.variables().map(({ key }) => key),
    });
}

type Parts = { readonly home: Home; readonly usedBy: (definitions: readonly Definition[]) => UsedSeries };
type Wanted = { readonly request: SimulationRequest; readonly signal: AbortSignal };

function simulateIn(deps: Deps, { home, usedBy }: Parts, { request, signal }: Wanted): Promise<Simulation> {
  const { automation, compareTo, window, world, given, isKnown } = request;
  const used = usedBy([automation.definition, ...(compareTo === null ? [] : [compareTo.definition])]);
  const { history, hours } = withRecentPresence(deps.storage, deps.hubClock.nowMs);
  const isRecorded = (device: Device, key: string): boolean => {
    const feature = device.features.find((one) => one.key === key);
    return feature !== undefined && home.recording.isRecorded(device, feature);
  };
  const source = { history, hours, isRecorded, startTimer: deps.startTimer };
  return deps.simulate(source, {
    used,
    window,
    signal,
    job: {
      automation,
      compareTo,
      window,
      world,
      given,
      reality: isKnown ? realityOf(home.runs, automation.id, window) : null,
      home: {
        devices: used.devices.map(plainDevice),
        scenes: used.scenes,
        people: peopleOf(home),
      },
      triggers: new Set([...used.own].flatMap(([name, { isTrigger }]) => (isTrigger ? [name] : []))),
      timeZone: home.identity.timeZone().name,
      location: home.place.location(),
      freeDates: freeDatesOf(home.place, window),
    },
  });
}

/** For another thread, without the values of now. */
function plainDevice(device: Device): Device {
  const { featuresByKey: _, ...plain } = device as Device & { readonly featuresByKey?: unknown };
  return { ...plain, states: new Map() };
}

const DAY_MS = 86_400_000;
/** A time may lie so many days from the day that it belongs to, and the replay warms up. */
const AROUND_DAYS = 5;

function freeDatesOf({ isFree }: Place, { fromMs, toMs }: TimeWindow): ReadonlySet<string> {
  const [first, last] = [Math.floor(fromMs / DAY_MS) - AROUND_DAYS, Math.ceil(toMs / DAY_MS) + AROUND_DAYS];
  const days = Array.from({ length: last - first }, (_, at) => dateOf(first + at));
  return new Set(days.filter(isFree));
}

const PAGE = 100;

/** The starts that did something, as far as they are kept. */
function realityOf(
  { list, completeSinceMs }: Home['runs'],
  automation: SimulationRequest['automation']['id'],
  { fromMs, toMs }: TimeWindow,
): { readonly sinceMs: number; readonly firings: readonly Firing[] } {
  const sinceMs = Math.max(fromMs, completeSinceMs(automation));
  const firings: Firing[] = [];
  let page = list({ automation, fromMs: sinceMs, toMs }, { after: null, limit: PAGE });
  for (;;) {
    for (const run of page.runs) {
      if (isDull(run)) continue;
      firings.push({ atMs: run.startedAtMs, trigger: run.trigger.id, outcome: run.outcome, run: run.id });
    }
    if (page.next === null) return { sinceMs, firings: firings.toReversed() };
    page = list({ automation, fromMs: sinceMs, toMs }, { after: page.next, limit: PAGE });
  }
}
