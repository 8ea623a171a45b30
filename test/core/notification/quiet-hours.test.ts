import { expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { quietUntilMs } from '#core/notification/quiet-hours.ts';

// In Berlin, the hour from 02:00 on comes twice on 25 October, and not at all on 29 March.
test.each([
  ['the first pass', '2026-10-25T00:10:00Z', '2026-10-25T00:30:00Z'],
  ['the second pass', '2026-10-25T01:10:00Z', '2026-10-25T01:30:00Z'],
  ['the night that leaves it out', '2026-03-29T00:10:00Z', '2026-03-29T01:00:00Z'],
])('quiet hours until 02:30 end at 02:30 of %s', (_night, now, end) => {
  const until = quietUntilMs({ from: '22:00', to: '02:30' }, Date.parse(now), createTimeZone('Europe/Berlin'));
  expect(new Date(until ?? 0)).toEqual(new Date(end));
});
