import { describe, expect, test } from 'vitest';
import { automation, createVirtualHome } from '#test/support/automation/virtual-home.ts';

const DEVICES = {
  motion: { values: { motion: false } },
  lamp: { room: 'hall', values: { on: false } },
  lock: { isSensitive: true, values: { locked: false } },
} as const;
const moves = { id: 't1', type: 'feature', device: 'motion', key: 'motion' };
const LIGHT = {
  yield_to_hand_s: 1_800,
  triggers: [moves],
  steps: [{ id: 's1', command: { targets: { room: 'hall' }, set: { on: { trigger: 'value' } } } }],
};
const homeOf = (part: object) => createVirtualHome({ devices: DEVICES, automations: [automation('a', part)] });

describe('a hand in a room', () => {
  const byHand = (part: object) => {
    const home = homeOf({ ...LIGHT, ...part });
    home.report('motion', 'motion', true);
    home.advance(60_000);
    home.report('lamp', 'on', false);
    return home;
  };
  const tries = (home: ReturnType<typeof byHand>): number => {
    const before = home.sent().length;
    home.report('motion', 'motion', false);
    home.report('motion', 'motion', true);
    return home.sent().length - before;
  };

  test('keeps what it did for the time, over a restart too', () => {
    const home = byHand({});
    home.advance(600_000);
    home.restart({ offMs: 600_000 });
    expect(tries(home)).toBe(0);
    home.advance(599_000);
    expect(tries(home)).toBe(0);
    home.advance(2_000);
    expect(tries(home)).toBeGreaterThan(0);
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('is released by a change of the mode of the home: %s', (isReleased, count) => {
    const home = byHand({ release_on_mode: isReleased });
    home.advance(10_000);
    home.setMode('home', 'night');
    expect(Math.min(1, tries(home))).toBe(count);
  });

  test('lets go of a lamp that it puts back, also where two automations yield to it', () => {
    const home = createVirtualHome({
      devices: DEVICES,
      automations: [automation('a', LIGHT as object), automation('b', LIGHT as object)],
    });
    home.report('lamp', 'on', true);
    home.report('lamp', 'on', false);
    home.report('motion', 'motion', true);
    expect(home.commands().map(({ command }) => command.automation)).toEqual(['a', 'b']);
  });

  test('counts for a lamp that joined the room later', () => {
    const home = homeOf(LIGHT);
    home.add('spot', { room: 'hall', values: { on: true } });
    home.report('spot', 'on', false);
    home.report('motion', 'motion', true);
    expect(home.sent()).toEqual(['0 s: lamp {"on":true}']);
  });
});

describe('what a run does', () => {
  test('to a sensitive device is on disk before, whatever the document says', () => {
    const home = homeOf({
      allow_sensitive: ['lock'],
      triggers: [moves],
      steps: [{ id: 's1', command: { targets: { devices: ['lock'] }, set: { locked: true } } }],
    });
    home.report('motion', 'motion', true);
    const kinds = home.effects().map((effect) => (effect.kind === 'persist' ? effect.urgency : effect.kind));
    expect(kinds.indexOf('before_effects')).toBeGreaterThanOrEqual(0);
    expect(kinds.indexOf('before_effects')).toBeLessThan(kinds.indexOf('command'));
    home.advance(1_000);
    expect([...home.entries().keys()]).toEqual([]);
  });

  test('is the same each time: the same inputs give the same effects', () => {
    const effects = () => {
      const home = homeOf(LIGHT);
      for (let at = 0; at < 40; at += 1) {
        home.report('motion', 'motion', at % 2 === 0);
        home.advance(at * 100);
      }
      return home.effects();
    };
    expect(effects()).toEqual(effects());
  });

  test('carries its depth through a mode to the next run', () => {
    const home = createVirtualHome({
      devices: DEVICES,
      automations: [
        automation('a', { triggers: [moves], steps: [{ id: 's1', mode: { mode: 'home', value: 'night' } }] } as object),
        automation('b', {
          ...LIGHT,
          triggers: [{ id: 't1', type: 'mode', mode: 'home' }],
          steps: [{ id: 's1', command: { targets: { devices: ['lamp'] }, set: { on: true } } }],
        } as object),
      ],
    });
    home.report('motion', 'motion', true);
    expect(home.commands()[0]?.command.cause).toMatchObject({ automation: 'b', depth: 2 });
    expect(home.traces().at(-1)?.trigger.cause).toMatchObject({ automation: 'a', depth: 1 });
  });
});
