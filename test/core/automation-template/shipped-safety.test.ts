import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { HomeSettings } from '#test/support/automation/virtual-home.ts';
import { homeWith } from './template-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('the water leak', () => {
  const DEVICES = {
    'bath-leak': { type: 'water_leak_detector', values: { water_leak: false } },
    'kitchen-leak': { type: 'water_leak_detector', values: { water_leak: false } },
    valve: { type: 'water_valve', isSensitive: true, values: { valve_open: true } },
    siren: { type: 'siren', isSensitive: true, values: { siren: false } },
  } as const;
  const open = (inputs: Record<string, JsonValue> = {}, settings: Partial<HomeSettings> = {}) =>
    homeWith('leak', { valve: 'valve', siren: 'siren', ...inputs }, { devices: DEVICES, ...settings });

  test('closes the water, sounds the siren for two minutes, tells everybody, and says when it is dry', () => {
    const home = open();
    home.report('bath-leak', 'water_leak', true);
    home.advance(1000);
    expect(home.given().toSorted()).toEqual(['siren {"siren":true}', 'valve {"valve_open":false}']);
    expect(home.told()).toEqual(['critical: Water at {device.name}']);
    home.advance(3 * MINUTE_MS);
    expect(home.given().at(-1)).toBe('siren {"siren":false}');
    home.report('bath-leak', 'water_leak', false);
    home.advance(11 * MINUTE_MS);
    expect(home.told().at(-1)).toBe('over: leak');
    expect(home.value('valve', 'valve_open')).toBe(false);
  });

  test('is on disk before the water is closed, and acts on a sensor that is gone a moment later', () => {
    const home = open();
    home.report('bath-leak', 'water_leak', true);
    home.setAvailability('bath-leak', 'offline');
    home.advance(1000);
    expect(home.value('valve', 'valve_open')).toBe(false);
    const kinds = home.effects().map(({ kind }) => kind);
    const persisted = home.effects().findIndex((one) => one.kind === 'persist' && one.urgency === 'before_effects');
    expect(persisted).toBeGreaterThanOrEqual(0);
    expect(persisted).toBeLessThan(kinds.indexOf('command'));
    expect(home.told()).toEqual(['critical: Water at {device.name}']);
  });

  test('tries again and says so where the valve does not close', () => {
    const home = open({}, { answer: 'failure' });
    home.report('bath-leak', 'water_leak', true);
    home.advance(5 * MINUTE_MS);
    expect(home.given().filter((line) => line.startsWith('valve'))).toHaveLength(6);
    expect(home.told()).toContain('critical: The water valve did not close');
  });

  test('tells of each place, and takes a sensor that joins later', () => {
    const home = open();
    home.add('cellar-leak', { values: { water_leak: false } });
    home.report('bath-leak', 'water_leak', true);
    home.advance(10_000);
    home.report('cellar-leak', 'water_leak', true);
    expect(home.told()).toHaveLength(2);
  });

  test('only tells where there is neither a valve nor a siren', () => {
    const home = homeWith('leak', {}, { devices: { 'bath-leak': { values: { water_leak: false } } } });
    home.report('bath-leak', 'water_leak', true);
    expect(home.told()).toEqual(['critical: Water at {device.name}']);
    expect(home.given()).toEqual([]);
  });

  test('does nothing for a sensor that only comes and goes', () => {
    const home = open();
    home.setAvailability('bath-leak', 'offline');
    home.restart({ isPowerCut: true });
    home.setAvailability('bath-leak', 'online');
    home.report('bath-leak', 'water_leak', false);
    home.advance(MINUTE_MS);
    expect([home.given(), home.told()]).toEqual([[], []]);
  });
});

describe('the door left open', () => {
  const DEVICES = {
    terrace: { values: { open: false } },
    cellar: { values: { open: false } },
    outside: { values: { temperature: 4 } },
  };
  const open = (inputs: Record<string, JsonValue> = {}) =>
    homeWith('door-left-open', { doors: ['terrace', 'cellar'], ...inputs }, { devices: DEVICES });

  test('comes after five minutes, and taken back when it is closed', () => {
    const home = open();
    home.report('terrace', 'open', true);
    home.advance(4 * MINUTE_MS);
    expect(home.told()).toEqual([]);
    home.advance(2 * MINUTE_MS);
    home.report('cellar', 'open', true);
    home.advance(6 * MINUTE_MS);
    expect(home.told()).toHaveLength(2);
    home.report('terrace', 'open', false);
    expect(home.told().at(-1)).toBe('over: left-open-terrace');
    home.report('cellar', 'open', false);
    expect(home.told().at(-1)).toBe('over: left-open-cellar');
  });

  test('does not come for a door that was closed in time', () => {
    const home = open();
    home.report('terrace', 'open', true);
    home.advance(4 * MINUTE_MS);
    home.report('terrace', 'open', false);
    home.advance(HOUR_MS);
    expect(home.told()).toEqual([]);
  });

  test('counts on over a restart, and over a sensor that is away for a moment', () => {
    const home = open();
    home.report('terrace', 'open', true);
    home.advance(2 * MINUTE_MS);
    home.setAvailability('terrace', 'offline');
    home.advance(MINUTE_MS);
    home.setAvailability('terrace', 'online');
    home.advance(2000);
    home.restart({ offMs: MINUTE_MS, isPowerCut: true });
    home.advance(MINUTE_MS + 2000);
    expect(home.told()).toHaveLength(1);
  });

  test('with a thermometer comes in the cold, and where nobody knows how cold it is', () => {
    const warm = open({ outside: 'outside' });
    warm.report('outside', 'temperature', 21);
    warm.report('terrace', 'open', true);
    warm.advance(HOUR_MS);
    expect(warm.told()).toEqual([]);
    const unknown = open({ outside: 'outside' });
    unknown.setAvailability('outside', 'offline');
    unknown.report('terrace', 'open', true);
    unknown.advance(HOUR_MS);
    expect(unknown.told()).toHaveLength(1);
  });
});

describe('the low batteries', () => {
  const DEVICES = {
    remote: { values: { battery: 60 } },
    sensor: { values: { battery: 30, battery_low: false } },
    phone: { values: { battery: 50 } },
  };
  const open = () => homeWith('low-batteries', { except: ['phone'] }, { devices: DEVICES });

  test('come once, not at each wavering of the value', () => {
    const home = open();
    for (const level of [14, 16, 14, 15, 13, 17]) {
      home.report('remote', 'battery', level);
      home.advance(HOUR_MS);
    }
    expect(home.told()).toEqual(['warning: Low battery: {device.name}']);
  });

  test('come by a flag as well, and of devices that join later, but not of those left out', () => {
    const home = open();
    home.report('phone', 'battery', 3);
    expect(home.told()).toEqual([]);
    home.report('sensor', 'battery_low', true);
    home.add('blind', { values: { battery: 80 } });
    home.report('blind', 'battery', 79);
    home.report('blind', 'battery', 8);
    expect(home.told()).toHaveLength(2);
  });

  test('come of no battery that was low before a restart already', () => {
    const home = open();
    home.report('remote', 'battery', 9);
    home.restart({ offMs: MINUTE_MS });
    home.report('remote', 'battery', 8);
    home.advance(HOUR_MS);
    expect(home.told()).toHaveLength(1);
  });
});
