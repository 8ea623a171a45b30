import { describe, expect, test } from 'vitest';
import { missingForRole } from '#auth/caller.ts';
import { SCOPES_OF_ROLE } from '#auth/scope.ts';
import type { Device } from '#core/device/device.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { ROLES } from '#core/person/user.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import { callerOf } from '#test/support/hub/http-app.ts';
import {
  isSensitiveByItself,
  refusalOf,
  type Right,
  rightsOf,
  rightToControl,
  rolesUnder,
} from '#web/state/account/rights.ts';

describe('the page offers what the hub allows', () => {
  test.each(ROLES)('%s may give the roles that the hub lets it give', (role) => {
    const canGive = ROLES.filter(
      (other) => SCOPES_OF_ROLE[role].has('user:manage') && missingForRole(callerOf(role), other).length === 0,
    );
    expect([...rolesUnder(role)].sort()).toEqual([...canGive].sort());
  });

  test.each([undefined, 'of another day'])('a role that is %s has what every role has', (role) => {
    for (const right of rightsOf(role)) for (const one of ROLES) expect(SCOPES_OF_ROLE[one].has(right)).toBe(true);
  });

  const TYPES = [
    'door_lock',
    'water_valve',
    'siren',
    'dimmable_light',
    'on_off_plug_in_unit',
    'window_covering',
    'other',
  ];
  const CAPABILITIES = [
    ...Object.keys(VOCABULARY),
    'x.alarm',
    'x.alarm_volume',
    'x.fire_alarm',
    'x.siren',
    'x.water_valve_state',
    'x.valve',
    'x.valves',
    'x.alarming',
    'x.garage_door_contact',
    'x.my_garage',
    'x.something',
  ];

  test('the page finds a device sensitive exactly when the hub does, with every pair of features', () => {
    const other = ['on', 'locked', 'arm_mode', 'x.garage_trigger'];
    for (const type of TYPES) {
      for (const capability of CAPABILITIES) {
        for (const beside of other) {
          const feature = { key: 'requested', capability, writable: true };
          const device = { type, features: [feature, { key: 'beside', capability: beside, writable: true }] };
          const hubDevice = device as unknown as Pick<Device, 'type' | 'features'>;
          const needs = rightToControl(device as never, feature);
          const wanted = isSensitiveRequest(hubDevice, ['requested']) ? 'device:control_sensitive' : 'device:control';
          expect([type, capability, beside, needs]).toEqual([type, capability, beside, wanted]);
        }
      }
    }
  });

  test('a guest reads that a marked plug is not for guests, and a resident may use it', () => {
    const features = [{ capability: 'on', writable: true }];
    const device = { type: 'on_off_plug_in_unit', sensitive: true, features } as never;
    const asking = (role: string) => ({
      can: (right: Right) => rightsOf(role).includes(right),
      me: { value: { role } },
    });
    expect(isSensitiveByItself(device)).toBe(false);
    expect(refusalOf(asking('guest'), device)).toBe('Guests cannot use this device');
    expect(refusalOf(asking('resident'), device)).toBeUndefined();
  });

  test.each([
    ['door_lock', 'locked', 'Guests cannot open locks'],
    ['other', 'x.garage_trigger', 'Guests cannot open the garage'],
    ['water_valve', 'on', 'Guests cannot use valves'],
    ['siren', 'siren', 'Guests cannot use alarms'],
    ['other', 'arm_mode', 'Guests cannot use alarms'],
  ])('a guest reads why a %s with %s is not for guests, and a resident may use it', (type, capability, words) => {
    const device = { type, features: [{ capability, writable: true }] } as never;
    const asking = (role: string) => ({
      can: (right: Right) => rightsOf(role).includes(right),
      me: { value: { role } },
    });
    expect(refusalOf(asking('guest'), device)).toBe(words);
    expect(refusalOf(asking('resident'), device)).toBeUndefined();
    expect(refusalOf(asking('guest'), { type, features: [{ capability, writable: false }] } as never)).toBeUndefined();
  });
});
