import { describe, expect, test } from 'vitest';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import { automation, createVirtualHome, type VirtualHome } from '#test/support/automation/virtual-home.ts';

const lamps = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [`lamp-${at}`, { values: { on: false, brightness: 0 } }]),
);
const rule = (id: string, part: object, details?: Partial<Automation>): Automation => automation(id, part, details);

const on = (device: string, to?: boolean) => ({
  id: 't1',
  type: 'feature',
  device,
  key: 'on',
  ...(to === undefined ? {} : { to }),
});
const set = (device: string, value: unknown) => ({
  id: 's1',
  command: { targets: { devices: [device] }, set: { on: value }, skip_if_same: false },
});
const toggled = { if: [{ compare: { left: { trigger: 'value' }, op: 'eq', right: true } }, false, true] };
const counted = { id: 's1', variable: { variable: 'x', value: { add: [{ variable: 'x' }, 1] } } };

/** Known loops: what feeds them, and what sets them off. */
const ZOO: readonly (readonly [
  name: string,
  automations: readonly Automation[],
  start: (home: VirtualHome) => void,
])[] = [
  [
    'a lamp that turns itself around',
    [rule('a', { triggers: [on('lamp-0')], steps: [set('lamp-0', toggled)] })],
    first,
  ],
  [
    'two rules that undo each other',
    [
      rule('a', { triggers: [on('lamp-0', true)], steps: [set('lamp-0', false)] }),
      rule('b', { triggers: [on('lamp-0', false)], steps: [set('lamp-0', true)] }),
    ],
    first,
  ],
  [
    'a ring of nine lamps',
    Array.from({ length: 9 }, (_, at) =>
      rule(`a${at}`, {
        triggers: [on(`lamp-${at}`)],
        steps: [set(`lamp-${(at + 1) % 9}`, { trigger: 'value' })].map((one) =>
          at === 8 ? set('lamp-0', toggled) : one,
        ),
      }),
    ),
    first,
  ],
  [
    'a mode that turns itself around',
    [
      rule('a', {
        triggers: [{ id: 't1', type: 'mode', mode: 'home', to: 'night' }],
        steps: [{ id: 's1', mode: { mode: 'home', value: 'home' } }],
      }),
      rule('b', {
        triggers: [{ id: 't1', type: 'mode', mode: 'home', to: 'home' }],
        steps: [{ id: 's1', mode: { mode: 'home', value: 'night' } }],
      }),
    ],
    (home) => home.setMode('home', 'night'),
  ],
  [
    'a variable that counts',
    [rule('a', { triggers: [{ id: 't1', type: 'variable', variable: 'x' }], steps: [counted] })],
    (home) => home.setVariable('x', 1),
  ],
  [
    'an automation that starts itself',
    [
      rule('a', {
        mode: { kind: 'parallel', max: 10 },
        triggers: [on('lamp-0')],
        steps: [set('lamp-1', true), { id: 's2', automation: { automation: 'a', do: 'run' } }],
      }),
    ],
    first,
  ],
  [
    'an automation that starts when it ends',
    [
      rule('a', {
        triggers: [on('lamp-0'), { id: 't2', type: 'automation', automation: 'a', outcome: 'finished' }],
        steps: [set('lamp-1', true)],
      }),
    ],
    first,
  ],
  [
    'a scene that is put back',
    [
      rule('a', {
        triggers: [on('lamp-0', true)],
        steps: [{ id: 's1', scene: { scene: 'dark', skip_if_same: false } }],
      }),
      rule('b', { triggers: [on('lamp-0', false)], steps: [set('lamp-0', true)] }),
    ],
    first,
  ],
  [
    'a restart at each turn',
    [
      rule('a', {
        mode: { kind: 'restart', max: 1 },
        triggers: [on('lamp-0')],
        steps: [set('lamp-0', toggled), { id: 's2', delay: { s: 60 } }],
      }),
    ],
    first,
  ],
];

function first(home: VirtualHome): void {
  home.report('lamp-0', 'on', true);
}

const homeOf = (automations: readonly Automation[], answer: 'report' | 'silence' = 'report') =>
  createVirtualHome({ devices: lamps, automations, answer, scenes: { dark: { 'lamp-0': { on: false } } } });

