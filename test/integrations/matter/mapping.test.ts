import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import { type LiveNode, openNode } from '#integrations/matter/live-node.ts';
import type { MatterDevice } from '#integrations/matter/mapping/node-devices.ts';
import type { MatterEndpoint, MatterNode } from '#integrations/matter/matter-node.ts';

/** Written by matter.js as a device: seventeen endpoints of different kinds, on one node and behind a bridge. */
const fixture = (name: string): MatterNode =>
  JSON.parse(readFileSync(join('test/fixtures/matter', `${name}-node.json`), 'utf8')) as MatterNode;
const COMPOSED = fixture('composed');
const BRIDGE = fixture('bridge');

function deviceOf(node: LiveNode, name: string): MatterDevice {
  const found = node.devices.find(({ description }) => description.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

function valuesOf(node: LiveNode, name: string): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(node.values(deviceOf(node, name)));
}

/** What a command asks of the node, without the keys. */
function asksOf(node: LiveNode, name: string, ...[set, transitionMs = null]: [JsonObject, (number | null)?]) {
  const command = { set: new Map(Object.entries(set)), action: null, transitionMs };
  return node.plan(deviceOf(node, name), command).map(({ ask }) => ask);
}

/** A node with one endpoint of one cluster. */
function nodeOf(cluster: string, state: JsonObject, more: Partial<MatterEndpoint> = {}): LiveNode {
  const root: MatterEndpoint = {
    number: 0,
    parent: null,
    deviceTypes: [22],
    state: { basicInformation: { productName: 'it' } },
    commands: {},
    features: {},
  };
  const endpoint = { number: 1, parent: 0, deviceTypes: [], commands: {}, features: {}, ...more };
  return openNode({ nodeId: '9', endpoints: [root, { ...endpoint, state: { [cluster]: state } }] });
}

describe('a node that is one device', () => {
  const node = openNode(COMPOSED);

  test('has what its functions are, those that come twice on components of their own', () => {
    expect(node.devices.length).toBe(1);
    const description = node.devices[0]?.description;
    expect(description).toMatchObject({
      externalId: '1',
      name: 'Peer composed',
      manufacturer: 'Test peer',
      model: 'Peer composed',
      firmware: '1.2.3',
    });
    const keys = description?.features.map(({ key }) => key) ?? [];
    expect(keys).toEqual(
      expect.arrayContaining(['on', 'endpoint_2.on', 'endpoint_2.brightness', 'temperature', 'open']),
    );
    expect(keys).toEqual(expect.arrayContaining(['locked', 'position', 'endpoint_15.position', 'endpoint_15.tilt']));
    expect(keys).not.toContain('brightness');
  });

  test('has the values of each, in the units of the hub', () => {
    expect(valuesOf(node, 'Peer composed')).toMatchObject({
      on: false,
      'endpoint_3.color_temperature': 4000,
      'endpoint_3.brightness': 50.4,
      'endpoint_5.power': 12.345,
      'endpoint_5.voltage': 230.1,
      'endpoint_5.current': 0.053,
      open: false,
      battery: 82,
      battery_low: false,
      temperature: 21.5,
      humidity: 45.2,
      illuminance: 166.6,
      motion: false,
      water_leak: false,
      'endpoint_12.target_temperature': 21,
      'endpoint_12.thermostat_mode': 'heat',
      locked: true,
      position: 100,
      'endpoint_15.position': 0,
      'endpoint_15.tilt': 50,
    });
  });

  test('follows the order of its endpoints, however they are listed', () => {
    const turned = openNode({ ...COMPOSED, endpoints: COMPOSED.endpoints.toReversed() });
    expect(turned.devices[0]?.description).toEqual(node.devices[0]?.description);
  });
});

describe('a remote with several buttons', () => {
  const button = (number: number, tagList: JsonValue): MatterEndpoint => ({
    number,
    parent: 0,
    deviceTypes: [15],
    state: { descriptor: { tagList }, switch: { numberOfPositions: 2, currentPosition: 0, multiPressMax: 2 } },
    commands: {},
    features: { switch: ['momentarySwitch', 'momentarySwitchRelease', 'momentarySwitchMultiPress'] },
  });

  test('has each on a component of its own, with the name that its tags give it', () => {
    const node = openNode({
      nodeId: '3',
      endpoints: [
        button(1, [{ mfgCode: null, namespaceId: 8, tag: 0 }]),
        button(2, [
          { mfgCode: null, namespaceId: 8, tag: 1 },
          { mfgCode: null, namespaceId: 7, tag: 2 },
        ]),
        button(3, [{ mfgCode: null, namespaceId: 0x43, tag: 8, label: 'Night' }]),
        button(4, [{ mfgCode: 4711, namespaceId: 8, tag: 1 }]),
      ],
    });
    expect(node.devices[0]?.description.type).toBe('generic_switch');
    expect(node.devices[0]?.description.features.map(({ key, name }) => [key, name])).toEqual([
      ['button', 'Button (left)'],
      ['endpoint_2.button', 'Button (right, 2)'],
      ['endpoint_3.button', 'Button (Night)'],
      ['endpoint_4.button', 'Button'],
    ]);
    const happened = node.happened({
      endpoint: 2,
      cluster: 'switch',
      event: 'multiPressComplete',
      data: { totalNumberOfPressesCounted: 2 },
    });
    expect(happened).toMatchObject([{ key: 'endpoint_2.button', occurrence: { action: 'double' } }]);
  });
});

describe('a bridge', () => {
  const node = openNode(BRIDGE);

  test('is a device, and so is each that it bridges', () => {
    expect(
      node.devices.map(({ description: { externalId, name, type, parentExternalId } }) =>
        [externalId, name, type, parentExternalId ?? ''].join(' '),
      ),
    ).toEqual([
      '1 Peer bridge other ',
      '1-2 onoff on_off_light 1',
      '1-3 dim dimmable_light 1',
      '1-4 ct color_temperature_light 1',
      '1-5 color extended_color_light 1',
      '1-6 plug on_off_plug_in_unit 1',
      '1-7 contact contact_sensor 1',
      '1-8 temperature temperature_sensor 1',
      '1-9 humidity humidity_sensor 1',
      '1-10 light light_sensor 1',
      '1-11 occupancy occupancy_sensor 1',
      '1-12 leak water_leak_detector 1',
      '1-13 thermostat thermostat 1',
      '1-14 lock door_lock 1',
      '1-15 cover window_covering 1',
      '1-16 blind window_covering 1',
      '1-17 button generic_switch 1',
      '1-18 fan fan 1',
    ]);
  });

  test('says which of them it cannot reach', () => {
    const contact = deviceOf(node, 'contact');
    expect(node.isReachable(contact)).toBe(true);
    const { reachable } = node.take([
      { endpoint: contact.root, cluster: 'bridgedDeviceBasicInformation', attribute: 'reachable', value: false },
    ]);
    expect([...reachable]).toEqual([[contact, false]]);
    expect(node.isReachable(contact)).toBe(false);
  });
});

describe('commands', () => {
  const node = openNode(BRIDGE);
  const also = { optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } };

  test.each<[string, JsonObject, object[]]>([
    ['onoff', { on: true }, [{ cluster: 'onOff', command: 'on', fields: {}, timed: false, endpoint: 2 }]],
    [
      'onoff',
      { power_on_behavior: 'previous' },
      [{ endpoint: 2, cluster: 'onOff', write: 'startUpOnOff', value: null }],
    ],
    [
      'dim',
      { brightness: 50 },
      [{ command: 'moveToLevelWithOnOff', fields: { level: 127, transitionTime: 0, ...also } }],
    ],
    ['dim', { on: true, brightness: 50 }, [{ command: 'moveToLevelWithOnOff', fields: { level: 127 } }]],
    // The least level would switch it off.
    ['dim', { on: true, brightness: 0 }, [{ command: 'moveToLevelWithOnOff', fields: { level: 2 } }]],
    ['dim', { brightness: 0 }, [{ command: 'moveToLevelWithOnOff', fields: { level: 1 } }]],
    ['dim', { on: false, brightness: 50 }, [{ command: 'off' }, { command: 'moveToLevel', fields: { level: 127 } }]],
    [
      'ct',
      { color_temperature: 4000 },
      [{ command: 'moveToColorTemperature', fields: { colorTemperatureMireds: 250, ...also } }],
    ],
    [
      'ct',
      { on: true, brightness: 100, color_temperature: 6536 },
      [{ command: 'moveToColorTemperature', fields: { colorTemperatureMireds: 153 } }, { fields: { level: 254 } }],
    ],
    [
      'color',
      { color: { x: 0.3, y: 0.31 } },
      [{ command: 'moveToColor', fields: { colorX: 19_661, colorY: 20_316, transitionTime: 0, ...also } }],
    ],
    [
      'color',
      { color: { hue: 180, saturation: 50 } },
      [{ command: 'moveToHueAndSaturation', fields: { hue: 127, saturation: 127 } }],
    ],
    ['cover', { position: 30 }, [{ command: 'goToLiftPercentage', fields: { liftPercent100thsValue: 7000 } }]],
    ['cover', { cover_state: 'stop' }, [{ command: 'stopMotion' }]],
    ['cover', { cover_state: 'open', position: 30 }, [{ command: 'goToLiftPercentage' }]],
    ['blind', { tilt: 25 }, [{ command: 'goToTiltPercentage', fields: { tiltPercent100thsValue: 7500 } }]],
    ['lock', { locked: false }, [{ command: 'unlockDoor', fields: {}, timed: true }]],
    ['lock', { locked: true, 'x.lock_code': '1234' }, [{ command: 'lockDoor', fields: { pinCode: '31323334' } }]],
    ['thermostat', { target_temperature: 19.5 }, [{ write: 'occupiedHeatingSetpoint', value: 1950 }]],
    ['thermostat', { thermostat_mode: 'auto' }, [{ write: 'systemMode', value: 1 }]],
    ['fan', { fan_speed: 40 }, [{ write: 'percentSetting', value: 40 }]],
    ['fan', { fan_mode: 'medium' }, [{ write: 'fanMode', value: 2 }]],
    ['fan', { on: true }, [{ write: 'fanMode', value: 1 }]],
  ])('%s %j', (name, set, expected) => {
    expect(asksOf(node, name, set)).toMatchObject(expected);
  });

  test('with a time take it with them, in tenths of a second', () => {
    expect(asksOf(node, 'color', { brightness: 10, color: { x: 0.3, y: 0.3 } }, 1500)).toMatchObject([
      { fields: { transitionTime: 15 } },
      { fields: { transitionTime: 15 } },
    ]);
    expect(asksOf(node, 'dim', { brightness: 10 }, 1e9)).toMatchObject([{ fields: { transitionTime: 65_534 } }]);
  });

  test('name all features that they are for, also what needs no words of its own', () => {
    const command = {
      set: new Map<string, JsonValue>([
        ['on', true],
        ['brightness', 50],
      ]),
      action: null,
      transitionMs: null,
    };
    expect(node.plan(deviceOf(node, 'dim'), command).map(({ keys }) => keys)).toEqual([['brightness', 'on']]);
  });

  test('for both targets go out in the order in which they never come too near', () => {
    const both = (heat: number, cool: number) =>
      asksOf(node, 'thermostat', { target_temperature: heat, target_temperature_cool: cool }).map((ask) =>
        'write' in ask ? [ask.write, ask.value] : [],
      );
    expect(both(27, 31)).toEqual([
      ['occupiedCoolingSetpoint', 3100],
      ['occupiedHeatingSetpoint', 2700],
    ]);
    expect(both(12, 17)).toEqual([
      ['occupiedHeatingSetpoint', 1200],
      ['occupiedCoolingSetpoint', 1700],
    ]);
  });

  test('that the device does not have are refused', () => {
    expect(() => asksOf(node, 'temperature', { temperature: 3 })).toThrow('does not fit');
    expect(() => asksOf(node, 'thermostat', { target_temperature: 90 })).toThrow('does not fit');
    expect(() => asksOf(node, 'lock', { 'x.lock_code': '1234' })).toThrow('nothing to do');
    expect(() => asksOf(node, 'lock', { locked: true, 'x.lock_code': '12' })).toThrow('does not fit');
  });

  test('to a lock that needs a code are refused without one', () => {
    const lock = BRIDGE.endpoints.find(({ deviceTypes }) => deviceTypes.includes(0x0a));
    const state = { ...lock?.state, doorLock: { ...lock?.state['doorLock'], requirePinForRemoteOperation: true } };
    const strict = openNode({
      ...BRIDGE,
      endpoints: [...BRIDGE.endpoints.slice(0, 2), { ...lock, state } as MatterEndpoint],
    });
    expect(() => asksOf(strict, 'lock', { locked: false })).toThrow('only with a code');
    expect(asksOf(strict, 'lock', { locked: false, 'x.lock_code': '4711' })).toHaveLength(1);
  });
});

