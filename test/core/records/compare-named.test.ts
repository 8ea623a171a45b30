import { expect, test } from 'vitest';
import { compareNamed } from '#core/records/compare-named.ts';

const sorted = (names: readonly string[]): string[] =>
  names
    .map((name, index) => ({ name, id: String(index) }))
    .toSorted(compareNamed)
    .map(({ name }) => name);

test('names are in the order of people, not of bytes', () => {
  const order = ['Äpfel', 'apfelbaum', 'Balkon', 'Room 2', 'Room 10', 'Zimmer', 'Øst', 'Спальня', '寝室'];
  expect(sorted(order.toReversed())).toEqual([
    'Äpfel',
    'apfelbaum',
    'Balkon',
    'Øst',
    'Room 2',
    'Room 10',
    'Zimmer',
    'Спальня',
    '寝室',
  ]);
});

test('equal names are in the order of their ids', () => {
  const [one, other] = [
    { name: 'Lamp', id: '1' },
    { name: 'Lamp', id: '2' },
  ];
  expect([other, one].toSorted(compareNamed)).toEqual([one, other]);
});
