import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { type LiveNode, openNode } from '#integrations/matter/live-node.ts';
import type { Place } from '#integrations/matter/mapping/source.ts';
import { CLUSTERS, membersOf } from '#test/support/matter/model-nodes.ts';
import { wrongMeanings } from '#test/support/kinds/peer-list.ts';

/* Lists of the standard as matter.js has them: those of the version that is installed (0.17.9, Matter 1.6). */

const FUTURE = 'OfTheFuture';
const FUTURE_NUMBER = 99;
const ROOT = {
  number: 0,
  parent: null,
  deviceTypes: [22],
  state: { basicInformation: { productName: 'it' } },
  commands: {},
  features: {},
};

/** A node that has all functions and commands of one cluster, and these attributes. */
function nodeOf(cluster: string, state: JsonObject, without: readonly string[] = []): LiveNode {
  const model = CLUSTERS.get(cluster);
  if (model === undefined) throw new Error(`there is no ${cluster}`);
  const { commands, features } = membersOf(model);
  const functions = [...features.keys()].filter((name) => !without.includes(name));
  return openNode({
    nodeId: '9',
    endpoints: [
      ROOT,
      {
        number: 1,
        parent: 0,
        deviceTypes: [],
        state: { [cluster]: state },
        commands: { [cluster]: [...commands.keys()] },
        features: { [cluster]: functions },
      },
    ],
  });
}

function shown(node: LiveNode, key: string): JsonValue | undefined {
  for (const device of node.devices) {
    const value = new Map(node.values(device)).get(key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The numbers of an enum by their names. */
function numbersOf(children: Iterable<{ readonly name: string; readonly id?: number | undefined }>) {
  const named = [...children].flatMap(({ name, id }) => (id === undefined ? [] : [[name, id] as const]));
  if (named.length === 0) throw new Error('it is no enum');
  return new Map([...named, [FUTURE, FUTURE_NUMBER] as const]);
}

function enumAt(place: Place): ReadonlyMap<string, number> {
  const [cluster = '', attribute = ''] = place.split('.');
  const model = CLUSTERS.get(cluster);
  const found = model === undefined ? undefined : membersOf(model).attributes.get(attribute);
  return numbersOf(found?.definingModel?.children ?? []);
}

function enumNamed(cluster: string, name: string): ReadonlyMap<string, number> {
  return numbersOf([...(CLUSTERS.get(cluster)?.datatypes ?? [])].find((one) => one.name === name)?.children ?? []);
}

/** `NotFullyLocked` → `not_fully_locked` */
function wordFrom(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])([A-Z])/g, '_$1').toLowerCase();
}

/** Its own words, apart from these; one of the future is a word of its own, or nothing that is known. */
function wordsOf(
  numbers: ReadonlyMap<string, number>,
  others: Readonly<Record<string, JsonValue>>,
  future: JsonValue,
): Readonly<Record<string, JsonValue>> {
  return {
    ...Object.fromEntries([...numbers.keys()].map((name) => [name, wordFrom(name)])),
    [FUTURE]: future,
    ...others,
  };
}

