import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { createHubAlarms } from '#core/notification/hub-alarms.ts';
import type { DeviceDescription } from '#core/device/device.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import { startBuiltIns } from '#core/notification/built-ins.ts';
import { describeLight, createFeature } from '#test/support/hub/feature.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createNotificationStore, openTestNotifications } from './notification-home.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const FEATURES = ['water_leak', 'smoke', 'co_alarm', 'gas_leak', 'battery_low'] as const;
const sensorOf = (externalId: string, name: string): DeviceDescription => ({
  ...describeLight(externalId, { name }),
  type: 'water_leak_detector',
  features: [
    ...FEATURES.map((capability) => createFeature(capability, { capability, valueType: 'boolean' })),
    createFeature('battery', { capability: 'battery', valueType: 'number' }),
    createFeature('lock_state', { capability: 'lock_state', valueType: 'enum', options: ['locked', 'jammed'] }),
  ],
});

const BROKEN: IntegrationStatus = { state: 'error', sinceMs: 0, error: { code: 'X', message: 'Nothing answers.' } };
const FINE: IntegrationStatus = { state: 'connected', sinceMs: 0, error: null };

async function openHome(store = createNotificationStore()) {
  const time = createManualTime();
  const home = await openTestHome(['Lamp'], time);
  await home.registry.reportsOf('hue').describeDevice(sensorOf('s1', 'Kitchen sink'));
  const reports = home.registry.reportsOf('hue');
  reports.reportAvailability('s1', 'online', null);
  const meta = new Map<string, string>();
  const told = new Set<string>();
  const statuses = new Map<string, IntegrationStatus>();
  const start = async () => {
    const notifications = await openTestNotifications({ time, store, emit: home.events.append });
    const news: string[] = [];
    notifications.follow(({ title }, what) => void news.push(`${what}: ${title}`));
    const builtIns = await startBuiltIns({
      notifications,
      events: home.events,
      devices: home.registry.devices,
      findDevice: home.registry.findDevice,
      findRoom: home.rooms.findRoom,
      wallMs: time.clock.wallMs,
      startTimer: time.startTimer,
      integrations: () => [...statuses].map(([id, status]) => ({ id, status })),
      findIntegration: (id) => (id === 'unused' ? undefined : { name: id.toUpperCase(), kind: 'toy' }),
      isToldElsewhere: (id) => told.has(id),
      store: {
        loadMeta: async () => meta,
        putMeta: async (fresh) => fresh.forEach((text, key) => meta.set(key, text)),
      },
    });
    const titles = (): readonly string[] =>
      notifications.all().flatMap(({ title, resolvedAtMs }) => (resolvedAtMs === null ? [title] : []));
    return { notifications, builtIns, news, titles };
  };
  const report = async (key: string, value: JsonValue): Promise<void> => {
    reports.reportValues('s1', new Map([[key, value]]));
    await time.advance(0);
  };
  const setStatus = async (integration: string, status: IntegrationStatus): Promise<void> => {
    statuses.set(integration, status);
    home.events.append({ type: 'integration.changed', integration, status });
    await time.advance(0);
  };
  return { ...home, reports, time, start, report, setStatus, told, store, first: await start() };
}

test.each([
  ['Utility room', 'Water: Utility room – Kitchen sink'],
  ['Kitchen', 'Water: Kitchen sink'],
])('it says in which room that is, unless the name does: %s', async (name, title) => {
  const { report, first, registry, rooms } = await openHome();
  const room = await rooms.addRoom(name);
  const sink = registry.findDevice('kitchen-sink');
  if (sink !== undefined) await registry.updateDevice(sink.id, { roomId: room.id });
  await report('water_leak', true);
  expect(first.titles()).toEqual([title]);
});

