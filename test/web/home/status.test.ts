import { expect, test } from 'vitest';
import type { Device } from '#web/client/api.ts';
import { statusesOf } from '#web/state/device/device-status.ts';

const device = (capability: string, value: unknown, more: object = {}): Device =>
  ({
    type: 'other',
    integration: 'x',
    sensitive: false,
    availability: { state: 'online', reason: null },
    features: [{ key: capability, capability, value, writable: false }],
    ...more,
  }) as unknown as Device;

test.each([
  ['water', device('water_leak', true), ['alarm']],
  ['a dry sensor', device('water_leak', false), []],
  ['an unlocked door', device('locked', false), ['unlocked']],
  ['a locked door', device('locked', true), ['locked']],
  ['a lock that says nothing', device('locked', null), []],
  ['an open window', device('open', true), ['open']],
  ['an open garage', device('cover_state', 'open', { sensitive: true }), ['open']],
  ['an open blind', device('cover_state', 'open'), []],
  ['an empty battery', device('battery', 5), ['battery']],
  ['a silent device', device('open', true, { availability: { state: 'offline', reason: 'no_response' } }), ['offline']],
  [
    'one behind a broken bridge',
    device('open', true, { availability: { state: 'unknown', reason: 'integration_down' } }),
    ['cutOff'],
  ],
  [
    'one whose integration was switched off',
    device('open', true, { availability: { state: 'unknown', reason: 'integration_off' } }),
    [],
  ],
])('says of %s what matters', (_name, of, wanted) => {
  expect(statusesOf(of)).toEqual(wanted);
});
