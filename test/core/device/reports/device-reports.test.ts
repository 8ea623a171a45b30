import { expect, test } from 'vitest';
import { DIRECT } from '#core/cause/cause.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import type { JsonValue } from '#base/json.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { createDeviceDisk, type DeviceHome, lamp, openDeviceHome, TEMPERATURE } from '#test/support/hub/device-home.ts';

async function openLamp(details: Parameters<typeof lamp>[1] = {}): Promise<DeviceHome> {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a', details)]);
  home.changes.length = 0;
  home.takeEvents();
  return home;
}

test('a report that repeats the present value makes no event, no write and no new version', async () => {
  const home = await openLamp();
  home.report('a', { on: true, temperature: 20 });
  expect(home.takeEvents()).toEqual(['feature.changed', 'feature.changed']);
  expect(home.changes).toEqual(['changed a']);
  const version = home.registry.version();
  const written = home.disk.counts.values;
  await home.time.advance(5000);
  home.report('a', { on: true, temperature: 20 });
  expect(home.takeEvents()).toEqual([]);
  expect(home.changes).toEqual(['changed a', 'observed a']);
  expect([home.registry.version(), home.disk.counts.values]).toEqual([version, written]);
  const { observedAtMs, changedAtMs } = home.device('a').states.get('on') ?? {};
  expect(Number(observedAtMs) - Number(changedAtMs)).toBe(5000);
  expect(home.device('a').availability.lastSeenAtMs).toBe(observedAtMs);
});

test('values of an earlier time are shown with that time', async () => {
  const home = await openLamp();
  const atMs = home.time.clock.wallMs() - 60_000;
  home.reports.reportValues('a', new Map([['temperature', 20]]), atMs);
  expect(home.device('a').states.get('temperature')).toMatchObject({ observedAtMs: atMs, changedAtMs: atMs });
  expect(home.device('a').availability.lastSeenAtMs).toBe(home.time.clock.wallMs());
});

test('a lamp that tells only one of its colors shows the other one no more', async () => {
  const features = ['main.on', 'main.color', 'main.color_temperature', 'left.color'].map((name) => {
    const [component = '', capability = ''] = name.split('.');
    const valueType = capability === 'color' ? 'color' : capability === 'on' ? 'boolean' : 'number';
    return createFeature(name, { component, capability: capability as Capability, valueType });
  });
  const home = await openLamp({ features });
  const red = { x: 0.7, y: 0.3 };
  const quality = (): (string | undefined)[] => features.map(({ key }) => home.device('a').states.get(key)?.quality);
  home.report('a', { 'main.on': true, 'main.color_temperature': 2700, 'left.color': red });
  expect(quality()).toEqual(['confirmed', undefined, 'confirmed', 'confirmed']);
  home.takeEvents();
  home.registry.assumeValues(home.device('a').id, new Map([['main.color', red]]), DIRECT);
  expect(quality()).toEqual(['confirmed', 'assumed', 'confirmed', 'confirmed']);
  home.report('a', { 'main.color': red, 'main.color_temperature': null });
  expect(quality()).toEqual(['confirmed', 'confirmed', 'none', 'confirmed']);
  home.report('a', { 'main.color_temperature': 2700 });
  home.report('a', { 'main.color': red });
  expect(quality()).toEqual(['confirmed', 'confirmed', 'stale', 'confirmed']);
  expect(home.device('a').states.get('main.color_temperature')?.value).toBe(2700);
  home.takeEvents();
  home.report('a', { 'main.color': red });
  expect(home.takeEvents()).toEqual([]);
  home.report('a', { 'main.color_temperature': 2700 });
  expect(quality()).toEqual(['confirmed', 'stale', 'confirmed', 'confirmed']);
  home.report('a', { 'main.color': red, 'main.color_temperature': 2700 });
  expect(quality()).toEqual(['confirmed', 'confirmed', 'confirmed', 'confirmed']);
});