type Row = readonly [place: Place, key: string, others?: Readonly<Record<string, JsonValue>>, future?: JsonValue];
const OWN = 'value_99';
const RAISED = { Normal: false, Warning: true, Critical: true };
const ROWS: readonly Row[] = [
  ['airQuality.airQuality', 'air_quality'],
  ['carbonDioxideConcentrationMeasurement.levelValue', 'x.co2_level'],
  ['closureControl.mainState', 'x.garage_movement'],
  ['colorControl.colorLoopActive', 'effect', { Inactive: 'none', Active: 'color_loop' }, null],
  ['doorLock.lockState', 'lock_state'],
  ['doorLock.lockState', 'locked', { NotFullyLocked: null, Locked: true, Unlocked: false, Unlatched: false }, null],
  [
    'doorLock.doorState',
    'open',
    {
      DoorOpen: true,
      DoorClosed: false,
      DoorJammed: null,
      DoorForcedOpen: true,
      DoorUnspecifiedError: null,
      DoorAjar: true,
    },
    null,
  ],
  [
    'doorLock.ledSettings',
    'x.door_lock_led_settings',
    { NoLedSignal: 'never', NoLedSignalAccessAllowed: 'except_access_allowed', LedSignalAll: 'always' },
  ],
  ['doorLock.soundVolume', 'x.door_lock_sound_volume'],
  ['fanControl.fanMode', 'fan_mode'],
  [
    'fanControl.fanMode',
    'on',
    { Off: false, Low: true, Medium: true, High: true, On: true, Auto: true, Smart: true },
    null,
  ],
  ['fanControl.airflowDirection', 'x.direction'],
  ['hepaFilterMonitoring.changeIndication', 'x.hepa_filter_change'],
  ['activatedCarbonFilterMonitoring.changeIndication', 'x.carbon_filter_change'],
  ['waterTankLevelMonitoring.changeIndication', 'x.water_tank_change'],
  ['laundryDryerControls.selectedDrynessLevel', 'x.dryness'],
  ['laundryWasherControls.numberOfRinses', 'x.rinses'],
  ['mediaPlayback.currentState', 'playback', { NotPlaying: 'idle' }],
  ['operationalState.operationalState', 'x.operational_state', {}, 'state_99'],
  ['ovenCavityOperationalState.operationalState', 'x.operational_state', {}, 'state_99'],
  ['powerSource.status', 'x.battery_status'],
  ['powerSource.batChargeLevel', 'battery_low', { Ok: false, Warning: true, Critical: true }, null],
  ['powerSource.batChargeLevel', 'battery_state'],
  [
    'powerSource.batChargeState',
    'charging',
    { Unknown: null, IsCharging: true, IsAtFullCharge: false, IsNotCharging: false },
    null,
  ],
  ['pumpConfigurationAndControl.operationMode', 'operation_mode'],
  ['pumpConfigurationAndControl.controlMode', 'x.control_mode'],
  ['smokeCoAlarm.expressedState', 'x.alarm_state'],
  ['smokeCoAlarm.smokeState', 'smoke', RAISED, null],
  ['smokeCoAlarm.coState', 'co_alarm', RAISED, null],
  ['smokeCoAlarm.batteryAlert', 'battery_low', RAISED, null],
  ['smokeCoAlarm.endOfServiceAlert', 'x.end_of_service'],
  ['smokeCoAlarm.smokeSensitivityLevel', 'sensitivity'],
  ['thermostat.systemMode', 'thermostat_mode'],
  ['thermostat.thermostatRunningMode', 'thermostat_state', { Off: 'idle' }],
  [
    'thermostat.temperatureSetpointHold',
    'x.thermostat_temperature_setpoint_hold',
    { SetpointHoldOff: 'off', SetpointHoldOn: 'on' },
  ],
  ['thermostatUserInterfaceConfiguration.temperatureDisplayMode', 'x.display_unit'],
  [
    'thermostatUserInterfaceConfiguration.keypadLockout',
    'child_lock',
    { NoLockout: false, Lockout1: true, Lockout2: true, Lockout3: true, Lockout4: true, Lockout5: true },
    null,
  ],
  [
    'thermostatUserInterfaceConfiguration.scheduleProgrammingVisibility',
    'x.thermostat_user_interface_configuration_schedule_programming_visibility',
    { ScheduleProgrammingPermitted: 'allowed', ScheduleProgrammingDenied: 'denied' },
  ],
];

const CASES = ROWS.map(([place, key, others = {}, future = OWN]) => ({ place, key, others, future }));

test.each(CASES)('each value of $place has its word as $key', ({ place, key, others, future }) => {
  const [cluster = '', attribute = ''] = place.split('.');
  const numbers = enumAt(place);
  const wrong = wrongMeanings<JsonValue>(
    numbers.keys(),
    { known: wordsOf(numbers, others, future), leftOut: [] },
    (name) => shown(nodeOf(cluster, { [attribute]: numbers.get(name) ?? -1 }), key),
  );
  expect(wrong).toEqual([]);
});

test('each state and error of a vacuum cleaner has its word', () => {
  const [states, errors] = [
    enumNamed('rvcOperationalState', 'OperationalStateEnum'),
    enumNamed('rvcOperationalState', 'ErrorStateEnum'),
  ];
  const said = (state: JsonObject, key: string) => shown(nodeOf('rvcOperationalState', state), key);
  const stateOf = (name: string) => said({ operationalState: states.get(name) ?? -1 }, 'vacuum_state');
  const errorOf = (name: string) =>
    said({ operationalState: 3, operationalError: { errorStateId: errors.get(name) ?? -1 } }, 'x.error');
  const all = [
    wrongMeanings<JsonValue>(states.keys(), { known: wordsOf(states, {}, 'state_99'), leftOut: [] }, stateOf),
    wrongMeanings<JsonValue>(errors.keys(), { known: wordsOf(errors, {}, 'error_99'), leftOut: [] }, errorOf),
  ];
  expect(all).toEqual([[], []]);
});

