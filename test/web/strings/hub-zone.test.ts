import { afterEach, describe, expect, test } from 'vitest';
import { civilDayWords, timeWords } from '#web/strings/formats.ts';
import { adoptZone, instantOf, localTime, offsetAt, ownZone } from '#web/strings/hub-zone.ts';
import { clockWords, momentWords } from '#web/strings/measure-words.ts';

const AT = '2026-11-29T23:30:00Z';
/** Far from each other, so that no zone of the browser is near both. */
const ZONES = [
  ['Pacific/Kiritimati', '2026-11-30T13:30', '30'],
  ['Pacific/Niue', '2026-11-29T12:30', '29'],
] as const;

describe('every time is in the zone of the hub, whatever that of the browser', () => {
  afterEach(() => adoptZone(ownZone()));

  test.each(ZONES)('%s', (zone, local, day) => {
    adoptZone(zone);
    expect(localTime(AT)).toBe(local);
    expect(new Date(instantOf(Date.parse(`${local}Z`))).toISOString()).toBe(new Date(AT).toISOString());
    const isHalfDay = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12 === true;
    const clock = local.slice(11);
    const shown = isHalfDay ? `${((Number(clock.slice(0, 2)) + 11) % 12) + 1}${clock.slice(2)}` : clock;
    expect(timeWords(AT, 'clock')).toContain(shown);
    expect(clockWords(AT)).toContain(shown);
    expect(momentWords(AT)).toContain(day);
    // A day of a calendar is the same in every zone.
    expect(civilDayWords('2026-11-29', 'wholeDay')).toContain('29');
  });

  test('a zone that this browser does not know is UTC', () => {
    adoptZone('No/Such_Zone');
    expect(localTime(AT)).toBe('2026-11-29T23:30');
  });

  test('what clocks show is found again on both sides of their change', () => {
    for (const at of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-03-29T00:59:00Z', '2026-03-29T01:01:00Z']) {
      const atMs = Date.parse(at);
      const localMs = atMs + offsetAt(atMs, 'Europe/Berlin');
      const foundMs = instantOf(localMs, 'Europe/Berlin');
      expect(localTime(foundMs, 'Europe/Berlin')).toBe(localTime(atMs, 'Europe/Berlin'));
    }
  });
});