test.each([
  ['water_leak', 'Water: Kitchen sink'],
  ['smoke', 'Smoke: Kitchen sink'],
  ['co_alarm', 'Carbon monoxide: Kitchen sink'],
  ['gas_leak', 'Gas: Kitchen sink'],
])('%s is shown at once, as critical, and is over ten seconds after it ends', async (key, title) => {
  const { report, time, first, registry } = await openHome();
  await report(key, true);
  expect(first.notifications.all()).toMatchObject([
    { title, severity: 'critical', repeatS: 300, deviceId: registry.findDevice('kitchen-sink')?.id },
  ]);
  await report(key, false);
  await time.advance(9_999);
  expect(first.titles()).toEqual([title]);
  await time.advance(1);
  expect(first.titles()).toEqual([]);
});

test('water at a member of a group is one notification, by the name of the member', async () => {
  const { report, time, first, registry, groups } = await openHome();
  const sink = registry.findDevice('kitchen-sink');
  if (sink === undefined) throw new Error('there is no sensor');
  const group = await groups.addGroup({ name: 'All sensors', roomId: null, members: [sink] });
  await time.advance(200);
  await report('water_leak', true);
  await time.advance(200);
  expect(group.states.get('water_leak')?.value).toBe(true);
  expect(first.titles()).toEqual(['Water: Kitchen sink']);
  await first.builtIns.change({ water: false });
  await first.builtIns.change({ water: true });
  await time.advance(0);
  expect(first.titles()).toEqual(['Water: Kitchen sink']);
});

test('a sensor that flaps between wet and dry is one notification', async () => {
  const { report, time, first } = await openHome();
  for (let round = 0; round < 100; round += 1) {
    await report('water_leak', round % 2 === 0);
    await time.advance(2_000);
  }
  expect(first.notifications.all()).toHaveLength(1);
  expect(first.news.filter((line) => line.startsWith('shown'))).toHaveLength(1);
});

test('a jammed lock is shown, and over when it moves', async () => {
  const { report, time, first } = await openHome();
  await report('lock_state', 'locked');
  expect(first.titles()).toEqual([]);
  await report('lock_state', 'jammed');
  expect(first.titles()).toEqual(['Kitchen sink is jammed']);
  await report('lock_state', 'locked');
  await time.advance(10_000);
  expect(first.titles()).toEqual([]);
});

test('a battery at its threshold is shown once in a week of flapping, with few writes', async () => {
  const { report, time, first, store } = await openHome();
  await report('battery_low', false);
  for (let hour = 0; hour < 7 * 24; hour += 1) {
    await report('battery', hour % 2 === 0 ? 15 : 17);
    await time.advance(HOUR_MS);
  }
  expect(first.news).toEqual(['shown: Battery low: Kitchen sink']);
  expect(store.writes).toBe(1);
  await report('battery', 100);
  await time.advance(HOUR_MS);
  expect(first.titles()).toEqual([]);
  // The same battery after a cold night.
  await report('battery', 14);
  await time.advance(HOUR_MS);
  expect(first.titles()).toEqual(['Battery low: Kitchen sink']);
  expect(first.news.filter((line) => line.startsWith('shown'))).toHaveLength(1);
});

test('a word for a low battery that comes and goes each minute costs one notification and one write', async () => {
  const { report, time, first, store } = await openHome();
  await report('battery', 80);
  for (let minute = 0; minute < 240; minute += 1) {
    await report('battery_low', minute % 2 === 0);
    await time.advance(60_000);
  }
  expect([first.notifications.all().length, store.writes]).toEqual([1, 1]);
});

test('a device is shown as offline after a day, counted from when it was last heard, and only while it is', async () => {
  const { reports, time, first } = await openHome();
  await time.advance(20 * HOUR_MS);
  reports.reportValues('s1', new Map([['battery', 90]]));
  await time.advance(4 * HOUR_MS);
  reports.reportAvailability('s1', 'offline', 'no_answer');
  await time.advance(20 * HOUR_MS - 1);
  expect(first.titles()).toEqual([]);
  await time.advance(1);
  expect(first.titles()).toEqual(['Kitchen sink has been offline for a day']);
  reports.reportAvailability('s1', 'online', null);
  await time.advance(0);
  expect(first.titles()).toEqual([]);
});

