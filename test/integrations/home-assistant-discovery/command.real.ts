import { describe, expect, test } from 'vitest';
import { isSensitive } from '#core/device/sensitive.ts';
import { createDiscoveredHome } from '#test/support/discovery/discovered-home.ts';

function homeWith(component: string, config: object): ReturnType<typeof createDiscoveredHome> {
  const home = createDiscoveredHome();
  const message = { uniq_id: 'u', cmd_t: 'set', stat_t: 'state', dev: { ids: 'd' }, ...config };
  home.publish(`homeassistant/${component}/u/config`, message);
  return home;
}

describe('what a command sends', () => {
  test('is kept by the broker where the message asks for it', () => {
    for (const retain of [true, false]) {
      const home = homeWith('lock', { retain });
      expect(home.command('u', [['locked', true]], null)).toEqual([{ topic: 'set', payload: 'LOCK', retain }]);
    }
  });

  test('names what a person set together in one message of a JSON light', () => {
    const home = homeWith('light', { schema: 'json', brightness: true, sup_clrm: ['hs'] });
    const set = [
      ['brightness', 100],
      ['color', { hue: 120, saturation: 50 }],
    ] as const;
    expect(home.command('u', set, 2_000)?.map(({ payload }) => payload)).toEqual([
      '{"state":"ON","color":{"h":120.0,"s":50.0},"transition":2.0,"brightness":255}',
    ]);
  });

  test.each([
    ['no code', undefined],
    ['a wrong code', '4321'],
  ])('is nothing with %s where a code is needed', (_what, code) => {
    const alarm = homeWith('alarm_control_panel', { code: '1234' });
    const given = code === undefined ? [] : [['x.alarm_code', code] as const];
    expect(alarm.command('u', [['arm_mode', 'disarmed'], ...given], null)).toBeUndefined();
    expect(alarm.command('u', [['x.alarm_code', '1234']], null)).toBeUndefined();
    const lock = homeWith('lock', { code_format: '^1234$' });
    const pin = code === undefined ? [] : [['x.lock_code', code] as const];
    expect(lock.command('u', [['locked', false], ...pin], null)).toBeUndefined();
  });

  test('is nothing for a tone of a siren that is not to sound', () => {
    const home = homeWith('siren', { av_tones: ['fire'] });
    expect(home.command('u', [['x.siren_tone', 'fire']], null)).toBeUndefined();
    expect(home.command('u', [['siren', false]], null)?.length).toBe(1);
  });
});

describe('what guards the home', () => {
  test.each([
    ['cover', { dev_cla: 'garage' }],
    ['cover', { dev_cla: 'gate' }],
    ['cover', { dev_cla: 'garage', stat_t: null }],
    ['cover', { dev_cla: 'door', stat_t: null, set_pos_t: 'place' }],
    ['valve', {}],
    ['siren', {}],
    ['lock', {}],
    ['alarm_control_panel', {}],
  ])('a %s of %j is sensitive', (component, config) => {
    const home = homeWith(component, config);
    expect(isSensitive({ type: 'other', features: home.features() })).toBe(true);
  });

  test('a blind is not, and neither is a light', () => {
    for (const component of ['cover', 'light'])
      expect(isSensitive({ type: 'other', features: homeWith(component, {}).features() })).toBe(false);
  });

  test('a password, a code and a position on the map are in no value', () => {
    const text = homeWith('text', { mode: 'password', name: 'Key' });
    text.publish('state', 'secret');
    const tracker = homeWith('device_tracker', { json_attr_t: 'map' });
    tracker.publish('map', { latitude: 52.1, longitude: 13.2 });
    expect([...text.values, ...tracker.values]).toEqual([]);
  });
});
