import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { HomeSettings } from '#test/support/automation/virtual-home.ts';
import { at, homeWith } from './template-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('all off when everybody is away', () => {
  const DEVICES = { lamp: { values: { on: true } }, window: { values: { open: false } } };
  const open = (settings: Partial<HomeSettings> = {}) =>
    homeWith(
      'away-off',
      { windows: ['window'] },
      {
        devices: DEVICES,
        scenes: { 'all-off': { lamp: { on: false } } },
        people: { ada: 'home', bo: 'home' },
        ...settings,
      },
    );

  test('waits for the last person and five minutes more, and sets the home to away', () => {
    const home = open();
    home.setPresence('ada', 'away');
    home.advance(HOUR_MS);
    expect(home.given()).toEqual([]);
    home.setPresence('bo', 'away');
    home.advance(4 * MINUTE_MS);
    expect(home.given()).toEqual([]);
    home.advance(2 * MINUTE_MS);
    expect(home.given()).toEqual(['lamp {"on":false}']);
    expect(home.mode('home')).toBe('away');
    expect(home.told()).toEqual([]);
  });

  test('does nothing for somebody who comes back in time, and none while one is unknown', () => {
    const home = open();
    home.setPresence('ada', 'away');
    home.setPresence('bo', 'away');
    home.advance(3 * MINUTE_MS);
    home.setPresence('bo', 'home');
    home.advance(HOUR_MS);
    home.setPresence('bo', 'unknown');
    home.advance(HOUR_MS);
    expect(home.given()).toEqual([]);
  });

  test('takes the word of a person who sets the home to away, and leaves vacation as it is', () => {
    const home = open();
    home.setMode('home', 'away');
    expect(home.given()).toEqual(['lamp {"on":false}']);
    const vacation = open();
    vacation.setMode('home', 'vacation');
    vacation.setPresence('ada', 'away');
    vacation.setPresence('bo', 'away');
    vacation.advance(10 * MINUTE_MS);
    expect(vacation.given()).toEqual(['lamp {"on":false}']);
    expect(vacation.mode('home')).toBe('vacation');
  });

  test('tells of an open window, and counts on over a restart', () => {
    const home = open();
    home.report('window', 'open', true);
    home.setPresence('ada', 'away');
    home.setPresence('bo', 'away');
    home.advance(3 * MINUTE_MS);
    home.restart({ offMs: MINUTE_MS, isPowerCut: true });
    home.advance(2 * MINUTE_MS);
    expect(home.given()).toEqual(['lamp {"on":false}']);
    expect(home.told()).toEqual(['warning: Everybody is away, and a window or door is open']);
  });
});

describe('the heating while a window is open', () => {
  const DEVICES = {
    left: { values: { open: false } },
    right: { values: { open: false } },
    radiator: { values: { target_temperature: 21 } },
  };
  const open = (settings: Partial<HomeSettings> = {}) =>
    homeWith(
      'window-heating',
      { windows: ['left', 'right'], thermostats: ['radiator'] },
      { devices: DEVICES, ...settings },
    );

  test('goes down after a minute, and back when all windows are closed', () => {
    const home = open();
    home.report('left', 'open', true);
    home.advance(2 * MINUTE_MS);
    home.report('right', 'open', true);
    home.report('left', 'open', false);
    home.advance(10 * MINUTE_MS);
    expect(home.given()).toEqual(['radiator {"target_temperature":12}']);
    home.report('right', 'open', false);
    home.advance(2 * MINUTE_MS);
    expect(home.given().at(-1)).toBe('radiator {"target_temperature":21}');
  });

  test('stays as it is for a moment of fresh air', () => {
    const home = open();
    home.report('left', 'open', true);
    home.advance(50_000);
    home.report('left', 'open', false);
    home.advance(HOUR_MS);
    expect(home.given()).toEqual([]);
  });

  test('keeps what a hand sets meanwhile, and never heats more', () => {
    const hand = open();
    hand.report('left', 'open', true);
    hand.advance(2 * MINUTE_MS);
    hand.report('radiator', 'target_temperature', 17);
    hand.report('left', 'open', false);
    hand.advance(10 * MINUTE_MS);
    expect(hand.value('radiator', 'target_temperature')).toBe(17);
    const cold = open({ devices: { ...DEVICES, radiator: { values: { target_temperature: 7 } } } });
    cold.report('left', 'open', true);
    cold.advance(10 * MINUTE_MS);
    expect(cold.value('radiator', 'target_temperature')).toBe(7);
  });

  test('goes back after a power cut in the middle, and an hour after its sensor is gone', () => {
    const cut = open();
    cut.report('left', 'open', true);
    cut.advance(5 * MINUTE_MS);
    cut.restart({ offMs: 30 * MINUTE_MS, isPowerCut: true });
    cut.advance(MINUTE_MS);
    cut.report('left', 'open', false);
    cut.advance(2 * MINUTE_MS);
    expect(cut.value('radiator', 'target_temperature')).toBe(21);
    const gone = open();
    gone.report('left', 'open', true);
    gone.advance(5 * MINUTE_MS);
    gone.setAvailability('left', 'offline');
    gone.advance(30 * MINUTE_MS);
    expect(gone.value('radiator', 'target_temperature')).toBe(12);
    gone.advance(40 * MINUTE_MS);
    expect(gone.value('radiator', 'target_temperature')).toBe(21);
  });
});