test('what a lock tells has its words', () => {
  const [types, sources, errors, alarms] = [
    enumNamed('doorLock', 'LockOperationTypeEnum'),
    enumNamed('doorLock', 'OperationSourceEnum'),
    enumNamed('doorLock', 'OperationErrorEnum'),
    enumNamed('doorLock', 'AlarmCodeEnum'),
  ];
  const told = (event: string, data: JsonObject) => {
    const node = nodeOf('doorLock', { lockState: 1 });
    return node.happened({ endpoint: 1, cluster: 'doorLock', event, data })[0]?.occurrence;
  };
  const operation = { lockOperationType: 0, operationSource: 0 };
  const all = [
    wrongMeanings<JsonValue>(
      types.keys(),
      {
        known: wordsOf(
          types,
          { NonAccessUserEvent: 'non_access_user', ForcedUserEvent: 'forced_user' },
          'operation_99',
        ),
        leftOut: [],
      },
      (name) => told('lockOperation', { ...operation, lockOperationType: types.get(name) ?? -1 })?.action,
    ),
    wrongMeanings<JsonValue>(
      sources.keys(),
      { known: wordsOf(sources, {}, 'source_99'), leftOut: [] },
      (name) => told('lockOperation', { ...operation, operationSource: sources.get(name) ?? -1 })?.raw?.split(' ')[1],
    ),
    wrongMeanings<JsonValue>(
      errors.keys(),
      { known: wordsOf(errors, { DisabledUserDenied: 'disabled_user' }, 'error_99'), leftOut: [] },
      (name) =>
        told('lockOperationError', { ...operation, operationError: errors.get(name) ?? -1 })?.raw?.split(' ')[2],
    ),
    wrongMeanings<JsonValue>(
      alarms.keys(),
      // The standard has misspelled one.
      { known: wordsOf(alarms, { FrontEsceutcheonRemoved: 'front_escutcheon_removed' }, 'operation_99'), leftOut: [] },
      (name) => told('doorLockAlarm', { alarmCode: alarms.get(name) ?? -1 })?.action,
    ),
  ];
  expect(all).toEqual([[], [], [], []]);
});

test('each movement and place of a covering or closure is its word', () => {
  const [movements, positions] = [
    enumNamed('windowCovering', 'MovementStatus'),
    enumNamed('closureControl', 'CurrentPositionEnum'),
  ];
  const moving = (name: string, key: string) => {
    const number = movements.get(name) ?? -1;
    const state = { operationalStatus: { global: number, lift: number, tilt: 0 } };
    return shown(nodeOf('windowCovering', state), key);
  };
  const placed = (name: string) =>
    shown(nodeOf('closureControl', { overallCurrentState: { position: positions.get(name) ?? -1 } }), 'cover_state');
  const partly = Object.fromEntries([...positions.keys()].map((name) => [name, 'stop']));
  const all = [
    wrongMeanings<JsonValue>(movements.keys(), { known: wordsOf(movements, {}, OWN), leftOut: [] }, (name) =>
      moving(name, 'x.movement'),
    ),
    wrongMeanings<JsonValue>(
      movements.keys(),
      { known: { Stopped: 'stop', Opening: 'open', Closing: 'close', [FUTURE]: null }, leftOut: [] },
      (name) => moving(name, 'cover_state'),
    ),
    wrongMeanings<JsonValue>(
      positions.keys(),
      { known: { ...partly, FullyClosed: 'close', FullyOpened: 'open', [FUTURE]: null }, leftOut: [] },
      placed,
    ),
  ];
  expect(all).toEqual([[], [], []]);
});

test('a valve that moves keeps what it was, and one in a state of the future is not known', () => {
  const states = enumAt('valveConfigurationAndControl.currentState');
  const known = { Closed: false, Open: true, [FUTURE]: null };
  const leftOut = [{ of: ['Transitioning'], why: 'on its way it is neither: no news' }];
  const stateOf = (name: string) =>
    shown(nodeOf('valveConfigurationAndControl', { currentState: states.get(name) ?? -1 }), 'valve_open');
  expect(wrongMeanings<JsonValue>(states.keys(), { known, leftOut }, stateOf)).toEqual([]);
});

test('a color is shown in the modes that are colors, a temperature in that of white', () => {
  const modes = enumAt('colorControl.colorMode');
  const lamp = { currentX: 20_000, currentY: 20_000, currentHue: 127, currentSaturation: 254 };
  const at = (name: string, key: string) =>
    shown(nodeOf('colorControl', { ...lamp, colorTemperatureMireds: 250, colorMode: modes.get(name) ?? -1 }), key);
  const hue = { hue: 180, saturation: 100 };
  const point = { x: 0.3052, y: 0.3052 };
  const all = [
    wrongMeanings<JsonValue>(
      modes.keys(),
      {
        known: {
          CurrentHueAndCurrentSaturation: hue,
          CurrentXAndCurrentY: point,
          ColorTemperatureMireds: null,
          [FUTURE]: null,
        },
        leftOut: [],
      },
      (name) => at(name, 'color'),
    ),
    wrongMeanings<JsonValue>(
      modes.keys(),
      {
        known: {
          CurrentHueAndCurrentSaturation: null,
          CurrentXAndCurrentY: null,
          ColorTemperatureMireds: 4_000,
          [FUTURE]: null,
        },
        leftOut: [],
      },
      (name) => at(name, 'color_temperature'),
    ),
  ];
  expect(all).toEqual([[], []]);
});