describe('what a node reports', () => {
  test.each<[string, string, JsonObject, JsonValue, string, JsonValue]>([
    ['dim', 'levelControl', { brightness: 33 }, { currentLevel: 84 }, 'brightness', 33.1],
    ['ct', 'colorControl', { color_temperature: 2857 }, { colorTemperatureMireds: 350 }, 'color_temperature', 2857],
    ['cover', 'windowCovering', { position: 33.3 }, { currentPositionLiftPercent100ths: 6670 }, 'position', 33.3],
    [
      'thermostat',
      'thermostat',
      { target_temperature: 20.3 },
      { occupiedHeatingSetpoint: 2030 },
      'target_temperature',
      20.3,
    ],
  ])('confirms a command to %s', (name, ...[cluster, set, report, key, value]) => {
    const node = openNode(BRIDGE);
    const device = deviceOf(node, name);
    const [attribute, raw] = Object.entries(report as JsonObject)[0] ?? ['', null];
    const { values } = node.take([{ endpoint: device.root, cluster, attribute, value: raw }]);
    expect(values.get(device)?.get(key)).toBe(value);
    const feature = device.description.features.find((one) => one.key === key);
    expect(feature !== undefined && isConfirmedBy(feature, set[key] ?? null, value)).toBe(true);
  });

  test('is the color in colored light, and the white in white light', () => {
    const node = openNode(BRIDGE);
    const device = deviceOf(node, 'color');
    const report = (changes: JsonObject) =>
      Object.fromEntries(
        node
          .take(
            Object.entries(changes).map(([attribute, value]) => ({
              endpoint: 5,
              cluster: 'colorControl',
              attribute,
              value,
            })),
          )
          .values.get(device) ?? [],
      );
    const colored = { color_temperature: null };
    const point = { x: 0.3052, y: 0.3052 };
    expect(report({ colorMode: 1, currentX: 20_000, currentY: 20_000 })).toEqual({ ...colored, color: point });
    expect(report({ colorMode: 0, currentHue: 127, currentSaturation: 254 })).toEqual({
      ...colored,
      color: { hue: 180, saturation: 100 },
    });
    expect(report({ colorMode: 2, colorTemperatureMireds: 400 })).toEqual({ color: null, color_temperature: 2500 });
  });

  test('that is unknown, of another type or out of range is no value', () => {
    const node = openNode(BRIDGE);
    for (const value of [null, 'warm', true, {}, [], 12_501, -4_001, 1e300]) {
      const { values, isReshaped } = node.take([
        { endpoint: 8, cluster: 'temperatureMeasurement', attribute: 'measuredValue', value },
      ]);
      expect([value, [...(values.get(deviceOf(node, 'temperature')) ?? [])], isReshaped]).toEqual([
        value,
        value === null ? [['temperature', null]] : [],
        false,
      ]);
    }
  });

  test('says whether the node may be another one now', () => {
    const node = openNode(BRIDGE);
    const take = (...[endpoint, cluster, attribute, value]: [number, string, string, JsonValue]): boolean =>
      node.take([{ endpoint, cluster, attribute, value }]).isReshaped;
    expect(take(3, 'levelControl', 'currentLevel', 7)).toBe(false);
    expect(take(4, 'colorControl', 'colorTempPhysicalMinMireds', 153)).toBe(false);
    expect(take(4, 'colorControl', 'colorTempPhysicalMinMireds', 200)).toBe(true);
    expect(take(3, 'bridgedDeviceBasicInformation', 'nodeLabel', 'Another')).toBe(true);
    expect(take(3, 'levelControl', 'neverSeen', 7)).toBe(true);
    // The parts of a node come with it as a whole.
    expect(take(99, 'onOff', 'onOff', true)).toBe(false);
  });
});