describe('the appliance that is finished', () => {
  const DEVICES = { washer: { values: { power: 0.4 } }, door: { values: { open: false } } };
  const open = (inputs: Record<string, JsonValue> = {}) =>
    homeWith('appliance-finished', { meter: 'washer', name: 'The washing machine', ...inputs }, { devices: DEVICES });
  const wash = (home: ReturnType<typeof open>): void => {
    for (const power of [2000, 180, 2.5, 220, 1.2, 400]) {
      home.report('washer', 'power', power);
      home.advance(2 * MINUTE_MS);
    }
  };

  test('comes once, three minutes after the power went down, and not in a pause', () => {
    const home = open();
    wash(home);
    expect(home.told()).toEqual([]);
    home.report('washer', 'power', 0.6);
    home.advance(MINUTE_MS);
    home.report('washer', 'power', 0.5);
    home.advance(2 * MINUTE_MS + 1000);
    expect(home.told()).toEqual(['info: The washing machine is done']);
    home.advance(HOUR_MS);
    expect(home.told()).toHaveLength(1);
  });

  test('comes after a restart in the middle, and after a plug that was away for a while', () => {
    const home = open();
    wash(home);
    home.restart({ offMs: 2 * MINUTE_MS, isPowerCut: true });
    home.setAvailability('washer', 'offline');
    home.advance(MINUTE_MS);
    home.setAvailability('washer', 'online');
    home.report('washer', 'power', 410);
    home.advance(MINUTE_MS);
    home.report('washer', 'power', 0.5);
    home.advance(4 * MINUTE_MS);
    expect(home.told()).toEqual(['info: The washing machine is done']);
  });

  test('is taken back when somebody opens its door, and by the next program', () => {
    const home = open({ door: 'door' });
    for (const next of ['door', 'program'] as const) {
      wash(home);
      home.report('washer', 'power', 0.5);
      home.advance(5 * MINUTE_MS);
      if (next === 'door') home.report('door', 'open', true);
      else wash(home);
    }
    expect(home.told()).toEqual([
      'info: The washing machine is done',
      'over: done-washer',
      'info: The washing machine is done',
      'over: done-washer',
    ]);
  });

  test('does not come for a lamp in it, or for a value that nobody has', () => {
    const home = open();
    home.report('washer', 'power', 30);
    home.advance(20_000);
    home.report('washer', 'power', 0.4);
    home.advance(HOUR_MS);
    home.setAvailability('washer', 'offline');
    home.advance(HOUR_MS);
    expect(home.told()).toEqual([]);
  });
});

