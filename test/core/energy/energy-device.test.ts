import { describe, expect, test } from 'vitest';
import { createSubscribers } from '#base/subscribers.ts';
import { startEnergyDevice } from '#core/energy/energy-device.ts';
import type { Energy } from '#core/energy/energy.ts';
import { NO_ENERGY, type StoredEnergySettings } from '#core/energy/settings.ts';
import { openRecorder } from '#core/past/history/recorder.ts';
import { createEventLog } from '#core/event/event-log.ts';
import { openDeviceHome } from '#test/support/hub/device-home.ts';
import { openMemoryRecording } from '#test/core/past/history/memory-recordings.ts';
import { createFeature, describeLight } from '#test/support/hub/feature.ts';
import { settingsOf } from './energy-home.ts';

const POWER = createFeature('power', { capability: 'power', valueType: 'number', unit: 'W', writable: false });
const COUNTER = createFeature('energy', { capability: 'energy', valueType: 'number', unit: 'kWh', writable: false });

async function open() {
  const home = await openDeviceHome();
  const { log, time, registry } = home;
  const size = { capacity: 100, maxBytes: 1_000_000 };
  const bytes = Buffer.from('{}');
  const events = createEventLog({
    startLater: (run) => void setImmediate(run),
    epoch: 'a',
    sizes: { feature: size, inventory: size, passing: size, asked: size },
    monotonicMs: time.clock.monotonicMs,
    rightOf: () => null,
    log,
    encode: () => ({ frame: bytes, dataFrom: 0, dataTo: bytes.length }),
  });
  // The registries of the home give their events to a list; here they also reach who subscribes.
  const passOn = (): void => home.events.splice(0).forEach(events.append);
  const names = ['grid', 'sun', 'store'];
  await home.reports.syncDevices(names.map((name) => describeLight(name, { features: [POWER, COUNTER] })));
  for (const name of names) home.reports.reportAvailability(name, 'online', null);
  passOn();
  const subscribers = createSubscribers<Parameters<Parameters<Energy['onChange']>[0]>>(log);
  const state = { settings: NO_ENERGY };
  const said: unknown[] = [];
  events.subscribe((event) => event.type === 'energy.changed' && said.push(event.powers));
  const stop = await startEnergyDevice({
    energy: { settings: () => state.settings, onChange: subscribers.add },
    devices: registry,
    events,
    startTimer: time.startTimer,
    log,
  });
  const ref = (name: string, key = 'power') => ({ device: home.device(name).id, key });
  return {
    home,
    said,
    stop,
    ref,
    set: async (parts: Partial<StoredEnergySettings>) => {
      state.settings = settingsOf(parts);
      subscribers.tell('settings');
      await time.advance(0);
    },
    report: async (values: Record<string, number>) => {
      for (const [name, power] of Object.entries(values)) home.report(name, { power });
      passOn();
      await time.advance(1_000);
    },
    passOn,
    shown: () => {
      const device = registry.findByExternalId('energy', 'energy');
      return Object.fromEntries(
        (device?.features ?? []).map(({ key }) => {
          const { value = null, quality = 'none' } = device?.states.get(key) ?? {};
          return [key, `${JSON.stringify(value)} ${quality}`];
        }),
      );
    },
  };
}

async function openWhole() {
  const scene = await open();
  const { ref } = scene;
  await scene.set({
    grid: { import: [], export: [], power: { series: ref('grid'), positive: 'export' } },
    solar: [ref('sun', 'energy')],
    battery: [{ charge: null, discharge: null, power: { series: ref('store'), positive: 'charge' }, level: null }],
  });
  return scene;
}

