import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { openNode } from '#integrations/matter/live-node.ts';

/** A device with the settings of every kind, and what it says of them. */
function openDevice(state: Readonly<Record<string, JsonObject>>) {
  const root = { number: 0, parent: null, deviceTypes: [0x16], state: {}, commands: {}, features: {} };
  const part = { number: 1, parent: 0, deviceTypes: [0x0a], state, commands: {}, features: {} };
  const node = openNode({ nodeId: '7', endpoints: [root, part] });
  const [device] = node.devices;
  if (device === undefined) throw new Error('it has no device');
  return {
    feature: (key: string) => device.description.features.find((one) => one.key === key),
    value: (key: string) => node.values(device).get(key),
    set: (key: string, value: JsonValue) =>
      node
        .plan(device, { set: new Map([[key, value]]), action: null, transitionMs: null })
        .map(({ ask }) => ('write' in ask ? [`${ask.cluster}.${ask.write}`, ask.value] : ask)),
  };
}

test.each([
  ['levelControl', 'onLevel', [127, 50, 20, 51]],
  ['levelControl', 'onTransitionTime', [15, 1.5, 2.5, 25]],
  ['doorLock', 'soundVolume', [3, 'medium', 'silent', 0]],
  ['doorLock', 'enableOneTouchLocking', [false, false, true, true]],
  ['thermostat', 'minSetpointDeadBand', [25, 2.5, 1.2, 12]],
  ['valveConfigurationAndControl', 'defaultOpenLevel', [80, 80, 30, 30]],
  ['energyEvse', 'randomizationDelayWindow', [600, 600, 60, 60]],
] as const)('%s.%s: %j as it is there and here, as it is set here and there', (cluster, attribute, values) => {
  const [raw, shown, wanted, written] = values;
  const device = openDevice({ [cluster]: { [attribute]: raw } });
  const key = `x.${cluster}_${attribute}`.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(device.feature(key)).toMatchObject({ writable: true, category: 'config' });
  expect(device.value(key)).toBe(shown);
  expect(device.set(key, wanted)).toEqual([[`${cluster}.${attribute}`, written]]);
});

test('a setting has the limits that the device has', () => {
  const device = openDevice({
    thermostat: { minHeatSetpointLimit: 900, absMinHeatSetpointLimit: 500, absMaxHeatSetpointLimit: 3_000 },
    energyEvse: { userMaximumChargeCurrent: 16_000, circuitCapacity: 32_000 },
  });
  const key = 'x.thermostat_min_heat_setpoint_limit';
  expect([device.feature(key)?.min, device.feature(key)?.max, device.value(key)]).toEqual([5, 30, 9]);
  expect(() => device.set(key, 31)).toThrow('does not fit');
  expect(device.feature('x.energy_evse_user_maximum_charge_current')).toMatchObject({ min: 0, max: 32, unit: 'A' });
});

test('a flag is set beside the others, which stay as they are', () => {
  const mode = { motorDirectionReversed: false, calibrationMode: true, maintenanceMode: false, ledFeedback: true };
  const device = openDevice({ windowCovering: { mode } });
  const key = 'x.window_covering_mode_motor_direction_reversed';
  expect(device.value(key)).toBe(false);
  expect(device.set(key, true)).toEqual([['windowCovering.mode', { ...mode, motorDirectionReversed: true }]]);
  expect(device.feature('x.window_covering_mode_calibration_mode')).toBeUndefined();
});

test('what would leave a lock open is read, and not set', () => {
  const device = openDevice({ doorLock: { operatingMode: 4 } });
  expect(device.feature('x.door_lock_operating_mode')).toMatchObject({ writable: false });
});
