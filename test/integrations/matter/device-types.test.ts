import { describe, expect, test } from 'vitest';
import { findValueErrors, isSaid } from '#core/feature/feature-value.ts';
import type { DeviceType } from '#core/device/device.ts';
import { openNode } from '#integrations/matter/live-node.ts';
import type { MatterEndpoint, MatterNode } from '#integrations/matter/matter-node.ts';
import { DEVICE_TYPES, endpointOfType } from '#test/support/matter/model-nodes.ts';

/** They manage a node or its network, or are only the whole of what other endpoints are. */
const NOT_FOR_PEOPLE = new Set([
  'Aggregator',
  'BridgedNode',
  'JointFabricAdministrator',
  'NetworkInfrastructureManager',
  'OtaProvider',
  'OtaRequestor',
  'ThreadBorderRouter',
  // Their functions are endpoints beside them.
  'BatteryStorage',
  'FloodlightCamera',
  'HeatPump',
  'MeterReferencePoint',
  'Oven',
  'SolarPower',
  'VideoDoorbell',
]);
/** They command others, and have nothing that could be commanded. */
const COMMAND_ONLY = new Set([
  'CameraController',
  'CastingVideoClient',
  'ClosureController',
  'ColorDimmerSwitch',
  'ControlBridge',
  'DimmerSwitch',
  'DoorLockController',
  'OnOffLightSwitch',
  'OnOffSensor',
  'PumpController',
  'ThermostatController',
  'VideoRemoteControl',
  'WindowCoveringController',
]);
/** The vocabulary has no word for what they do: pictures, sounds, tariffs. What they say is generic. */
const NO_WORDS = new Set([
  'Chime',
  'DeviceEnergyManagement',
  'ElectricalEnergyTariff',
  'ElectricalUtilityMeter',
  'Intercom',
]);

/** What those types are that the hub has a word for. */
const EXPECTED: Readonly<Record<string, DeviceType>> = {
  OnOffLight: 'on_off_light',
  DimmableLight: 'dimmable_light',
  ColorTemperatureLight: 'color_temperature_light',
  ExtendedColorLight: 'extended_color_light',
  OnOffPlugInUnit: 'on_off_plug_in_unit',
  DimmablePlugInUnit: 'on_off_plug_in_unit',
  MountedOnOffControl: 'on_off_plug_in_unit',
  MountedDimmableLoadControl: 'dimmable_light',
  WindowCovering: 'window_covering',
  Closure: 'window_covering',
  DoorLock: 'door_lock',
  Thermostat: 'thermostat',
  RoomAirConditioner: 'thermostat',
  WaterHeater: 'thermostat',
  Fan: 'fan',
  AirPurifier: 'fan',
  ExtractorHood: 'fan',
  ContactSensor: 'contact_sensor',
  OccupancySensor: 'occupancy_sensor',
  TemperatureSensor: 'temperature_sensor',
  HumiditySensor: 'humidity_sensor',
  LightSensor: 'light_sensor',
  WaterLeakDetector: 'water_leak_detector',
  SmokeCoAlarm: 'smoke_co_alarm',
  AirQualitySensor: 'air_quality_sensor',
  GenericSwitch: 'generic_switch',
  WaterValve: 'water_valve',
  ElectricalSensor: 'electrical_sensor',
  ElectricalMeter: 'electrical_sensor',
  // The switch of a pump or a washer is not what it is for.
  Pump: 'other',
  LaundryWasher: 'other',
  RoboticVacuumCleaner: 'other',
};

const ROOT: MatterEndpoint = { number: 0, parent: null, deviceTypes: [0x16], state: {}, commands: {}, features: {} };
const nodeWith = (...endpoints: readonly MatterEndpoint[]): MatterNode => ({
  nodeId: '7',
  endpoints: [ROOT, ...endpoints],
});

describe('the device types of Matter', () => {
  test.each(DEVICE_TYPES.map((type) => [type.name, type] as const))('%s', (name, type) => {
    const endpoint = endpointOfType(type);
    // Slats have no position, and everything else that a panel may be has one.
    const features = { ...endpoint.features, closureDimension: ['positioning'] };
    const node = openNode(nodeWith(name === 'ClosurePanel' ? { ...endpoint, features } : endpoint));
    const [device] = node.devices;
    if (device === undefined) throw new Error('there is no device');
    const { features: made, type: deviceType } = device.description;
    const words = made.filter(({ capability }) => !capability.startsWith('x.') && capability !== 'identify');
    const isListed = NOT_FOR_PEOPLE.has(name) || COMMAND_ONLY.has(name) || NO_WORDS.has(name);
    expect({ name, hasWords: words.length > 0 }).toEqual({ name, hasWords: !isListed });
    expect(deviceType).toBe(EXPECTED[name] ?? deviceType);

    const byKey = new Map(made.map((feature) => [feature.key, feature]));
    expect(byKey.size).toBe(made.length);
    for (const [key, value] of node.values(device)) {
      const feature = byKey.get(key);
      expect([key, value, feature !== undefined && isSaid(feature, value)]).toEqual([key, value, true]);
    }
    // Each option that a person can choose asks for something, in the name of its feature.
    for (const feature of made.filter(({ writable, kind }) => writable && kind === 'state')) {
      for (const option of feature.options ?? []) {
        expect(findValueErrors(feature, option, '')).toEqual([]);
        const planned = node.plan(device, { set: new Map([[feature.key, option]]), action: null, transitionMs: null });
        expect([feature.key, option, planned.length]).toEqual([feature.key, option, 1]);
        expect(planned[0]?.keys).toEqual([feature.key]);
      }
    }
    for (const { key } of made.filter(({ kind, writable }) => kind === 'action' && writable)) {
      const planned = node.plan(device, { set: new Map(), action: key, transitionMs: null });
      expect(planned).toMatchObject([{ keys: [key] }]);
    }
  });

  test('a list of them has nothing that is not in the standard', () => {
    const names = new Set(DEVICE_TYPES.map(({ name }) => name));
    const listed = [...NOT_FOR_PEOPLE, ...COMMAND_ONLY, ...NO_WORDS, ...Object.keys(EXPECTED)];
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('all in one node: the second of a kind is on a component of its own, and every key is there once', () => {
    const node = openNode(nodeWith(...DEVICE_TYPES.map((type, index) => endpointOfType(type, index + 1))));
    // What a bridge or a bridged node holds is a device of its own.
    expect(node.devices.length).toBeLessThan(4);
    for (const { description } of node.devices) {
      const keys = description.features.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { key, component, capability } of description.features) {
        expect(key).toBe(component === 'main' ? capability : `${component}.${capability}`);
      }
    }
    expect(node.leftOut.attributes).toBeGreaterThan(0);
  });
});