describe('the device energy', () => {
  test('is there only with the powers that the settings make possible', async () => {
    const { set, ref, shown } = await open();
    expect(shown()).toEqual({});
    await set({ solar: [ref('sun')] });
    expect(Object.keys(shown())).toEqual(['solar_power']);
    await set({ solar: [ref('sun')], grid: { import: [ref('grid', 'energy')], export: [], power: null } });
    expect(Object.keys(shown())).toEqual(['solar_power']);
    await set({ grid: { import: [], export: [], power: { series: ref('grid'), positive: 'import' } } });
    expect(Object.keys(shown())).toEqual(['grid_power', 'home_power']);
    await set({});
    expect(shown()).toEqual({});
  });

  test('shows what the home gets from each side, and uses', async () => {
    const { report, shown } = await openWhole();
    await report({ grid: -300, sun: 1_000, store: 400 });
    expect(shown()).toEqual({
      grid_power: '300 confirmed',
      solar_power: '1000 confirmed',
      battery_power: '-400 confirmed',
      home_power: '900 confirmed',
    });
  });

  test('knows nothing where a part is unknown, and again once it is known', async () => {
    const { home, report, passOn, shown } = await openWhole();
    await report({ grid: -300, sun: 1_000 });
    expect(shown()).toMatchObject({
      solar_power: '1000 confirmed',
      battery_power: 'null none',
      home_power: 'null none',
    });
    await report({ store: 0 });
    expect(shown()).toMatchObject({ home_power: '1300 confirmed' });
    home.reports.reportAvailability('sun', 'offline', 'no_report');
    passOn();
    await home.time.advance(1_000);
    expect(shown()).toMatchObject({ grid_power: '300 confirmed', solar_power: 'null none', home_power: 'null none' });
    home.reports.reportAvailability('sun', 'online', null);
    passOn();
    await home.time.advance(1_000);
    expect(shown()).toMatchObject({ home_power: '1300 confirmed' });
  });

  test('is only as sure as the least sure of its parts', async () => {
    const { home, report, shown, passOn } = await openWhole();
    await report({ grid: -300, store: 0 });
    home.reports.reportKeptValues('sun', new Map([['power', 50]]));
    passOn();
    await home.time.advance(1_000);
    expect(shown()).toMatchObject({
      grid_power: '300 confirmed',
      solar_power: '50 restored',
      home_power: '350 restored',
    });
  });

  test('does no work for other devices, and counts reports of one second together', async () => {
    const { home, report, said } = await openWhole();
    await report({ grid: 0, sun: 0, store: 0 });
    const before = home.registry.version();
    await home.reports.describeDevice(describeLight('other', { features: [POWER] }));
    const added = home.registry.version();
    for (let count = 0; count < 10; count += 1) await report({ other: count });
    expect(home.registry.version() - added).toBe(10);
    expect(added).toBeGreaterThan(before);
    expect(said.length).toBeLessThanOrEqual(2);
  });

  test('says at most every ten seconds that something changed, and says the last of it', async () => {
    const { home, report, said } = await openWhole();
    await home.time.advance(20_000);
    said.splice(0);
    for (let count = 1; count <= 25; count += 1) await report({ grid: -count, sun: 0, store: 0 });
    await home.time.advance(20_000);
    expect(said.length).toBe(4);
    expect(said.at(-1)).toEqual({ grid_power: 25, solar_power: 0, battery_power: 0, home_power: 25 });
  });

  test('is recorded as other devices are: a part that is unknown is a gap', async () => {
    const { home, report, passOn } = await openWhole();
    const samples: unknown[] = [];
    const recorder = await openRecorder({
      budget: { take: () => true },
      store: {
        describeSeries: () => undefined,
        append: ({ samples: list }: { samples: readonly { series: string; value: unknown }[] }) =>
          void samples.push(...list.filter(({ series }) => series.endsWith('/home_power')).map(({ value }) => value)),
        readUsage: async () => ({
          months: [],
          bytes: 0,
          waitingSamples: 0,
          lastSampleMs: null,
          pausedSinceMs: null,
          unusable: [],
        }),
        findBefore: async () => null,
        flush: async () => undefined,
      } as never,
      devices: home.registry.devices,
      house: { modes: () => [], variables: () => [], presences: () => [] },
      hubClock: {
        epoch: () => 'a',
        nowMs: home.time.clock.wallMs,
        learnedShiftMs: () => null,
        isSynced: () => true,
        nowInEpochMs: home.time.clock.wallMs,
      },
      clock: home.time.clock,
      startTimer: home.time.startTimer,
      recording: await openMemoryRecording(),
      log: home.log,
    });
    home.registry.onValues(recorder.noteValues);
    await report({ grid: -300, sun: 1_000, store: 0 });
    home.events.splice(0).forEach(recorder.noteEvent);
    home.reports.reportAvailability('sun', 'offline', 'no_report');
    passOn();
    await home.time.advance(1_000);
    home.events.splice(0).forEach(recorder.noteEvent);
    await home.time.advance(1_000);
    expect(samples).toEqual([1_300, { gap: 'offline' }]);
  });
});
