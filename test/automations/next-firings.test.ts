import { expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import { nextFirings } from '#automations/next-firings.ts';
import { definitionOf } from '#test/support/automation/known-home.ts';

const zone = createTimeZone('Europe/Berlin');
const civil = createCivilTime({
  zone: () => zone,
  place: () => undefined,
  isFree: () => false,
  timeIn: () => undefined,
});
const firings = (triggers: readonly object[], after: string, count: number) =>
  nextFirings(
    definitionOf({ triggers, steps: [] } as never),
    { civil, zone },
    { afterMs: Date.parse(after), count },
  ).map(({ atMs, trigger, dst }) => [new Date(atMs).toISOString(), trigger, dst]);

test('the next times of all triggers come in their order', () => {
  const triggers = [
    { type: 'time', at: ['06:45', '22:00'] },
    { type: 'time', at: '12:00' },
    { type: 'sun', event: 'sunset' },
  ];
  expect(firings(triggers, '2026-11-21T12:00:00Z', 3)).toEqual([
    ['2026-11-21T21:00:00.000Z', 't1', 'none'],
    ['2026-11-22T05:45:00.000Z', 't1', 'none'],
    ['2026-11-22T11:00:00.000Z', 't2', 'none'],
  ]);
});

test('a time that the clock leaves out is marked, and one that it shows twice', () => {
  const triggers = [{ type: 'time', at: '02:30' }];
  expect(firings(triggers, '2027-03-27T12:00:00Z', 2)).toEqual([
    ['2027-03-28T01:00:00.000Z', 't1', 'gap'],
    ['2027-03-29T00:30:00.000Z', 't1', 'none'],
  ]);
  expect(firings(triggers, '2027-10-30T12:00:00Z', 2)).toEqual([
    ['2027-10-31T00:30:00.000Z', 't1', 'overlap'],
    ['2027-11-01T01:30:00.000Z', 't1', 'none'],
  ]);
});

test('an automation without times of the clock has none', () => {
  expect(firings([{ type: 'hook' }], '2027-03-27T12:00:00Z', 10)).toEqual([]);
});