describe('automations that run in circles', () => {
  test.each(ZOO)(
    '%s stops within ten seconds, after thirty commands at most, and says why',
    (_name, automations, start) => {
      const home = homeOf(automations);
      start(home);
      home.advance(10_000);
      const count = home.commands().length;
      home.advance(60_000);
      expect(home.commands()).toHaveLength(count);
      for (const { id } of automations) {
        expect(home.commands().filter(({ command }) => command.automation === id).length).toBeLessThanOrEqual(30);
      }
      const said = [...home.outcomes().filter((one) => one.startsWith('skipped: loop ')), ...trips(home)];
      expect(said).not.toEqual([]);
    },
  );

  test('the chain of a loop names each automation on the way', () => {
    const [, ring] = [ZOO[1], ZOO[2]];
    const home = homeOf(ring?.[1] ?? []);
    first(home);
    home.advance(10_000);
    expect(home.outcomes().at(-1)).toBe('skipped: loop a0 → a1 → a2 → a3 → a4 → a5 → a6 → a7 → a8');
  });

  test('where reports come without their cause, two rules that fight over a lamp stop after ten commands', () => {
    const [, pair] = ZOO;
    const home = homeOf(pair?.[1] ?? [], 'silence');
    for (let at = 0; at < 20; at += 1) {
      home.report('lamp-0', 'on', at % 2 === 0);
      home.advance(400);
    }
    expect(trips(home)).toEqual(['flapping']);
    expect(home.commands().length).toBeLessThanOrEqual(15);
  });

  test('a bucket of thirty starts is empty at last, although no cause is known', () => {
    const home = homeOf([
      rule('a', { mode: { kind: 'parallel', max: 10 }, triggers: [on('lamp-0')], steps: [counted] }),
    ]);
    for (let at = 0; at < 100; at += 1) {
      home.report('lamp-0', 'on', at % 2 === 0);
      home.advance(50);
    }
    expect(trips(home)).toEqual(['too_many_starts']);
    expect(home.outcomes().filter((one) => one === 'finished').length).toBeLessThanOrEqual(32);
    expect(home.misses()).toContain('tripped');
  });

  test('a tripped automation runs again after ten minutes, and the next trip is twice as long', () => {
    const home = homeOf([rule('a', { triggers: [on('lamp-0')], steps: [counted] })]);
    const storm = (): void => {
      for (let at = 0; at < 80; at += 1) {
        home.report('lamp-0', 'on', at % 2 === 0);
        home.advance(10);
      }
    };
    storm();
    home.advance(599_000);
    home.report('lamp-0', 'on', true);
    expect(home.outcomes().filter((one) => one === 'finished')).toHaveLength(30);
    home.advance(2_000);
    home.report('lamp-0', 'on', false);
    expect(home.outcomes().filter((one) => one === 'finished')).toHaveLength(31);
    storm();
    expect(home.effects().flatMap((effect) => (effect.kind === 'trip' ? [effect.forMs] : []))).toEqual([
      600_000, 1_200_000,
    ]);
  });

  test('a breaker stays open over a restart, and a person closes it', () => {
    const home = homeOf([rule('a', { triggers: [on('lamp-0')], steps: [counted] })]);
    for (let at = 0; at < 40; at += 1) home.report('lamp-0', 'on', at % 2 === 0);
    home.restart({ offMs: 60_000 });
    home.report('lamp-0', 'on', true);
    const before = home.outcomes().length;
    home.send({ kind: 'reset', automation: rule('a', {}).id });
    home.report('lamp-0', 'on', false);
    expect(home.outcomes()).toHaveLength(before + 1);
    expect(home.timers()).not.toContain('breaker/a');
  });

  test('high limits let an automation start ten times a second', () => {
    const home = homeOf([rule('a', { limits: 'high', triggers: [on('lamp-0')], steps: [counted] })]);
    for (let at = 0; at < 200; at += 1) {
      home.report('lamp-0', 'on', at % 2 === 0);
      home.advance(110);
    }
    expect(trips(home)).toEqual([]);
    expect(home.outcomes().filter((one) => one === 'finished')).toHaveLength(200);
  });

  test('a loop of steps that never wait ends its run and not the hub', () => {
    const steps = [
      {
        id: 's1',
        repeat: { times: 1_000, max: 1_000, steps: [{ id: 's2', repeat: { times: 1_000, max: 1_000, steps: [] } }] },
      },
    ];
    const home = homeOf([rule('a', { triggers: [on('lamp-0')], steps })]);
    first(home);
    expect(home.outcomes()).toEqual(['failed: too_many_steps']);
  });
});

function trips(home: VirtualHome): readonly string[] {
  return home.effects().flatMap((effect) => (effect.kind === 'trip' ? [effect.reason] : []));
}