test('what a device does not know any more has no value, also after a restart; of what was never known that is no news', async () => {
  const home = await openLamp();
  home.report('a', { on: true, temperature: null });
  expect([home.shown('a', 'on'), home.shown('a', 'temperature')]).toEqual(['true confirmed', 'null none']);
  expect(home.takeEvents()).toEqual(['feature.changed']);
  home.report('a', { on: null });
  expect(home.shown('a', 'on')).toBe('null none');
  expect(home.takeEvents()).toEqual(['feature.changed']);
  home.report('a', { on: null });
  expect(home.takeEvents()).toEqual([]);
  expect((await openDeviceHome(home.disk)).shown('a', 'on')).toBe('null none');
});

test('what a device does not know ends an assumption, unless it never knew it', async () => {
  const home = await openLamp();
  const assume = (on: boolean): void => home.registry.assumeValues(home.device('a').id, new Map([['on', on]]), DIRECT);
  assume(true);
  home.report('a', { on: null });
  expect(home.shown('a', 'on')).toBe('true assumed');
  home.report('a', { on: true });
  assume(false);
  home.report('a', { on: null });
  expect(home.shown('a', 'on')).toBe('null none');
});

test('a value that a broker kept as unknown ends the one before', async () => {
  const home = await openLamp();
  home.report('a', { on: true });
  home.reports.reportKeptValues('a', new Map([['on', null]]));
  expect(home.shown('a', 'on')).toBe('null none');
});

const LOCK_REPORTS: readonly (readonly [report: Record<string, JsonValue>, locked: string])[] = [
  [{ lock_state: 'locked' }, 'true confirmed'],
  [{ lock_state: 'unlocked' }, 'false confirmed'],
  [{ lock_state: 'open' }, 'false confirmed'],
  [{ locked: true, lock_state: 'locked' }, 'true confirmed'],
  [{ locked: true, lock_state: 'unlocked' }, 'false confirmed'],
  [{ locked: false, lock_state: 'not_fully_locked' }, 'false confirmed'],
  ...['jammed', 'unknown', 'locking', 'unlocking', 'opening', 'uncalibrated', '254'].flatMap((state) => [
    [{ lock_state: state }, 'null none'] as const,
    [{ locked: true, lock_state: state }, 'null none'] as const,
  ]),
  [{ lock_state: null }, 'null none'],
  [{ locked: true, lock_state: null }, 'true confirmed'],
  [{ locked: true }, 'true confirmed'],
];

test.each(LOCK_REPORTS)('a lock that reports %j is locked: %s', async (report, locked) => {
  const features = [
    createFeature('locked', { capability: 'locked' }),
    createFeature('lock_state', { capability: 'lock_state', valueType: 'enum' }),
  ];
  const home = await openLamp({ features });
  home.report('a', { locked: true, lock_state: 'locked' });
  home.report('a', report);
  expect(home.shown('a', 'locked')).toBe(locked);
});

test('values have room or not before they are reported, together and in place of those before', async () => {
  const limits = { ...DEVICE_LIMITS, valuesOfDevice: 1_000, valuesInAll: 1_500 };
  const home = await openDeviceHome(createDeviceDisk(), createManualTime(), limits);
  const features = ['x.a', 'x.b'].map((key) => createFeature(key, { capability: 'x.text', valueType: 'string' }));
  await home.reports.syncDevices([lamp('a', { features }), lamp('b', { features })]);
  const fits = (name: string, values: Record<string, JsonValue>): boolean =>
    home.registry.hasRoomFor(home.device(name).id, new Map(Object.entries(values)));
  const [half, most] = ['x'.repeat(500), 'x'.repeat(900)];
  expect([fits('a', { 'x.a': half, 'x.b': half }), fits('a', { 'x.a': most, 'x.b': half })]).toEqual([true, false]);
  home.report('a', { 'x.a': most });
  expect([fits('a', { 'x.b': half }), fits('a', { 'x.a': half, 'x.b': half })]).toEqual([false, true]);
  expect([fits('b', { 'x.a': most }), fits('b', { 'x.a': half })]).toEqual([false, true]);
  expect(home.shown('a', 'x.b')).toBe('null none');
});

