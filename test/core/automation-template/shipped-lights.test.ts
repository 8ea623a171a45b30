import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { HomeSettings } from '#test/support/automation/virtual-home.ts';
import { at, homeWith } from './template-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('the light by motion', () => {
  const DEVICES = {
    'hall-motion': { values: { motion: false } },
    'stairs-motion': { values: { presence: false } },
    'hall-lux': { values: { illuminance: 12 } },
    'hall-lamp': { values: { on: false, brightness: 50 } },
  };
  const open = (inputs: Record<string, JsonValue> = {}, settings: Partial<HomeSettings> = {}) =>
    homeWith(
      'motion-light',
      { motion: ['hall-motion', 'stairs-motion'], lights: ['hall-lamp'], lux: 'hall-lux', level: 70, ...inputs },
      { devices: DEVICES, ...settings },
    );

  test('goes on in the dark, and off three minutes after the last motion of any sensor', () => {
    const home = open();
    home.report('hall-motion', 'motion', true);
    home.advance(MINUTE_MS);
    home.report('stairs-motion', 'presence', true);
    home.report('hall-motion', 'motion', false);
    home.advance(10 * MINUTE_MS);
    home.report('stairs-motion', 'presence', false);
    home.advance(3 * MINUTE_MS - 2000);
    expect(home.value('hall-lamp', 'on')).toBe(true);
    home.advance(4000);
    expect(home.given()).toEqual(['hall-lamp {"on":true,"brightness":70}', 'hall-lamp {"on":false}']);
    expect(home.outcomes().at(-1)).toBe('finished');
  });

  test('leaves a bright room dark, and goes on where the light sensor is unknown', () => {
    const home = open();
    home.report('hall-lux', 'illuminance', 200);
    home.report('hall-motion', 'motion', true);
    expect(home.given()).toEqual([]);
    home.setAvailability('hall-lux', 'offline');
    home.report('hall-motion', 'motion', false);
    home.report('hall-motion', 'motion', true);
    expect(home.given()).toEqual(['hall-lamp {"on":true,"brightness":70}']);
  });

  test('is dim at night, by the clock, by the mode, and by neither while the clock is not set', () => {
    const dim = 'hall-lamp {"on":true,"brightness":10}';
    const late = open({}, { startMs: at('23:30') });
    late.report('hall-motion', 'motion', true);
    expect(late.given()).toEqual([dim]);
    const early = open();
    early.setMode('home', 'night');
    early.report('hall-motion', 'motion', true);
    expect(early.given()).toEqual([dim]);
    const unset = open({}, { startMs: at('23:30'), isClockSet: false });
    unset.report('hall-motion', 'motion', true);
    expect(unset.given()).toEqual(['hall-lamp {"on":true,"brightness":70}']);
  });

  test('stays on for hours while somebody moves, and goes off though the hub restarts in the middle', () => {
    const home = open();
    home.report('hall-motion', 'motion', true);
    home.advance(5 * HOUR_MS);
    expect(home.value('hall-lamp', 'on')).toBe(true);
    home.restart({ offMs: 20 * MINUTE_MS, isPowerCut: true });
    home.advance(MINUTE_MS);
    expect(home.value('hall-lamp', 'on')).toBe(true);
    home.report('hall-motion', 'motion', false);
    home.advance(4 * MINUTE_MS);
    expect(home.given().at(-1)).toBe('hall-lamp {"on":false}');
  });

  test('goes off an hour after its only moving sensor is gone, and not at once', () => {
    const home = open();
    home.report('hall-motion', 'motion', true);
    home.advance(MINUTE_MS);
    home.setAvailability('hall-motion', 'offline');
    home.advance(30 * MINUTE_MS);
    expect(home.value('hall-lamp', 'on')).toBe(true);
    home.advance(31 * MINUTE_MS);
    expect(home.value('hall-lamp', 'on')).toBe(false);
  });

  test('leaves the lamp to the hand that moved it', () => {
    const home = open();
    home.report('hall-motion', 'motion', true);
    home.advance(MINUTE_MS);
    home.report('hall-lamp', 'on', false);
    home.report('hall-motion', 'motion', false);
    home.report('hall-motion', 'motion', true);
    home.advance(10 * MINUTE_MS);
    expect(home.given()).toEqual(['hall-lamp {"on":true,"brightness":70}']);
  });

  test('sends no brightness to lamps without one', () => {
    const home = homeWith(
      'motion-light',
      { motion: ['hall-motion'], lights: ['plug'] },
      { devices: { ...DEVICES, plug: { values: { on: false } } } },
    );
    home.report('hall-motion', 'motion', true);
    expect(home.given()).toEqual(['plug {"on":true}']);
  });
});

