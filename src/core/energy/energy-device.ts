import type { Runtime } from '#base/time/runtime.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { DeviceDescription } from '#core/device/device.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Feature } from '#core/feature/feature.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import type { Energy } from './energy.ts';
import { ENERGY } from './settings.ts';
import { devicesOfPlan, type PowerName, type PowerPlan, powerPlan, POWERS, presentPowers } from './present-power.ts';

type EnergyDeviceDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly energy: Pick<Energy, 'settings' | 'onChange'>;
  readonly devices: Pick<DeviceRegistry, 'findDevice' | 'findByExternalId' | 'reportsOf' | 'reportDerived'>;
  readonly events: Pick<EventLog, 'append' | 'subscribe'>;
};

/** Meters report one after the other: values of the same moment count together, and the disk is spared. */
const GATHER_MS = 1_000;
/** Clients hear at most this often that something changed. */
const SAY_EVERY_MS = 10_000;

/** Keeps the device `energy` up to date, until the returned function is called. */
export async function startEnergyDevice(deps: EnergyDeviceDeps): Promise<() => void> {
  const { energy, devices, events, startTimer, log } = deps;
  const reports = devices.reportsOf(ENERGY);
  const inTurn = createTurnQueue();
  let plan: PowerPlan = new Map();
  let described = '';
  let watched: ReadonlySet<string> = new Set();
  const say = createSayer(startTimer, () => events.append({ type: 'energy.changed', powers: shownPowers(devices) }));

  let last = '';
  const show = (): void => {
    const shown = devices.findByExternalId(ENERGY, ENERGY);
    if (shown === undefined) return;
    const powers = presentPowers(plan, devices.findDevice);
    devices.reportDerived(shown.id, powers);
    const text = JSON.stringify([...powers]);
    if (text !== last) say.soon();
    last = text;
  };
  const gathering = createOnce(startTimer, GATHER_MS, show);
  const describe = async (): Promise<void> => {
    plan = powerPlan(energy.settings(), devices.findDevice);
    // A device that is absent may come with the power that a counter lacks.
    watched = new Set([...devicesOfPlan(plan), ...energy.settings().solar.map(({ device }) => device)]);
    const names = POWERS.filter((name) => plan.has(name));
    if (names.join() === described) return show();
    const list = names.length === 0 ? [] : [descriptionOf(names)];
    await reports.syncDevices(list);
    described = names.join();
    if (list.length > 0) reports.reportAvailability(ENERGY, 'online', null);
    show();
  };
  const describeSoon = (): void => {
    inTurn(describe).catch((cause: unknown) => log.error('the device of energy could not be shown', { cause }));
  };
  const note = (event: HomeEvent): void => {
    if (!('device' in event) || !watched.has(event.device.id)) return;
    if (event.type === 'feature.changed' || event.type === 'availability.changed') gathering.soon();
    else if (event.type !== 'feature.occurred') describeSoon();
  };
  await inTurn(describe);
  const ends = [
    events.subscribe(note),
    energy.onChange((what) => {
      if (what === 'settings') describeSoon();
      say.soon();
    }),
    gathering.stop,
    say.stop,
  ];
  return () => ends.forEach((end) => end());
}

/** Runs the task once, some time after the first of several wishes. */
function createOnce(startTimer: StartTimer, afterMs: number, task: () => void) {
  let cancel: (() => void) | undefined;
  return {
    soon: (): void => {
      cancel ??= startTimer(afterMs, () => {
        cancel = undefined;
        task();
      });
    },
    stop: (): void => cancel?.(),
  };
}

/** Says something at once, but not again before some time has passed; a wish in between is said then. */
function createSayer(startTimer: StartTimer, task: () => void) {
  let cancel: (() => void) | undefined;
  let isWished = false;
  const say = (): void => {
    isWished = false;
    cancel = startTimer(SAY_EVERY_MS, () => {
      cancel = undefined;
      if (isWished) say();
    });
    task();
  };
  return {
    soon: (): void => {
      if (cancel === undefined) say();
      else isWished = true;
    },
    stop: (): void => cancel?.(),
  };
}

function descriptionOf(names: readonly PowerName[]): DeviceDescription {
  return {
    externalId: ENERGY,
    name: 'Energy',
    type: 'electrical_sensor',
    manufacturer: null,
    model: null,
    firmware: null,
    features: names.map(featureOf),
    staleAfterMs: null,
  };
}

const TITLES: Readonly<Record<PowerName, string>> = {
  grid_power: 'Grid power',
  solar_power: 'Solar power',
  battery_power: 'Battery power',
  home_power: 'Home power',
};
const MEANINGS: Readonly<Record<PowerName, string>> = {
  grid_power: 'Positive while the home takes from the grid, negative while it gives.',
  solar_power: 'What is produced now.',
  battery_power: 'Positive while the battery gives, negative while it charges.',
  home_power: 'What the home uses now.',
};

function featureOf(name: PowerName): Feature {
  const component = name.slice(0, name.indexOf('_'));
  const feature = wordFeature('power', component, { name: TITLES[name], description: MEANINGS[name] });
  return { ...feature, key: name };
}

/** As the device shows them; `null` for what is unknown or not possible. */
type ShownPowers = Readonly<Record<PowerName, number | null>>;

function shownPowers({ findByExternalId }: Pick<DeviceRegistry, 'findByExternalId'>): ShownPowers {
  const states = findByExternalId(ENERGY, ENERGY)?.states;
  const powers = POWERS.map((name) => {
    const value = states?.get(name)?.value;
    return [name, typeof value === 'number' ? value : null];
  });
  return Object.fromEntries(powers) as ShownPowers;
}

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** The powers of the home have changed, in W; at most one event in ten seconds. */
    'energy.changed': { readonly powers: Readonly<Record<string, number | null>> };
  }
}