test('a device that was away before a start is shown no earlier than ten minutes after it', async () => {
  const { reports, time, first } = await openHome();
  reports.reportValues('s1', new Map([['battery', 90]]));
  await time.advance(3 * DAY_MS);
  reports.reportAvailability('s1', 'offline', 'no_answer');
  await time.advance(600_000 - 1);
  expect(first.titles()).toEqual([]);
  reports.reportAvailability('s1', 'unknown', 'integration_down');
  await time.advance(DAY_MS);
  expect(first.titles(), 'nobody knows whether it is away').toEqual([]);
});

test('each device that is offline has one timer, and none is left when all are back', async () => {
  const { reports, time, registry } = await openHome();
  const count = 200;
  // The home has a timer of a second, for its scenes.
  const waitsMs = () => time.pendingMs().filter((ms) => ms > HOUR_MS);
  for (let number = 0; number < count; number += 1) {
    await registry.reportsOf('hue').describeDevice(sensorOf(`n${number}`, `Sensor ${number}`));
    reports.reportAvailability(`n${number}`, 'offline', 'no_answer');
    reports.reportAvailability(`n${number}`, 'offline', 'no_answer');
  }
  expect(waitsMs()).toHaveLength(count);
  for (let number = 0; number < count; number += 1) reports.reportAvailability(`n${number}`, 'online', null);
  expect(waitsMs()).toEqual([]);
});

test('two hundred devices that go at once are sixty notifications and a digest', async () => {
  const { reports, time, registry, first } = await openHome();
  for (let number = 0; number < 200; number += 1) {
    await registry.reportsOf('hue').describeDevice(sensorOf(`n${number}`, `Sensor ${number}`));
    reports.reportAvailability(`n${number}`, 'offline', 'no_answer');
  }
  await time.advance(DAY_MS + 20_000);
  expect(first.notifications.all()).toHaveLength(61);
  expect(first.notifications.all()[0]).toMatchObject({ count: 140 });
});

test('an integration is shown after five minutes without it, and over when it is back', async () => {
  const { setStatus, time, first } = await openHome();
  await setStatus('hue', BROKEN);
  await time.advance(200_000);
  await setStatus('hue', { state: 'connecting', sinceMs: 0, error: null });
  await time.advance(99_999);
  expect(first.titles()).toEqual([]);
  await time.advance(1);
  expect(first.titles()).toEqual(['HUE has not been connected for five minutes']);
  await setStatus('hue', FINE);
  expect(first.titles()).toEqual([]);
});

test('a notification tells the household what to do, and not what answers at an address', async () => {
  const { setStatus, time, first } = await openHome();
  for (const [id, code] of [
    ['hue', 'KEY_REFUSED'],
    ['wled', 'NOT_MQTT'],
  ] as const) {
    await setStatus(id, { state: 'error', sinceMs: 0, error: { code, message: `${id} says ${code}` } });
  }
  await time.advance(300_000);
  const texts = first.notifications.all().map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['Its devices cannot be reached.', 'hue says KEY_REFUSED']);
});

test('an integration that is down for a moment again and again is not shown', async () => {
  const { setStatus, time, first } = await openHome();
  for (let round = 0; round < 50; round += 1) {
    await setStatus('hue', BROKEN);
    await time.advance(299_000);
    await setStatus('hue', FINE);
  }
  expect(first.notifications.all()).toEqual([]);
});

test('an integration whose broker is down, or that nobody set up, or that is off, is not shown', async () => {
  const { setStatus, time, first, told } = await openHome();
  told.add('zigbee2mqtt');
  await setStatus('zigbee2mqtt', BROKEN);
  await setStatus('unused', BROKEN);
  await setStatus('wled', { state: 'off', sinceMs: 0, error: null });
  await time.advance(HOUR_MS);
  expect(first.notifications.all()).toEqual([]);
});

