import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUuid } from '#base/uuid.ts';
import { createSelectorSource, slugFromName } from '#core/records/selector.ts';
import { searchOf } from '#test/support/machine/runs.ts';

test.each([
  ['Kitchen ceiling', 'kitchen-ceiling'],
  ['  Küche / Decke! ', 'kuche-decke'],
  ['Straße', 'strasse'],
  ['0x00158D0001A2B3C4', '0x00158d0001a2b3c4'],
  ['灯', ''],
  ['../../etc', 'etc'],
  ['x'.repeat(500), 'x'.repeat(60)],
])('%s becomes %s', (name, slug) => {
  expect(slugFromName(name)).toBe(slug);
});

test('any text gives unique short selectors that fit into a path and never look like an id', () => {
  const uuid = '0198f1c2-0000-7000-8000-000000000001';
  const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Lamp', 'lamp-2', 'Lamp 2', uuid, ''));
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const source = createSelectorSource('device');
      const taken = names.map((text) => source.take([text]));
      expect(new Set(taken).size).toBe(names.length);
      for (const selector of taken) {
        expect(selector).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(selector.length).toBeLessThanOrEqual(70);
        expect(isUuid(selector)).toBe(false);
      }
    }),
    searchOf(100),
  );
});

test('a selector from an earlier run is not issued again, but one that was given back is', () => {
  const source = createSelectorSource('room');
  source.reserve('hall-2');
  expect([source.take(['Hall']), source.take(['Hall']), source.take(['灯', 'Hall'])]).toEqual([
    'hall',
    'hall-3',
    'hall-4',
  ]);
  source.giveBack(['hall', 'hall-3']);
  expect([source.take(['Hall']), source.take(['Hall']), source.take(['Hall']), source.take(['灯'])]).toEqual([
    'hall',
    'hall-3',
    'hall-5',
    'room',
  ]);
});