test('values go from restored to confirmed to stale and back, each with an event, and only changes are written', async () => {
  const disk = createDeviceDisk();
  const first = await openDeviceHome(disk);
  await first.reports.syncDevices([lamp('a', { staleAfterMs: 60_000 })]);
  first.report('a', { on: true, temperature: 20 });
  const written = disk.counts.values;

  const home = await openDeviceHome(disk);
  expect([home.shown('a', 'on'), home.shown('a', 'temperature')]).toEqual(['true restored', '20 restored']);
  expect(home.device('a').availability).toMatchObject({ state: 'unknown', reason: 'no_report' });
  const steps = async (run: () => void, afterMs = 0): Promise<string[]> => {
    const version = home.registry.version();
    await home.time.advance(afterMs);
    run();
    const moved = home.registry.version() === version ? 'same version' : 'new version';
    return [...home.takeEvents(), home.shown('a', 'on'), moved];
  };
  expect(await steps(home.registry.markStale, 60_000)).toEqual(['true restored', 'same version']);
  expect(await steps(() => home.report('a', { on: true }))).toEqual([
    'feature.changed',
    'true confirmed',
    'new version',
  ]);
  expect(await steps(home.registry.markStale, 59_999)).toEqual(['true confirmed', 'same version']);
  expect(await steps(home.registry.markStale, 1)).toEqual(['feature.changed', 'true stale', 'new version']);
  expect(await steps(home.registry.markStale, 60_000)).toEqual(['true stale', 'same version']);
  expect(disk.counts.values).toBe(written);
  expect(await steps(() => home.report('a', { on: false }))).toEqual([
    'feature.changed',
    'false confirmed',
    'new version',
  ]);
  expect(disk.counts.values).toBe(written + 1);
});

test('an integration can say which values are too old, and the others stay fresh', async () => {
  const home = await openLamp();
  home.report('a', { on: true, temperature: 20 });
  home.takeEvents();
  home.reports.reportStale('a', ['on', 'nonsense']);
  home.reports.reportStale('a', ['on']);
  home.reports.reportStale('nobody', ['on']);
  expect(home.takeEvents()).toEqual(['feature.changed']);
  expect([home.shown('a', 'on'), home.shown('a', 'temperature')]).toEqual(['true stale', '20 confirmed']);
  home.report('a', { on: true });
  expect(home.shown('a', 'on')).toBe('true confirmed');
});

test('a new rule for stale values holds at once; without a rule, values stay fresh', async () => {
  const home = await openLamp({ staleAfterMs: 60_000 });
  home.report('a', { on: true });
  await home.reports.describeDevice(lamp('a', { staleAfterMs: 3_600_000 }));
  home.report('a', { on: true });
  await home.time.advance(600_000);
  home.registry.markStale();
  expect(home.shown('a', 'on')).toBe('true confirmed');
  await home.reports.describeDevice(lamp('a', { staleAfterMs: 1000 }));
  await home.time.advance(1000);
  home.registry.markStale();
  expect(home.shown('a', 'on')).toBe('true stale');
  home.report('a', { on: true });
  await home.reports.describeDevice(lamp('a', { staleAfterMs: null }));
  await home.time.advance(10_000_000);
  home.registry.markStale();
  expect(home.shown('a', 'on')).toBe('true confirmed');
});

test.each([
  ['type', createFeature('temperature', { valueType: 'string' })],
  ['unit', { ...TEMPERATURE, unit: 'K' }],
  ['kind', { ...TEMPERATURE, kind: 'event' as const }],
])('a feature that changes its %s loses its old value, also after a restart', async (_, feature) => {
  const home = await openLamp();
  home.report('a', { on: true, temperature: 20 });
  await home.reports.describeDevice(lamp('a', { features: [createFeature('on'), feature] }));
  expect([home.shown('a', 'on'), home.shown('a', 'temperature')]).toEqual(['true confirmed', 'null none']);
  const again = await openDeviceHome(home.disk);
  expect([again.shown('a', 'on'), again.shown('a', 'temperature')]).toEqual(['true restored', 'null none']);
});