describe('the wake-up light', () => {
  const MONDAY = '2026-11-23';
  const DEVICES = { lamp: { values: { on: false, brightness: 0 } } };
  const open = (settings: Partial<HomeSettings> = {}) =>
    homeWith(
      'wake-up-light',
      { lights: ['lamp'], stay_min: 30 },
      { devices: DEVICES, people: { ada: 'home' }, startMs: at('06:00', MONDAY), ...settings },
    );

  test('rises for twenty minutes on a workday, and goes off half an hour later', () => {
    const home = open();
    home.goTo('06:29', MONDAY);
    expect(home.given()).toEqual([]);
    home.goTo('06:51', MONDAY);
    const levels = home.given().map((line) => Number(/"brightness":(\d+)/.exec(line)?.[1]));
    expect([levels[0], levels.at(-1)]).toEqual([1, 80]);
    expect(new Set(levels).size).toBe(19);
    expect(levels).toEqual(levels.toSorted((left, right) => left - right));
    home.goTo('07:22', MONDAY);
    expect(home.given().at(-1)).toBe('lamp {"on":false}');
  });

  test.each([
    ['on a Saturday', { startMs: at('06:00') }, '2026-11-21'],
    ['on a free day of the calendar', { startMs: at('06:00', '2026-12-25') }, '2026-12-25'],
    ['while everybody is away', { people: { ada: 'away' as const } }, MONDAY],
    ['while a lamp is on already', { devices: { lamp: { values: { on: true, brightness: 30 } } } }, MONDAY],
    ['while the clock is not set', { isClockSet: false }, MONDAY],
  ])('does nothing %s', (_when, settings, date) => {
    const home = open(settings);
    home.goTo('08:00', date);
    expect(home.given()).toEqual([]);
  });

  test('does nothing on vacation, and lights up where nobody knows who is at home', () => {
    const away = open();
    away.setMode('home', 'vacation');
    away.goTo('08:00', MONDAY);
    expect(away.given()).toEqual([]);
    const unknown = open({ people: { ada: 'unknown' } });
    unknown.goTo('06:31', MONDAY);
    expect(unknown.given()).not.toEqual([]);
  });

  test('gives up where a hand turns the lamp off', () => {
    const home = open();
    home.goTo('06:35', MONDAY);
    home.advance(5000);
    home.report('lamp', 'on', false);
    const before = home.given().length;
    home.goTo('09:00', MONDAY);
    expect(home.given()).toHaveLength(before);
  });

  test('goes on after a short restart, and wakes nobody after a long one', () => {
    const short = open();
    short.goTo('06:35', MONDAY);
    short.restart({ offMs: 2 * MINUTE_MS, isPowerCut: true });
    short.goTo('06:58', MONDAY);
    expect(short.value('lamp', 'brightness')).toBe(80);
    const long = open();
    long.restart({ offMs: HOUR_MS });
    long.goTo('08:00', MONDAY);
    expect(long.given()).toEqual([]);
  });
});

describe('the lights at sunset', () => {
  // The sun sets at 16:01 in Berlin on that day.
  const DEVICES = { lamp: { values: { on: false, brightness: 0 } } };
  const open = (settings: Partial<HomeSettings> = {}, inputs: Record<string, JsonValue> = {}) =>
    homeWith(
      'sunset-lights',
      { lights: ['lamp'], level: 60, ...inputs },
      { devices: DEVICES, people: { ada: 'home' }, ...settings },
    );

  test('go on a quarter of an hour before it, and off at night', () => {
    const home = open();
    home.goTo('15:40');
    expect(home.given()).toEqual([]);
    home.goTo('15:52');
    expect(home.given()).toEqual(['lamp {"on":true,"brightness":60}']);
    home.goTo('23:01');
    expect(home.given().at(-1)).toBe('lamp {"on":false}');
  });

  test('go off though the hub was off at that time, and come on late, but not in the night', () => {
    const off = open();
    off.goTo('16:00');
    off.restart({ offMs: 9 * HOUR_MS, isPowerCut: true });
    off.advance(MINUTE_MS);
    expect(off.given().at(-1)).toBe('lamp {"on":false}');
    const late = open();
    late.restart({ offMs: 4.5 * HOUR_MS });
    late.advance(MINUTE_MS);
    expect(late.given()).toEqual(['lamp {"on":true,"brightness":60}']);
    const night = open({}, { not_before: '22:30' });
    night.restart({ offMs: 11.2 * HOUR_MS });
    night.advance(MINUTE_MS);
    expect(night.given()).toEqual([]);
  });

  test('stay off while everybody is away, and leave a lamp to the hand that moved it', () => {
    const away = open({ people: { ada: 'away' } });
    away.goTo('23:30');
    expect(away.given()).toEqual([]);
    const hand = open({ devices: { lamp: { values: { on: true, brightness: 30 } } } });
    hand.goTo('15:40');
    hand.report('lamp', 'on', false);
    hand.goTo('16:30');
    expect(hand.given()).toEqual([]);
  });
});

describe('the button for scenes', () => {
  const DEVICES = { remote: { values: { button: null } }, lamp: { values: { on: true } } };
  const SCENES = { dinner: { lamp: { on: true } }, film: { lamp: { on: true } }, read: { lamp: { on: true } } };
  const open = (inputs: Record<string, JsonValue> = {}) =>
    homeWith(
      'button-scenes',
      { button: 'remote', first: 'dinner', second: 'film', ...inputs },
      { devices: DEVICES, scenes: SCENES },
    );
  const chosen = (home: ReturnType<typeof open>): readonly string[] =>
    home
      .traces()
      .flatMap(({ steps }) =>
        steps.flatMap(({ pointer }) => (pointer.includes('scene') || /choose/.test(pointer) ? [pointer] : [])),
      );

  test('goes from scene to scene by what is active', () => {
    const home = open({ third: 'read' });
    const pointerAfter = (active: string): string | undefined => {
      home.setScene(active);
      home.press('remote', 'single');
      home.advance(2000);
      return chosen(home).at(-1);
    };
    expect(pointerAfter('none')).toContain('/else/0');
    expect(pointerAfter('dinner')).toContain('/cases/0/then/0');
    expect(pointerAfter('film')).toContain('/cases/1/then/0');
    expect(pointerAfter('read')).toContain('/else/0');
  });

  test('turns lamps off with another press, where it has lamps', () => {
    const home = open({ lights: ['lamp'] });
    home.press('remote', 'double');
    expect(home.given()).toEqual(['lamp {"on":false}']);
    const without = open();
    without.press('remote', 'double');
    without.press('remote', 'hold');
    expect(without.traces()).toEqual([]);
  });
});
