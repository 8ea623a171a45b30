import { dateOf } from '#automations/civil-date.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { isDull } from '#core/automation-run/trace/trace.ts';
import type { RunRegistry } from '#core/automation-run/trace/run-registry.ts';
import type { Firing, TimeWindow } from '#core/automation-replay/simulation.ts';
import { createSimulations, type SimulationRequest, type Simulations } from '#core/automation-replay/simulations.ts';
import { type UsedSeries, usedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Device } from '#core/device/device.ts';
import { RUN_SERIES } from '#core/past/history/sample.ts';
import { withRecentPresence } from '#core/past/answer/presence-history.ts';
import type { Accounts } from '#auth/account/accounts.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Place } from '#core/place/place.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import type { Past } from '#hub/history/hub-history.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { Household } from '#hub/hub-household.ts';
import { residentsOf } from '#hub/hub-people.ts';
import { followUsedFeatures, type UsedFeaturesDeps } from '#hub/history/used-features.ts';

type SimulationsDeps = Pick<
  HubContext,
  'storage' | 'clock' | 'hubClock' | 'startTimer' | 'log' | 'stops' | 'identity' | 'events' | 'newId' | 'simulate'
> & {
  readonly people: { readonly accounts: Pick<Accounts, 'users'> };
  readonly devices: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly scenes: Pick<SceneRegistry, 'findScene'>;
  readonly household: Pick<Household, 'modes' | 'variables' | 'place'>;
  readonly past: Pick<Past, 'recording'>;
  readonly automations: UsedFeaturesDeps['automations'];
  readonly runs: Pick<RunRegistry, 'list' | 'completeSinceMs'>;
};

type UsedBy = (definitions: readonly Definition[]) => UsedSeries;

const DAY_MS = 86_400_000;
/** A time may lie so many days from the day that it belongs to, and the replay warms up. */
const AROUND_DAYS = 5;
const PAGE = 100;

/** Replays the past in threads of their own. */
export function openSimulations(deps: SimulationsDeps): Simulations {
  const { storage, stops } = deps;
  const usedBy = createUsedBy(deps);
  const log = deps.log.part('simulations');
  const simulations = createSimulations({ ...deps, usedBy, simulate: createSimulate(deps, usedBy), log });
  stops.add('simulations', simulations.stop);
  const { recording } = deps.past;
  const unfollow = followUsedFeatures({ ...deps, recording, usedBy, addMeta: storage.meta.addMeta });
  stops.add('the watch over what automations look at', unfollow);
  return simulations;
}

/** Finds what of the past definitions look at in the home as it is now. */
function createUsedBy({ people, devices, scenes, household }: SimulationsDeps): UsedBy {
  return (definitions) =>
    usedSeries(definitions, {
      devices: devices.devices(),
      findScene: scenes.findScene,
      people: residentsOf(people.accounts),
      modes: household.modes.modes().map(({ key }) => key),
      variables: household.variables.variables().map(({ key }) => key),
    });
}

type Simulate = Parameters<typeof createSimulations>[0]['simulate'];

function createSimulate({ people, household, past, ...deps }: SimulationsDeps, usedBy: UsedBy): Simulate {
  const { place } = household;
  const { history, hours } = withRecentPresence(deps.storage, deps.hubClock.nowMs);
  const isRecorded = (device: Device, key: string): boolean => {
    const feature = device.features.find((one) => one.key === key);
    return feature !== undefined && past.recording.isRecorded(device, feature);
  };
  const source = { history, hours, isRecorded, startTimer: deps.startTimer };
  return ({ automation, compareTo, window, world, inputs, isKnown, asIfOn }, signal) => {
    const all = usedBy([automation.definition, ...(compareTo === null ? [] : [compareTo.definition])]);
    const used = asIfOn ? { ...all, beside: all.beside.filter((name) => name !== RUN_SERIES) } : all;
    return deps.simulate(source, {
      used,
      window,
      signal,
      job: {
        automation,
        compareTo,
        window,
        world,
        inputs,
        reality: isKnown ? realityOf(deps.runs, automation.id, window) : null,
        home: { devices: used.devices.map(plainDevice), scenes: used.scenes, people: residentsOf(people.accounts) },
        triggers: new Set([...used.own].flatMap(([name, { isTrigger }]) => (isTrigger ? [name] : []))),
        timeZone: deps.identity.timeZone().name,
        location: place.location(),
        freeDates: freeDatesOf(place, window),
      },
    });
  };
}

/** The device as another thread gets it, without the values of now. */
function plainDevice(device: Device): Device {
  const { featuresByKey: _, ...plain } = device as Device & { readonly featuresByKey?: unknown };
  return { ...plain, states: new Map() };
}

function freeDatesOf({ isFree }: Place, { fromMs, toMs }: TimeWindow): ReadonlySet<string> {
  const first = Math.floor(fromMs / DAY_MS) - AROUND_DAYS;
  const last = Math.ceil(toMs / DAY_MS) + AROUND_DAYS;
  const days = Array.from({ length: last - first }, (_, at) => dateOf(first + at));
  return new Set(days.filter(isFree));
}

/** Finds the starts that did something, as far as they are kept. */
function realityOf(
  { list, completeSinceMs }: SimulationsDeps['runs'],
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