test('values of features that no longer exist are dropped and do not come back with a restart', async () => {
  const home = await openLamp();
  home.report('a', { on: true, temperature: 20 });
  await home.reports.describeDevice(lamp('a', { features: [createFeature('on')] }));
  home.report('a', { temperature: 21, unheard_of: 1 });
  expect([...home.device('a').states.keys()]).toEqual(['on']);
  await home.reports.describeDevice(lamp('a'));
  expect(home.shown('a', 'temperature')).toBe('null none');
  expect((await openDeviceHome(home.disk)).shown('a', 'temperature')).toBe('null none');
});

function nest(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = { in: value };
  return value;
}

const HOSTILE: [string, Parameters<typeof createFeature>[1], () => unknown][] = [
  ['not a number', { valueType: 'number' }, () => Number.NaN],
  ['endless', { valueType: 'number' }, () => Number.POSITIVE_INFINITY],
  ['a number in words', { valueType: 'number' }, () => '20'],
  ['a truthy number', { valueType: 'boolean' }, () => 1],
  ['a huge string', { valueType: 'string' }, () => 'x'.repeat(100_000)],
  ['a huge word', { valueType: 'enum', options: ['a'] }, () => 'x'.repeat(100_000)],
  ['a list for an object', { valueType: 'object' }, () => []],
  ['an object for a list', { valueType: 'list' }, () => ({})],
  ['nested without end', { valueType: 'object' }, () => nest(100_000)],
  ['nested a little too deep', { valueType: 'any' }, () => nest(9)],
  ['a huge list', { valueType: 'list' }, () => Array.from({ length: 100_000 }, () => 0)],
  ['huge names', { valueType: 'object' }, () => ({ ['x'.repeat(100_000)]: 1 })],
  ['a hidden not-a-number', { valueType: 'object' }, () => ({ a: [Number.NaN] })],
  ['nothing', { valueType: 'any' }, () => undefined],
  ['a function', { valueType: 'any' }, () => () => 1],
  ['a big integer', { valueType: 'any' }, () => 1n],
];

test.each(HOSTILE)('I1: %s is ignored, logged once, and harms nothing', async (_, details, make) => {
  const value = make();
  const home = await openLamp({ features: [createFeature('on'), createFeature('odd', details)] });
  for (let time = 0; time < 3; time += 1) home.report('a', { odd: value as JsonValue, on: time % 2 === 0 });
  expect([home.shown('a', 'odd'), home.shown('a', 'on')]).toEqual(['null none', 'true confirmed']);
  expect(home.lines.filter((line) => line.includes('does not fit its feature'))).toHaveLength(1);
  expect([...home.disk.values.values()].map(({ key }) => key)).toEqual(['on']);
});

test('a refused value is logged once for each feature, also where good ones come in between', async () => {
  const number = { valueType: 'number' } as const;
  const home = await openLamp({ features: [createFeature('one', number), createFeature('other', number)] });
  const lines = (): number => home.lines.filter((line) => line.includes('does not fit its feature')).length;
  home.report('a', { one: 'x'.repeat(100) });
  home.report('a', { one: 'wrong', other: 'wrong' });
  expect(lines()).toBe(2);
  expect(home.lines.some((line) => line.includes('x'.repeat(40)) && !line.includes('x'.repeat(41)))).toBe(true);
  home.report('a', { one: 5 });
  home.report('a', { one: 'wrong', other: 'wrong' });
  expect(lines()).toBe(2);
});

test('I1: an unusual but possible value is kept as it came', async () => {
  const values: Record<string, JsonValue> = {
    number: 1e300,
    enum: 'not an option',
    object: nest(8),
    list: [],
    any: null,
  };
  const features = Object.keys(values).map((key) => createFeature(key, { valueType: key as 'any', min: 0, max: 1 }));
  const home = await openLamp({ features });
  home.report('a', values);
  const { any: _, ...kept } = values;
  expect(Object.fromEntries([...home.device('a').states].map(([key, { value }]) => [key, value]))).toEqual(kept);
  expect(home.lines).toEqual([]);
});

