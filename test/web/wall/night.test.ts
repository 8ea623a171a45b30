import { describe, expect, test } from 'vitest';
import { isNight, keepNightRule, type NightRule, readNightRule } from '#web/wall/night.ts';

const at = (clock: string): Date => new Date(`2026-06-15T${clock}:00`);
const sunOf = (sunrise: string | null, sunset: string | null) => ({
  dawn: null,
  sunrise: sunrise === null ? null : at(sunrise).toISOString(),
  noon: null,
  sunset: sunset === null ? null : at(sunset).toISOString(),
  dusk: null,
});
const rule = (way: NightRule['way'], from = '22:00', to = '06:30'): NightRule => ({ way, from, to });

describe('the night of a screen', () => {
  test.each([
    ['before sunrise', rule('sun'), '04:59', sunOf('05:00', '21:00'), true],
    ['at sunrise', rule('sun'), '05:00', sunOf('05:00', '21:00'), false],
    [
      'just before sunset, whatever the times say',
      rule('sun', '12:00', '13:00'),
      '12:30',
      sunOf('05:00', '21:00'),
      false,
    ],
    ['at sunset', rule('sun'), '21:00', sunOf('05:00', '21:00'), true],
    ['without a sun, by the times', rule('sun'), '22:00', null, true],
    ['on a polar day, by the times', rule('sun'), '12:00', sunOf(null, null), false],
    ['over midnight, before its end', rule('times'), '06:29', null, true],
    ['over midnight, at its end', rule('times'), '06:30', null, false],
    ['within a day', rule('times', '13:00', '15:00'), '14:00', null, true],
    ['with two equal times', rule('times', '13:00', '13:00'), '13:00', null, false],
    ['never', rule('never'), '03:00', sunOf('05:00', '21:00'), false],
  ] as const)('%s', (...[, of, clock, sun, expected]) => {
    expect(isNight(of, at(clock), sun)).toBe(expected);
  });

  test('is kept by the browser, and is as it comes if something else stands there', () => {
    const kept = new Map<string, string>();
    const shelf = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    expect(readNightRule(shelf)).toEqual(rule('sun'));
    keepNightRule(shelf, rule('times', '20:15', '07:00'));
    expect(readNightRule(shelf)).toEqual(rule('times', '20:15', '07:00'));
    for (const wrong of ['{', '{"way":"x","from":"9","to":7}', 'null']) {
      kept.set('hearthd.wall.night', wrong);
      expect(readNightRule(shelf)).toEqual(rule('sun'));
    }
  });
});