describe('the fan by humidity', () => {
  const DEVICES = { bath: { values: { humidity: 50 } }, fan: { values: { on: false } } };
  const open = (settings: Partial<HomeSettings> = {}, inputs: Record<string, JsonValue> = {}) =>
    homeWith('humidity-fan', { humidity: 'bath', fan: 'fan', ...inputs }, { devices: DEVICES, ...settings });

  test('runs from damp to dry, and not for each wavering', () => {
    const home = open();
    home.report('bath', 'humidity', 72);
    home.advance(MINUTE_MS);
    for (const humidity of [66, 69, 66, 69]) {
      home.report('bath', 'humidity', humidity);
      home.advance(5 * MINUTE_MS);
    }
    expect(home.given()).toEqual(['fan {"on":true}']);
    home.report('bath', 'humidity', 58);
    home.advance(1000);
    expect(home.given()).toEqual(['fan {"on":true}', 'fan {"on":false}']);
  });

  test('runs at once for a shower, for ten minutes at least', () => {
    const home = open();
    home.report('bath', 'humidity', 53);
    home.advance(MINUTE_MS);
    home.report('bath', 'humidity', 59);
    home.advance(9 * MINUTE_MS);
    expect(home.given()).toEqual(['fan {"on":true}']);
    home.advance(2 * MINUTE_MS);
    expect(home.given()).toEqual(['fan {"on":true}', 'fan {"on":false}']);
  });

  test('stops after an hour and ten minutes though it stays damp or the sensor is gone, also over a restart', () => {
    const home = open();
    home.report('bath', 'humidity', 80);
    home.advance(20 * MINUTE_MS);
    home.setAvailability('bath', 'offline');
    home.restart({ offMs: 5 * MINUTE_MS, isPowerCut: true });
    home.advance(30 * MINUTE_MS);
    expect(home.value('fan', 'on')).toBe(true);
    home.advance(20 * MINUTE_MS);
    expect(home.value('fan', 'on')).toBe(false);
  });

  test('leaves a fan alone that is on already, that a hand turned off, or at night', () => {
    const on = open({ devices: { ...DEVICES, fan: { values: { on: true } } } });
    on.report('bath', 'humidity', 80);
    on.advance(2 * HOUR_MS);
    expect(on.given()).toEqual([]);
    const hand = open();
    hand.report('bath', 'humidity', 80);
    hand.advance(5 * MINUTE_MS);
    hand.report('fan', 'on', false);
    hand.advance(MINUTE_MS);
    hand.report('bath', 'humidity', 60);
    hand.advance(MINUTE_MS);
    hand.report('bath', 'humidity', 80);
    hand.advance(2 * MINUTE_MS);
    expect(hand.value('fan', 'on')).toBe(false);
    const night = open({ startMs: at('23:00') }, { quiet_from: '22:00' });
    night.report('bath', 'humidity', 80);
    night.advance(HOUR_MS);
    expect(night.given()).toEqual([]);
  });
});

describe('the home as if somebody were there', () => {
  const WEEK_S = 604_800;
  const DEVICES = { lamp: { values: { on: false } }, hall: { values: { on: false } } };
  /** A week ago the lamp was on from 18:00 to 20:00. Of the hall nobody knows anything. */
  const open = () =>
    homeWith(
      'presence-imitation',
      { lights: ['lamp', 'hall'] },
      {
        devices: DEVICES,
        startMs: at('15:00'),
        history: ({ device, ago_s: agoS, over_s: overS }, atMs) => {
          if (device !== ('lamp' as typeof device) || agoS !== WEEK_S) return undefined;
          const endMs = Math.min(atMs, at('20:00'));
          return Math.max(0, endMs - Math.max(atMs - overS * 1000, at('18:00'))) / 1000;
        },
      },
    );

  test('does on vacation what lamps did a week ago, and leaves lamps without a past alone', () => {
    const home = open();
    home.setMode('home', 'vacation');
    home.goTo('17:55');
    expect(home.given()).toEqual([]);
    home.goTo('18:15');
    expect(home.given()).toEqual(['lamp {"on":true}']);
    home.goTo('23:59');
    expect(home.given()).toEqual(['lamp {"on":true}', 'lamp {"on":false}']);
  });

  test('does nothing while somebody lives here, and stops when they come home', () => {
    const home = open();
    home.goTo('19:00');
    expect(home.given()).toEqual([]);
    home.setMode('home', 'vacation');
    home.goTo('19:10');
    home.setMode('home', 'home');
    home.goTo('23:00');
    expect(home.given()).toEqual(['lamp {"on":true}']);
  });

  test('goes on after a restart as if nothing had been', () => {
    const home = open();
    home.setMode('home', 'vacation');
    home.goTo('17:00');
    home.restart({ offMs: 90 * MINUTE_MS, isPowerCut: true });
    home.advance(6 * MINUTE_MS);
    expect(home.given()).toEqual(['lamp {"on":true}']);
  });
});