test('an occurrence makes an event and is never a state; one that is too long is ignored', async () => {
  const home = await openLamp();
  home.reports.reportOccurrence('a', 'button', { action: 'single', raw: 'single' });
  home.reports.reportOccurrence('a', 'on', { action: 'single', raw: 'single' });
  home.reports.reportOccurrence('a', 'button', { action: 'x'.repeat(10_000), raw: '' });
  expect(home.takeEvents()).toEqual(['feature.occurred']);
  expect(home.device('a').states.size).toBe(0);
  expect(home.changes).toEqual(['observed a']);
});

test('availability makes an event when its state or reason changes, and its time changes only with the state', async () => {
  const home = await openLamp();
  home.reports.reportAvailability('a', 'offline', 'no_report');
  const { sinceMs } = home.device('a').availability;
  await home.time.advance(1000);
  home.reports.reportAvailability('a', 'offline', 'no_report');
  home.reports.reportAvailability('a', 'offline', 'integration_down');
  expect(home.device('a').availability).toMatchObject({ sinceMs, reason: 'integration_down' });
  home.reports.reportAvailability('a', 'online', null);
  expect(home.device('a').availability.sinceMs).toBe(sinceMs + 1000);
  expect(home.takeEvents()).toEqual(Array.from({ length: 3 }, () => 'availability.changed'));
});

test('reports for unknown devices are ignored', async () => {
  const home = await openLamp();
  const version = home.registry.version();
  home.report('ghost', { on: true });
  home.reports.reportAvailability('ghost', 'online', null);
  home.reports.reportSeen('ghost', 1);
  home.reports.reportOccurrence('ghost', 'button', { action: 'single', raw: 'single' });
  await home.reports.removeDevice('ghost');
  expect([home.events, home.changes, home.registry.version()]).toEqual([[], [], version]);
});

test('a clock that is set back gives earlier times, but neither stale values nor lost changes', async () => {
  const time = createManualTime();
  let backMs = 0;
  const clock = { ...time.clock, wallMs: () => time.clock.wallMs() - backMs };
  const home = await openDeviceHome(createDeviceDisk(), { ...time, clock });
  await home.reports.syncDevices([lamp('a', { staleAfterMs: 60_000 })]);
  home.report('a', { on: true });
  home.reports.reportAvailability('a', 'online', null);
  backMs = 86_400_000;
  home.registry.markStale();
  home.report('a', { on: true, temperature: 20 });
  home.reports.reportAvailability('a', 'offline', 'no_report');
  expect([home.shown('a', 'on'), home.shown('a', 'temperature')]).toEqual(['true confirmed', '20 confirmed']);
  expect(home.device('a').availability).toMatchObject({
    state: 'offline',
    sinceMs: clock.wallMs(),
    lastSeenAtMs: clock.wallMs(),
  });
  await home.time.advance(60_000);
  home.registry.markStale();
  expect(home.shown('a', 'on')).toBe('true stale');
  const again = await openDeviceHome(home.disk);
  expect(again.shown('a', 'on')).toBe('true restored');
});

test('the error of a listener is logged, and the other listeners are still called', async () => {
  const home = await openLamp();
  const heard: string[] = [];
  home.registry.onChange(() => {
    throw new Error('a bug of the first listener');
  });
  home.registry.onValues(() => {
    throw new Error('a bug of the second listener');
  });
  home.registry.onChange((kind) => void heard.push(kind));
  const stop = home.registry.onValues((_device, values) => void heard.push([...values.keys()].join()));
  await home.reports.describeDevice(lamp('b'));
  home.report('a', { on: true });
  expect(heard).toEqual(['added', 'changed', 'on']);
  stop();
  home.report('a', { on: false });
  expect(heard).toEqual(['added', 'changed', 'on', 'changed']);
  expect(home.lines.filter((line) => line.includes('a bug of the')).length).toBe(5);
});