test('a preset without a name is called by what it is for', () => {
  const scenarios = enumNamed('thermostat', 'PresetScenarioEnum');
  const nameOf = (name: string) => {
    const presets = [{ presetHandle: 'aa', name: null, presetScenario: scenarios.get(name) ?? -1 }];
    return shown(nodeOf('thermostat', { presets, activePresetHandle: 'aa' }), 'preset');
  };
  const known = wordsOf(scenarios, {}, 'preset_99');
  expect(wrongMeanings<JsonValue>(scenarios.keys(), { known, leftOut: [] }, nameOf)).toEqual([]);
});

test('each unit of what is in the air is one of the hub, and one of the future none', () => {
  const cluster = 'carbonDioxideConcentrationMeasurement';
  const units = enumAt(`${cluster}.measurementUnit`);
  const shownIn = (name: string): JsonValue => {
    const node = nodeOf(cluster, { measuredValue: 10, measurementUnit: units.get(name) ?? -1 });
    return (node.devices[0]?.description.features ?? []).flatMap(({ key, unit }) =>
      key.includes('co2') && !key.includes('level')
        ? [`${key} ${unit ?? 'without'} ${JSON.stringify(shown(node, key))}`]
        : [],
    );
  };
  const known = {
    Ppm: ['co2 ppm 10'],
    Ppb: ['co2 ppm 0.01'],
    Ppt: ['co2 ppm 0.00001'],
    Mgm3: ['x.co2_concentration mg/m3 10'],
    Ugm3: ['x.co2_concentration ug/m3 10'],
    Ngm3: ['x.co2_concentration ng/m3 10'],
    Pm3: ['x.co2_concentration 1/m3 10'],
    Bqm3: ['x.co2_concentration Bq/m3 10'],
    [FUTURE]: ['x.co2_concentration without 10'],
  };
  expect(wrongMeanings<JsonValue>(units.keys(), { known, leftOut: [] }, shownIn)).toEqual([]);
});

test('each sequence of a fan or thermostat offers its modes', () => {
  const [fans, thermostats] = [enumAt('fanControl.fanModeSequence'), enumAt('thermostat.controlSequenceOfOperation')];
  const optionsOf = (node: LiveNode, key: string): JsonValue => [
    ...(node.devices[0]?.description.features.find((one) => one.key === key)?.options ?? []),
  ];
  const fan = (name: string) =>
    optionsOf(nodeOf('fanControl', { fanMode: 0, fanModeSequence: fans.get(name) ?? -1 }), 'fan_mode');
  const climate = (name: string) => {
    const state = { systemMode: 0, controlSequenceOfOperation: thermostats.get(name) ?? -1 };
    return optionsOf(nodeOf('thermostat', state), 'thermostat_mode');
  };
  // Of one of the future the usual modes are offered: the device refuses those that it does not have.
  const knownFans = {
    OffLowMedHigh: ['off', 'low', 'medium', 'high'],
    OffLowHigh: ['off', 'low', 'high'],
    OffLowMedHighAuto: ['off', 'low', 'medium', 'high', 'auto'],
    OffLowHighAuto: ['off', 'low', 'high', 'auto'],
    OffHighAuto: ['off', 'high', 'auto'],
    OffHigh: ['off', 'high'],
    [FUTURE]: ['off', 'low', 'medium', 'high'],
  };
  const [cool, heat, both] = [
    ['off', 'auto', 'cool'],
    ['off', 'auto', 'heat'],
    ['off', 'auto', 'cool', 'heat'],
  ];
  const knownThermostats = {
    CoolingOnly: cool,
    CoolingWithReheat: cool,
    HeatingOnly: heat,
    HeatingWithReheat: heat,
    CoolingAndHeating: both,
    CoolingAndHeatingWithReheat: both,
    [FUTURE]: both,
  };
  const all = [
    wrongMeanings<JsonValue>(fans.keys(), { known: knownFans, leftOut: [] }, fan),
    wrongMeanings<JsonValue>(thermostats.keys(), { known: knownThermostats, leftOut: [] }, climate),
  ];
  expect(all).toEqual([[], []]);
});
