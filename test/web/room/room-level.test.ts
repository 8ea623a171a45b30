import { expect, test } from 'vitest';
import { lampsOf } from '#web/room/room-facts.ts';
import { type Lamp, levelOf, wishesForLevel } from '#web/room/room-level.ts';

const lamp = (id: string, on: boolean, brightness: number | null): Lamp => ({
  id,
  on: { key: 'on', value: on },
  brightness: brightness === null ? undefined : { key: 'brightness', value: brightness },
});

test('what is lit changes in proportion, and what is off stays off', () => {
  const lamps = [lamp('a', true, 80), lamp('b', true, 20), lamp('c', false, 50), lamp('d', true, null)];
  expect(levelOf(lamps)).toBe(50);
  expect(wishesForLevel(lamps, 25)).toEqual([
    { device: 'a', set: { brightness: 40 } },
    { device: 'b', set: { brightness: 10 } },
  ]);
});

test.each([
  [100, [100, 40]],
  [1, [2, 1]],
])('at level %i no lamp goes out or over its end', (level, wanted) => {
  const lamps = [lamp('a', true, 80), lamp('b', true, 20)];
  expect(wishesForLevel(lamps, level).map(({ set }) => set['brightness'])).toEqual(wanted);
});

test('if nothing is lit, every lamp goes on at that level; one without brightness just goes on', () => {
  const lamps = [lamp('a', false, 80), lamp('b', false, null)];
  expect(levelOf(lamps)).toBe(0);
  expect(wishesForLevel(lamps, 30)).toEqual([
    { device: 'a', set: { on: true, brightness: 30 } },
    { device: 'b', set: { on: true } },
  ]);
});

test('level 0 turns off what is lit', () => {
  const lamps = [lamp('a', true, 80), lamp('b', true, null), lamp('c', false, 10)];
  expect(wishesForLevel(lamps, 0)).toEqual([
    { device: 'a', set: { on: false } },
    { device: 'b', set: { on: false } },
  ]);
});

test('the lamps of a room are its lamps alone: no plug, no group, and nothing that is out of reach', () => {
  const device = (id: string, more: object) => ({
    id,
    type: 'dimmable_light',
    integration: 'x',
    availability: { state: 'online', reason: null },
    features: [
      { key: 'on', capability: 'on', value: true, writable: true },
      { key: 'brightness', capability: 'brightness', value: 50, writable: true },
    ],
    ...more,
  });
  const devices = [
    device('lamp', {}),
    device('plug', { type: 'on_off_plug_in_unit' }),
    device('group', { integration: 'group' }),
    device('away', { availability: { state: 'offline', reason: 'no_response' } }),
  ];
  expect(lampsOf(devices as never).map(({ id }) => id)).toEqual(['lamp']);
});