/** Counts the steps along collections, the look-ups and the sorts of this task. */
function countSteps(run: () => void): number {
  let steps = 0;
  const counted = (prototype: object, names: readonly string[]): (() => void)[] =>
    names.map((name) => {
      const method: unknown = Reflect.get(prototype, name);
      if (typeof method !== 'function') throw new Error(`there is no ${name}`);
      Reflect.set(prototype, name, function count(this: unknown, ...args: unknown[]): unknown {
        steps += 1;
        return Reflect.apply(method, this, args);
      });
      return () => void Reflect.set(prototype, name, method);
    });
  const iterators = [new Map().values(), new Set().values(), [].values()];
  const undo = [
    ...iterators.flatMap((iterator) => counted(Object.getPrototypeOf(iterator) as object, ['next'])),
    ...counted(Map.prototype, ['get', 'set', 'delete', 'has']),
    ...counted(Array.prototype, ['indexOf', 'filter', 'map', 'flatMap', 'find', 'some', 'every', 'forEach', 'sort']),
  ];
  const before = steps;
  try {
    run();
    return steps - before;
  } finally {
    for (let index = 0; index < undo.length; index += 1) undo[index]?.();
  }
}

async function openHomeOf(count: number): Promise<DeviceHome> {
  const home = await openDeviceHome(undefined, undefined, { ...DEVICE_LIMITS, shownOfIntegration: count });
  await home.reports.syncDevices(
    Array.from({ length: count }, (_, index) => lamp(`0x${index}`, { staleAfterMs: 1000 })),
  );
  return home;
}

test('a report costs the same number of steps in a home of ten and of ten thousand devices', async () => {
  const stepsIn = async (count: number): Promise<number[]> => {
    const home = await openHomeOf(count);
    const external = `0x${Math.floor(count / 2)}`;
    const devices = home.registry.devices();
    const steps = [
      countSteps(() => home.report(external, { on: true, temperature: 20 })),
      countSteps(() => home.report(external, { on: true })),
      countSteps(() => home.reports.reportAvailability(external, 'online', null)),
      countSteps(() => home.reports.reportSeen(external, 1)),
      countSteps(() => home.registry.markStale()),
    ];
    expect(home.registry.devices()).toBe(devices);
    return steps;
  };
  const few = await stepsIn(10);
  expect(few[0]).toBeGreaterThan(5);
  expect(await stepsIn(10_000)).toEqual(few);
});

test('a value that a broker kept is shown as restored: no sign of life, not written, and weaker than a report', async () => {
  const home = await openLamp();
  const keep = (values: Record<string, JsonValue>): string[] => {
    home.reports.reportKeptValues('a', new Map(Object.entries(values)));
    return home.takeEvents();
  };
  expect(keep({ on: true })).toEqual(['feature.changed']);
  expect(home.shown('a', 'on')).toBe('true restored');
  expect(home.device('a').states.get('on')).toMatchObject({ observedAtMs: null, changedAtMs: null });
  expect(home.device('a').availability.lastSeenAtMs).toBe(null);
  expect(home.disk.counts.values).toBe(0);
  home.report('a', { on: true });
  home.takeEvents();
  expect(keep({ on: true })).toEqual([]);
  expect(home.shown('a', 'on')).toBe('true confirmed');
  // The device reported it while the hub was away: new to the hub, but of unknown age.
  expect(keep({ on: false })).toEqual(['feature.changed']);
  expect(home.shown('a', 'on')).toBe('false restored');
  expect(keep({ on: 'no boolean', unknown: 1 })).toEqual([]);
});

test('a value that a broker kept does not confirm a command', async () => {
  const home = await openLamp();
  home.report('a', { on: false });
  home.registry.assumeValues(home.device('a').id, new Map([['on', true]]), DIRECT);
  home.reports.reportKeptValues('a', new Map([['on', true]]));
  expect(home.shown('a', 'on')).toBe('true assumed');
});
