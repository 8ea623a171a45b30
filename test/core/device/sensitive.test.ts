import { expect, test } from 'vitest';
import type { DeviceType } from '#core/device/device.ts';
import { isSensitive, isSensitiveRequest } from '#core/device/sensitive.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import { createFeature } from '#test/support/hub/feature.ts';

test.each<[DeviceType, Capability[], string, boolean]>([
  ['door_lock', ['locked', 'x.auto_relock'], 'locked', true],
  ['door_lock', ['locked', 'x.auto_relock'], 'x.auto_relock', true],
  ['water_valve', ['on'], 'on', true],
  ['siren', ['on', 'volume'], 'volume', true],
  ['other', ['on', 'x.garage_door_contact'], 'on', true],
  ['other', ['arm_mode', 'on'], 'on', true],
  ['thermostat', ['target_temperature', 'child_lock'], 'target_temperature', false],
  ['smoke_co_alarm', ['siren', 'sensitivity'], 'siren', true],
  ['smoke_co_alarm', ['siren', 'sensitivity'], 'sensitivity', false],
  ['temperature_sensor', ['x.alarm_volume', 'calibration'], 'x.alarm_volume', true],
  ['other', ['valve_open'], 'valve_open', true],
  ['dimmable_light', ['on', 'brightness'], 'on', false],
  ['window_covering', ['position'], 'position', false],
])(
  'for a %s with %j, a request for %s needs the right to sensitive devices: %s',
  (...[type, capabilities, key, expected]) => {
    const features = capabilities.map((capability) => createFeature(capability, { capability }));
    expect(isSensitiveRequest({ type, features }, [key])).toBe(expected);
    expect(isSensitiveRequest({ type, features, markedSensitive: true }, [key])).toBe(true);
    expect(isSensitive({ type, features, markedSensitive: false })).toBe(isSensitive({ type, features }));
  },
);