test('a restart repeats nothing, and finds what has ended or begun meanwhile', async () => {
  const { report, setStatus, time, first, start, reports } = await openHome();
  await report('water_leak', true);
  await report('battery', 10);
  await setStatus('hue', BROKEN);
  await time.advance(300_000);
  expect(first.titles()).toHaveLength(3);
  first.builtIns.stop();
  await first.notifications.stop();
  const calm = await start();
  await time.advance(0);
  expect([calm.news, calm.titles().length]).toEqual([[], 3]);
  calm.builtIns.stop();
  await calm.notifications.stop();
  await report('water_leak', false);
  await setStatus('hue', FINE);
  await report('smoke', true);
  const late = await start();
  await time.advance(10_000);
  expect(late.titles().toSorted()).toEqual(['Battery low: Kitchen sink', 'Smoke: Kitchen sink']);
  late.builtIns.stop();
  await late.notifications.stop();
  await reports.removeDevice('s1');
  const gone = await start();
  await time.advance(0);
  expect(gone.titles()).toEqual([]);
});

test('what is said of a device is over when the device is removed', async () => {
  const { report, reports, time, first } = await openHome();
  await report('water_leak', true);
  await report('battery', 3);
  await reports.removeDevice('s1');
  await time.advance(0);
  expect(first.titles()).toEqual([]);
});

test('what is switched off is over and stays away, over restarts too, until it is switched on', async () => {
  const { report, first, start, time } = await openHome();
  await report('battery', 10);
  expect(await first.builtIns.change({ battery_low: false })).toMatchObject({ battery_low: false, water: true });
  await time.advance(0);
  expect(first.titles()).toEqual([]);
  await report('battery', 9);
  first.builtIns.stop();
  const next = await start();
  await time.advance(0);
  expect([next.titles(), next.builtIns.switches().battery_low]).toEqual([[], false]);
  await next.builtIns.change({ battery_low: true });
  await time.advance(0);
  expect(next.titles()).toEqual(['Battery low: Kitchen sink']);
});

test('the disk, the backup and the history are shown while they need somebody', async () => {
  const { first, time } = await openHome();
  const GIB = 1024 ** 3;
  const fine = {
    database: 'ok',
    freeBytes: 8 * GIB,
    totalBytes: 16 * GIB,
    backupFailure: null,
    historyPausedSinceMs: null,
  } as const;
  const look = async (changes: Partial<Parameters<ReturnType<typeof createHubAlarms>['noteStorage']>[0]>) => {
    first.builtIns.noteStorage({ ...fine, ...changes });
    await time.advance(0);
    return first.titles().toSorted();
  };
  expect(await look({ freeBytes: 0.79 * GIB })).toEqual(['The disk is nearly full']);
  expect(await look({ freeBytes: 0.9 * GIB }), 'it stays until there is clearly room').toEqual([
    'The disk is nearly full',
  ]);
  expect(await look({ freeBytes: 1.21 * GIB })).toEqual([]);
  expect(await look({ backupFailure: { message: 'disk full' }, historyPausedSinceMs: 5 })).toEqual([
    'The history is paused',
    'The last backup failed',
  ]);
  expect(await look({})).toEqual([]);
  expect(await look({ freeBytes: 20 * GIB, totalBytes: 1_000 * GIB }), 'two per cent of a large disk').toEqual([]);
});

test('a notification names the device or script whose samples are left out, until the day is over', async () => {
  const { first, registry, time } = await openHome();
  const { notePaused } = first.builtIns;
  const sink = registry.findDevice('kitchen-sink')?.id ?? '';
  // A script may have the selector of a device for its id.
  const paused = [
    { kind: 'device', id: sink, reason: 'day', sinceMs: 0 },
    { kind: 'integration', id: 'kitchen-sink', reason: 'month', sinceMs: 0 },
    { kind: 'integration', id: 'unused', reason: 'day', sinceMs: 0 },
    { kind: 'device', id: 'gone', reason: 'day', sinceMs: 0 },
  ] as const;
  for (const one of paused) notePaused(one, true);
  await time.advance(3_600_000);
  expect(first.titles()).toEqual([
    'KITCHEN-SINK reports more than can be recorded',
    'Kitchen sink reports more than can be recorded',
  ]);
  const told = first.notifications.all();
  expect(told.map(({ deviceId }) => deviceId)).toEqual([null, sink]);
  expect(told.map(({ text }) => /rest of this (day|month)/.exec(text)?.[1])).toEqual(['month', 'day']);
  for (const one of paused) notePaused(one, false);
  await time.advance(3_600_000);
  expect(first.titles()).toEqual([]);
});