describe('events', () => {
  test.each<[string, JsonObject, object[]]>([
    ['multiPressComplete', { totalNumberOfPressesCounted: 1 }, [{ action: 'single', count: 1 }]],
    ['multiPressComplete', { totalNumberOfPressesCounted: 3 }, [{ action: 'triple', count: 3 }]],
    ['multiPressComplete', { totalNumberOfPressesCounted: 9 }, [{ action: 'many', count: 9 }]],
    // Given up.
    ['multiPressComplete', { totalNumberOfPressesCounted: 0 }, []],
    ['multiPressComplete', { totalNumberOfPressesCounted: 'many' }, []],
    ['longPress', { newPosition: 1 }, [{ action: 'hold' }]],
    ['longRelease', { previousPosition: 1 }, [{ action: 'release' }]],
    ['initialPress', { newPosition: 1 }, []],
    ['shortRelease', { previousPosition: 1 }, []],
  ])('%s %j of a button', (event, data, expected) => {
    const node = openNode(BRIDGE);
    const happened = node.happened({ endpoint: 17, cluster: 'switch', event, data });
    expect(happened.map(({ key, occurrence }) => ({ key, ...occurrence }))).toMatchObject(
      expected.map((one) => ({ key: 'button', ...one })),
    );
  });

  test.each<[string, JsonObject, object]>([
    [
      'lockOperation',
      { lockOperationType: 1, operationSource: 3, userIndex: 4 },
      { action: 'unlock', raw: 'unlock keypad' },
    ],
    [
      'lockOperationError',
      { lockOperationType: 1, operationSource: 7, operationError: 1 },
      { action: 'unlock_failed', raw: 'unlock remote invalid_credential' },
    ],
    ['doorLockAlarm', { alarmCode: 0 }, { action: 'lock_jammed' }],
  ])('%s of a lock', (event, data, expected) => {
    const happened = openNode(BRIDGE).happened({ endpoint: 14, cluster: 'doorLock', event, data });
    expect(happened.map(({ occurrence }) => occurrence)).toMatchObject([expected]);
  });
});

