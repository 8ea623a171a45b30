import { expect, test } from 'vitest';
import type { Device } from '#web/client/api.ts';
import { longUndecided, undecided } from '#web/scene/all-off.ts';

const NOW_MS = Date.parse('2026-12-01T12:00:00Z');
const OLD = '2026-01-01T00:00:00Z';
const device = (name: string, mark: Pick<Device, 'all_off' | 'all_off_by'>, created_at = OLD): Device =>
  ({ name, ...mark, created_at }) as Device;
const namesOf = (devices: readonly Device[]): readonly string[] => devices.map(({ name }) => name);

test('people are asked about what stays on by its type, and in a home from before a card says so', () => {
  const devices = [
    device('lamp', { all_off: true, all_off_by: 'type' }),
    device('plug', { all_off: false, all_off_by: 'type' }),
    device('plug of this hour', { all_off: false, all_off_by: 'type' }, '2026-12-01T11:00:00Z'),
    // A mark from before this version is a choice too.
    device('fridge', { all_off: false, all_off_by: 'person' }),
    device('heater', { all_off: true, all_off_by: 'person' }),
    device('lamp of the child', { all_off: false, all_off_by: 'person' }),
  ];
  expect(namesOf(undecided(devices))).toEqual(['plug', 'plug of this hour']);
  expect(namesOf(longUndecided(devices, NOW_MS))).toEqual(['plug']);
});
