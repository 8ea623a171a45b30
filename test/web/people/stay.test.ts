import { afterEach, expect, test } from 'vitest';
import { stayEnds } from '#web/people/stay.ts';
import { adoptZone, ownZone } from '#web/strings/hub-zone.ts';

afterEach(() => adoptZone(ownZone()));

test.each([
  ['2026-12-02T12:00:00Z', '2026-12-06T19:00:00.000Z', '2026-12-09T19:00:00.000Z'],
  // A Sunday: today, as long as an hour is left.
  ['2026-12-06T17:00:00Z', '2026-12-06T19:00:00.000Z', '2026-12-13T19:00:00.000Z'],
  ['2026-12-06T18:30:00Z', '2026-12-13T19:00:00.000Z', '2026-12-13T19:00:00.000Z'],
  // It is Monday at home already.
  ['2026-12-06T23:30:00Z', '2026-12-13T19:00:00.000Z', '2026-12-14T19:00:00.000Z'],
  // The clocks change on that Sunday.
  ['2026-03-28T12:00:00Z', '2026-03-29T18:00:00.000Z', '2026-04-04T18:00:00.000Z'],
])('at %s a stay ends in the evening of the zone of the hub', (now, sunday, week) => {
  adoptZone('Europe/Berlin');
  expect(stayEnds(Date.parse(now))).toEqual({ sunday, week });
});