describe('units', () => {
  test.each<[string, JsonObject, Partial<MatterEndpoint>, JsonObject]>([
    [
      'pressureMeasurement',
      { measuredValue: 1013, minMeasuredValue: 300, maxMeasuredValue: 1100 },
      {},
      { pressure: 1013 },
    ],
    ['pressureMeasurement', { measuredValue: 1013, scaledValue: 10_132, scale: -1 }, {}, { pressure: 1013.2 }],
    ['flowMeasurement', { measuredValue: 12 }, {}, { water_flow: 1.2 }],
    ['illuminanceMeasurement', { measuredValue: 0, minMeasuredValue: 1 }, {}, { illuminance: 0 }],
    ['illuminanceMeasurement', { measuredValue: 10_001 }, {}, { illuminance: 10 }],
    ['carbonDioxideConcentrationMeasurement', { measuredValue: 612.5, measurementUnit: 0 }, {}, { co2: 612.5 }],
    [
      'totalVolatileOrganicCompoundsConcentrationMeasurement',
      { measuredValue: 0.2, measurementUnit: 0 },
      {},
      { tvoc: 200 },
    ],
    ['pm25ConcentrationMeasurement', { measuredValue: 0.012, measurementUnit: 3 }, {}, { pm25: 12 }],
    // Parts of a volume are not converted to a mass.
    [
      'formaldehydeConcentrationMeasurement',
      { measuredValue: 20, measurementUnit: 1 },
      {},
      { 'x.formaldehyde_concentration': 20 },
    ],
    [
      'electricalEnergyMeasurement',
      { cumulativeEnergyImported: { energy: 1_234_567 }, cumulativeEnergyExported: { energy: '9007199254740993000' } },
      {},
      { energy: 1.234567 },
    ],
    [
      'electricalPowerMeasurement',
      { activePower: -1_500, frequency: 50_010, powerFactor: 9_300 },
      {},
      { power: -1.5, frequency: 50.01, power_factor: 0.93 },
    ],
    ['booleanState', { stateValue: true }, { deviceTypes: [0x44] }, { rain: true }],
    ['booleanState', { stateValue: true }, { deviceTypes: [0x41] }, { 'x.freeze': true }],
    ['booleanState', { stateValue: true }, {}, { 'x.boolean_state_state_value': true }],
    [
      'occupancySensing',
      { occupancy: { occupied: true } },
      { features: { occupancySensing: ['radar'] } },
      { presence: true },
    ],
    ['doorLock', { lockState: 0, doorState: 5 }, {}, { locked: null, lock_state: 'not_fully_locked', open: true }],
    [
      'windowCovering',
      { currentPositionLiftPercentage: 40, operationalStatus: { global: 2, lift: 2, tilt: 0 } },
      {},
      { position: 60, cover_state: 'close', 'x.movement': 'closing' },
    ],
    [
      'thermostat',
      { localTemperature: -250, thermostatRunningState: { heat: false, cool: true }, localTemperatureCalibration: -15 },
      {},
      { temperature: -2.5, thermostat_state: 'cool', calibration: -1.5 },
    ],
    [
      'smokeCoAlarm',
      { smokeState: 2, coState: 0, batteryAlert: 1, expressedState: 1 },
      {},
      { smoke: true, co_alarm: false, battery_low: true, 'x.alarm_state': 'smoke_alarm' },
    ],
    [
      'rvcOperationalState',
      { operationalState: 66, operationalError: { errorStateId: 0 } },
      {},
      { vacuum_state: 'docked', problem: false, 'x.error': 'no_error' },
    ],
    ['wiFiNetworkDiagnostics', { rssi: -61, bssid: '0a0b' }, {}, { signal_strength: -61 }],
  ])('%s %j', (cluster, ...[state, more, expected]) => {
    expect(valuesOf(nodeOf(cluster, state, more), 'it')).toEqual(expected);
  });

  test('a mode goes by the name that the device gives it', () => {
    const supportedModes = [
      { label: 'Eco 50°', mode: 4, modeTags: [] },
      { label: 'eco 50', mode: 5, modeTags: [] },
      { label: '\u0000', mode: 6, modeTags: [] },
    ];
    const node = nodeOf(
      'dishwasherMode',
      { currentMode: 5, supportedModes },
      { commands: { dishwasherMode: ['changeToMode'] } },
    );
    const [device] = node.devices;
    expect(device?.description.features[0]?.options).toEqual(['eco_50', 'eco_50_5', 'mode_6']);
    expect(valuesOf(node, 'it')).toEqual({ operation_mode: 'eco_50_5' });
    expect(asksOf(node, 'it', { operation_mode: 'eco_50' })).toMatchObject([
      { command: 'changeToMode', fields: { newMode: 4 } },
    ]);
  });
});
