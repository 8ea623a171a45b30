import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { type BridgeWorld, openBridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { bringDevices, type ProvidedDevice, type ProvidedHome } from '#test/support/matter/provided-home.ts';

/** What the simulated home lacks of what the bridge can offer, and of each sensor one whose values the test gives. */
const WORKSHOP: readonly ProvidedDevice[] = [
  {
    id: 'shop-fan',
    type: 'fan',
    features: { on: {}, fan_speed: { min: 0, max: 100 } },
    values: { on: true, fan_speed: 20 },
  },
  { id: 'shop-valve', type: 'water_valve', features: { valve_open: {} }, values: { valve_open: false } },
  {
    id: 'shop-blind',
    type: 'window_covering',
    features: { cover_state: { options: ['open', 'close', 'stop'] }, position: {}, tilt: {} },
    values: { position: 100, tilt: 50 },
  },
  {
    id: 'shop-climate',
    type: 'thermostat',
    features: {
      target_temperature: { min: 7, max: 30, step: 0.5 },
      target_temperature_cool: { min: 16, max: 32, step: 0.5 },
      thermostat_mode: { options: ['off', 'heat', 'cool'] },
      temperature: {},
    },
    values: { target_temperature: 20, target_temperature_cool: 26, thermostat_mode: 'heat', temperature: 20.5 },
  },
  {
    id: 'shop-alarm',
    type: 'smoke_co_alarm',
    features: { smoke: {}, co_alarm: {} },
    values: { smoke: false, co_alarm: false },
  },
  {
    id: 'shop-door',
    type: 'contact_sensor',
    features: { open: {}, battery: {} },
    values: { open: false, battery: 80 },
  },
  { id: 'shop-presence', type: 'occupancy_sensor', features: { presence: {} }, values: { presence: false } },
  { id: 'shop-leak', type: 'water_leak_detector', features: { water_leak: {} }, values: { water_leak: false } },
  { id: 'shop-thermometer', type: 'temperature_sensor', features: { temperature: {} }, values: { temperature: 20 } },
  { id: 'shop-hygrometer', type: 'humidity_sensor', features: { humidity: {} }, values: { humidity: 40 } },
  { id: 'shop-twilight', type: 'light_sensor', features: { illuminance: {} }, values: { illuminance: 100 } },
  {
    id: 'shop-saw',
    type: 'on_off_plug_in_unit',
    features: { on: {}, power: {}, voltage: {}, current: {} },
    values: { on: true, power: 12, voltage: 230, current: 0.1 },
  },
  {
    id: 'shop-button',
    type: 'generic_switch',
    features: { button: { options: ['single', 'double', 'hold', 'release'] } },
    values: {},
  },
];

/** Device types of Matter, without that of each bridged device. */
const TYPES: Readonly<Record<string, readonly number[]>> = {
  'Bedroom bedside lamp': [0x0101],
  'Bedroom climate': [0x0302, 0x11],
  'Bedroom climate Humidity': [0x0307],
  'Bedroom window': [0x15, 0x11],
  'Front door lock': [0x0a, 0x11],
  'Hallway ceiling': [0x0100],
  'Hallway motion': [0x0107, 0x11],
  'Hallway motion Illuminance': [0x0106],
  'Kitchen ceiling': [0x010c],
  'Kitchen fridge plug': [0x010a, 0x0510],
  'Kitchen sink leak sensor': [0x43, 0x11],
  'Living room blind': [0x0202],
  'Living room lamp': [0x010d],
  'Living room remote': [0x0f, 0x11],
  'Living room thermostat': [0x0301, 0x11],
  'Shop fan': [0x2b],
  'Shop valve': [0x42],
  'Shop blind': [0x0202],
  'Shop climate': [0x0301],
  'Shop alarm': [0x76],
  'Shop door': [0x15, 0x11],
  'Shop presence': [0x0107],
  'Shop leak': [0x43],
  'Shop thermometer': [0x0302],
  'Shop hygrometer': [0x0307],
  'Shop twilight': [0x0106],
  'Shop saw': [0x010a, 0x0510],
  'Shop button': [0x0f],
};

/** A cluster with a command, or with the attribute that is written; then what is reported, and its new value. */
type Step = [name: string, order: string, given: unknown, attribute: string | null, value?: unknown];

const AT_ONCE = { transitionTime: 0, optionsMask: 0, optionsOverride: 0 };
const switching = (name: string): Step[] => [
  [name, 'OnOff.Off', {}, 'OnOff.OnOff', false],
  [name, 'OnOff.On', {}, 'OnOff.OnOff', true],
  [name, 'OnOff.Toggle', {}, 'OnOff.OnOff', false],
  [name, 'OnOff.On', {}, 'OnOff.OnOff', true],
];
const dimming = (name: string): Step[] => [
  ...switching(name),
  ...[254, 25, 127].map((level): Step => [
    name,
    'LevelControl.MoveToLevelWithOnOff',
    { level, ...AT_ONCE },
    'LevelControl.CurrentLevel',
    level,
  ]),
  [name, 'LevelControl.Step', { stepMode: 0, stepSize: 127, ...AT_ONCE }, 'LevelControl.CurrentLevel', 254],
];
const white = (name: string): Step => [
  name,
  'ColorControl.MoveToColorTemperature',
  { colorTemperatureMireds: 370, ...AT_ONCE },
  'ColorControl.ColorTemperatureMireds',
  370,
];
const covering = (name: string): Step[] => [
  [name, 'WindowCovering.DownOrClose', {}, 'WindowCovering.CurrentPositionLiftPercent100ths', 10_000],
  [
    name,
    'WindowCovering.GoToLiftPercentage',
    { liftPercent100thsValue: 3000 },
    'WindowCovering.CurrentPositionLiftPercent100ths',
    3000,
  ],
  [name, 'WindowCovering.StopMotion', {}, null],
  [name, 'WindowCovering.UpOrOpen', {}, 'WindowCovering.CurrentPositionLiftPercent100ths', 0],
];
const HEAT = 'Thermostat.OccupiedHeatingSetpoint';
const STEPS: readonly Step[] = [
  ...dimming('Bedroom bedside lamp'),
  ...switching('Hallway ceiling'),
  ...dimming('Kitchen ceiling'),
  white('Kitchen ceiling'),
  ...dimming('Living room lamp'),
  white('Living room lamp'),
  [
    'Living room lamp',
    'ColorControl.MoveToColor',
    { colorX: 45_875, colorY: 19_660, ...AT_ONCE },
    'ColorControl.CurrentX',
    45_875,
  ],
  [
    'Living room lamp',
    'ColorControl.MoveToHueAndSaturation',
    { hue: 85, saturation: 200, ...AT_ONCE },
    'ColorControl.CurrentHue',
    85,
  ],
  ...switching('Kitchen fridge plug'),
  ...covering('Living room blind'),
  ['Front door lock', 'DoorLock.UnlockDoor', {}, 'DoorLock.LockState', 2],
  ['Front door lock', 'DoorLock.LockDoor', {}, 'DoorLock.LockState', 1],
  ['Living room thermostat', `= ${HEAT}`, 2250, HEAT, 2250],
  ['Living room thermostat', 'Thermostat.SetpointRaiseLower', { mode: 0, amount: 10 }, HEAT, 2350],
  ['Living room thermostat', '= Thermostat.SystemMode', 0, 'Thermostat.SystemMode', 0],
  ['Shop climate', `= ${HEAT}`, 1850, HEAT, 1850],
  ['Shop climate', '= Thermostat.OccupiedCoolingSetpoint', 2450, 'Thermostat.OccupiedCoolingSetpoint', 2450],
  ...[3, 4, 0].map((mode): Step => ['Shop climate', '= Thermostat.SystemMode', mode, 'Thermostat.SystemMode', mode]),
  ['Shop fan', '= FanControl.PercentSetting', 60, 'FanControl.PercentCurrent', 60],
  ['Shop fan', '= FanControl.FanMode', 3, 'FanControl.PercentCurrent', 100],
  ['Shop fan', '= FanControl.FanMode', 0, 'FanControl.PercentCurrent', 0],
  ...covering('Shop blind'),
  [
    'Shop blind',
    'WindowCovering.GoToTiltPercentage',
    { tiltPercent100thsValue: 2000 },
    'WindowCovering.CurrentPositionTiltPercent100ths',
    2000,
  ],
  ['Shop valve', 'ValveConfigurationAndControl.Open', {}, 'ValveConfigurationAndControl.CurrentState', 1],
  ['Shop valve', 'ValveConfigurationAndControl.Close', {}, 'ValveConfigurationAndControl.CurrentState', 0],
  ...switching('Shop saw'),
  ...Object.keys(TYPES).map((name): Step => [name, 'Identify.Identify', { identifyTime: 2 }, null]),
];

/** What a device reports, and what a home of another maker then has. */
type Report = [device: string, report: object, attribute: string, value: unknown];

const REPORTS: readonly Report[] = [
  ['shop-door', { values: { open: true } }, 'BooleanState.StateValue', false],
  ['shop-door', { values: { open: false } }, 'BooleanState.StateValue', true],
  ['shop-door', { values: { battery: 9 } }, 'PowerSource.BatPercentRemaining', 18],
  ['shop-door', { values: { battery: 8 } }, 'PowerSource.BatReplacementNeeded', true],
  ['shop-presence', { values: { presence: true } }, 'OccupancySensing.Occupancy', 1],
  ['shop-leak', { values: { water_leak: true } }, 'BooleanState.StateValue', true],
  ['shop-thermometer', { values: { temperature: -18.75 } }, 'TemperatureMeasurement.MeasuredValue', -1875],
  ['shop-hygrometer', { values: { humidity: 60.1 } }, 'RelativeHumidityMeasurement.MeasuredValue', 6010],
  ['shop-twilight', { values: { illuminance: 1000 } }, 'IlluminanceMeasurement.MeasuredValue', 30_001],
  ['shop-climate', { values: { temperature: 19.9 } }, 'Thermostat.LocalTemperature', 1990],
  ['shop-saw', { values: { power: 99 } }, 'ElectricalPowerMeasurement.ActivePower', 99_000],
  ['shop-saw', { values: { voltage: 231.4 } }, 'ElectricalPowerMeasurement.Voltage', 231_400],
  ['shop-saw', { values: { current: 0.43 } }, 'ElectricalPowerMeasurement.ActiveCurrent', 430],
  ['shop-alarm', { values: { smoke: true } }, 'SmokeCoAlarm.SmokeState', 2],
  ['shop-alarm', { values: { smoke: false, co_alarm: true } }, 'SmokeCoAlarm.ExpressedState', 2],
  ['shop-valve', { values: { valve_open: true } }, 'ValveConfigurationAndControl.CurrentState', 1],
  ['shop-blind', { values: { position: 40 } }, 'WindowCovering.CurrentPositionLiftPercent100ths', 6000],
  ['shop-fan', { values: { on: true, fan_speed: 35 } }, 'FanControl.PercentSetting', 35],
  ['shop-thermometer', { availability: 'offline' }, 'BridgedDeviceBasicInformation.Reachable', false],
  ['shop-thermometer', { availability: 'online' }, 'BridgedDeviceBasicInformation.Reachable', true],
];

type Listed = { readonly number: number; readonly name: string; readonly types: readonly number[] };

/** Where a cover was last sent, and which scenes it has, which are none: what only the program knows. */
const PASSING = new Set(['258/11', '258/12', '98/2']);

const canRun = needs('root') && needs('ip') && needs('chip-sdk');
const BRIDGED = 0x13;
let world: BridgeWorld;
let workshop: ProvidedHome;
let chip: Controller;
let numbers: ReadonlyMap<string, number>;

const nameOf = (device: string): string => device.replace('-', ' ').replace(/^s/, 'S');
const placeOf = (name: string, attribute: string): object => {
  const [cluster, rest] = attribute.split('.');
  return { number: numbers.get(name), cluster, attribute: rest };
};
const listed = async (): Promise<readonly Listed[]> => (await chip.call('endpoints')) as readonly Listed[];
const untilUp = async (): Promise<void> => {
  await expect.poll(async () => (await world.bridge()).status, SOON).toBe('connected');
};

async function carryOut([name, order, given]: Step): Promise<void> {
  if (order.startsWith('= '))
    return void (await chip.call('write', { ...placeOf(name, order.slice(2)), value: given }));
  const [cluster, command] = order.split('.');
  // A lock takes nothing that may be late.
  const timed = cluster === 'DoorLock' ? { timed_ms: 5000 } : {};
  await chip.call('command', { number: numbers.get(name), cluster, command, args: given, ...timed });
}

/** Those of one device after the other, all devices at once. Returns what went wrong. */
async function inTurns<Row extends readonly [name: string, ...unknown[]]>(
  rows: readonly Row[],
  one: (row: Row) => Promise<void>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const ofOne = async (name: string): Promise<void> => {
    for (const row of rows) {
      if (row[0] !== name) continue;
      await one(row).catch((cause: unknown) => failures.push(`${JSON.stringify(row)}: ${String(cause)}`));
    }
  };
  await Promise.all([...new Set(rows.map(([name]) => name))].map(ofOne));
  return failures;
}

describe.skipIf(!canRun)('the Matter bridge with the SDK of the alliance', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    world = await openBridgeWorld();
    workshop = await bringDevices(world, WORKSHOP);
    chip = await world.startChip('chip');
    const { json: rooms } = await world.ask('GET', '/room');
    const scopes = ['device:read', 'device:control', 'device:control_sensitive'];
    const { json: made } = await world.ask('POST', '/api_token', { name: 'Matter', scopes });
    const { token } = made as { token: string };
    const devices = ['front-door-lock', ...workshop.ids];
    const expose = { rooms: (rooms as { id: string }[]).map((room) => room.id), devices };
    await world.ask('POST', '/integration', { kind: 'matter_bridge', settings: { expose, token } });
  }, 300_000);
  afterAll(async () => {
    await workshop.stop();
    await world.close();
  });

  test('is taken in by the number that a person types, with each kind that it has', async () => {
    await untilUp();
    const code = await world.openBridge();
    await chip.call('pair', { code });
    const found = await listed();
    expect(Object.fromEntries(found.map(({ name, types }) => [name, types.filter((one) => one !== BRIDGED)]))).toEqual(
      TYPES,
    );
    numbers = new Map(found.map(({ name, number }) => [name, number]));
    expect((await world.bridge()).error).toBeNull();
  });

  test('each command and each write is done by its device, whose report comes back', async () => {
    const failures = await inTurns(STEPS, async (step) => {
      const [name, , , attribute, value] = step;
      await carryOut(step);
      if (attribute !== null) await chip.call('await_value', { ...placeOf(name, attribute), value });
    });
    expect(failures).toEqual([]);
    expect((await world.bridge()).offering).toMatchObject({ refused: 0 });
    expect(workshop.asked('shop-saw')).toEqual({ on: true });
  });

  test('each report of a device comes, and so do presses', async () => {
    const failures = await inTurns(REPORTS, async ([device, report, attribute, value]) => {
      await workshop.report(device, report);
      await chip.call('await_value', { ...placeOf(nameOf(device), attribute), value });
    });
    expect(failures).toEqual([]);
    const press = async (names: readonly string[], ...occurrences: readonly object[]): Promise<unknown> => {
      await workshop.report('shop-button', { occurrences });
      const found = await chip.call('await_events', { number: numbers.get('Shop button'), names });
      return (found as { event: string }[]).map(({ event }) => event);
    };
    const single = ['InitialPress', 'ShortRelease', 'MultiPressComplete'];
    expect(await press(single, { key: 'button', action: 'single' })).toEqual(single);
    const double = [
      'InitialPress',
      'ShortRelease',
      'InitialPress',
      'MultiPressOngoing',
      'ShortRelease',
      'MultiPressComplete',
    ];
    expect(await press(double, { key: 'button', action: 'double' })).toEqual(double);
    const held = ['InitialPress', 'LongPress', 'LongRelease'];
    const [hold, release] = ['hold', 'release'].map((action) => ({ key: 'button', action }));
    expect(await press(held, hold ?? {}, release ?? {})).toEqual(held);
  });

  const shop = async (): Promise<unknown> => {
    const own = [...numbers].filter(([name]) => name.startsWith('Shop'));
    const found: [string, unknown][] = [];
    for (const [name, number] of own) {
      const all = Object.entries((await chip.call('whole', { number })) as object);
      found.push([name, all.filter(([path]) => !PASSING.has(path))]);
    }
    return Object.fromEntries(found);
  };
  const numbersNow = async (): Promise<ReadonlyMap<string, number>> =>
    new Map((await listed()).map(({ name, number }) => [name, number]));
  /** A change that comes by the subscription of before, and one that goes to the device. */
  const expectAlive = async (temperature: number): Promise<void> => {
    await workshop.report('shop-thermometer', { values: { temperature } });
    const place = placeOf('Shop thermometer', 'TemperatureMeasurement.MeasuredValue');
    await chip.call('await_value', { ...place, value: temperature * 100, within_s: 90 });
    for (const isOn of [false, true]) {
      await carryOut(['Shop saw', isOn ? 'OnOff.On' : 'OnOff.Off', {}, null]);
      await chip.call('await_value', { ...placeOf('Shop saw', 'OnOff.OnOff'), value: isOn });
    }
    expect(await numbersNow()).toEqual(numbers);
  };

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'finds the bridge again after a %s of the hub, with all values',
    async (signal) => {
      const before = await shop();
      await workshop.stop();
      await world.restartHub(signal);
      await workshop.goOn();
      await untilUp();
      await expectAlive(signal === 'SIGTERM' ? 11 : 12);
      await workshop.report('shop-thermometer', { values: { temperature: -18.75 } });
      await expect.poll(shop, SOON).toEqual(before);
    },
  );

  test('finds the bridge again after its program was killed', async () => {
    const program = world
      .hub()
      .children()
      .find(({ command }) => command.includes('matter-process'));
    process.kill(program?.pid ?? 0, 'SIGKILL');
    await expect.poll(async () => (await world.bridge()).error?.code, SOON).toBe('NODE_DOWN');
    await untilUp();
    await expectAlive(13);
  });

  test('an app opens the bridge for another one, and both have it', async () => {
    const code = await chip.call('open_window');
    const other = await world.startController('first');
    await other.call('pair', { code });
    await other.call('count', { count: numbers.size });
    await expect.poll(async () => (await world.bridge()).fabrics?.length, SOON).toBe(2);
    await workshop.report('shop-leak', { values: { water_leak: false } });
    await chip.call('await_value', { ...placeOf('Shop leak', 'BooleanState.StateValue'), value: false });
    await other.call('await', { name: 'Shop leak', cluster: 'booleanState', attribute: 'stateValue', value: false });
    await other.call('command', {
      name: 'Shop valve',
      cluster: 'valveConfigurationAndControl',
      command: 'close',
    });
    await chip.call('await_value', { ...placeOf('Shop valve', 'ValveConfigurationAndControl.CurrentState'), value: 0 });
    await chip.call('leave');
    await expect.poll(async () => (await world.bridge()).fabrics, SOON).toMatchObject([{ label: 'first' }]);
  });
});
