import { describe, expect, test } from 'vitest';
import { automation, createVirtualHome } from '#test/support/automation/virtual-home.ts';

const DEVICES = {
  motion: { values: { motion: false } },
  lamp: { values: { on: false, brightness: 1 } },
};
const LONG = 'x'.repeat(58_000);

function run(steps: readonly object[], part: object = {}) {
  const triggers = [{ id: 't1', type: 'feature', device: 'motion', key: 'motion', to: true }];
  const home = createVirtualHome({
    devices: DEVICES,
    automations: [automation('a', { triggers, steps, ...part } as object)],
  });
  home.report('motion', 'motion', true);
  return home;
}
const often = (times: number, steps: readonly object[]): object => ({ repeat: { times, max: 1_000, steps } });
const asked = { id: 'c', choose: { cases: [{ if: { variable: { variable: 'b', is: 1 } }, then: [] }] } };

describe('a run that never rests', () => {
  test.each([
    ['waits of no length', { id: 'd', delay: { s: 0 } }],
    ['waits of a millisecond', { id: 'd', delay: { s: 0.001 } }],
  ])('fails although it has %s', (_what, step) => {
    const home = run([{ id: 'r1', ...often(1_000, [{ id: 'r2', ...often(1_000, [step]) }]) }]);
    home.advance(9_000);
    expect(home.outcomes()).toEqual(['failed: too_many_steps']);
  });

  test('is none that does as many steps with rests', () => {
    const home = run([
      {
        id: 'r1',
        ...often(1_000, [
          { id: 'r2', ...often(10, []) },
          { id: 'd', delay: { s: 1 } },
        ]),
      },
    ]);
    home.advance(1_001_000);
    expect(home.outcomes()).toEqual(['finished']);
  });
});

describe('a trace', () => {
  test('shows the beginning of a long value', () => {
    const variables = { b: LONG, list: Array.from({ length: 500 }, (_, at) => at) };
    const home = run([asked, { id: 's', variable: { variable: 'x', value: { variable: 'list' } } }], { variables });
    const [trace] = home.traces();
    const [operand] = trace?.steps[0]?.conditions[0]?.operands ?? [];
    expect(operand?.value).toBe(`${'x'.repeat(255)}…`);
    expect(trace?.steps[1]?.values[0]?.value).toMatch(/^\[0,1,2,.*…$/);
    expect(JSON.stringify(trace).length).toBeLessThan(3_000);
  });

  test('has room for so much of what its steps saw', () => {
    const if98 = { or: Array.from({ length: 98 }, () => ({ variable: { variable: 'b', is: 1 } })) };
    const choice = { id: 'c', choose: { cases: [{ if: if98, then: [] }] } };
    const home = run([{ id: 'r', ...often(100, [choice, { id: 'd', delay: { s: 1 } }]) }], { variables: { b: LONG } });
    home.advance(101_000);
    const [trace] = home.traces();
    expect([trace?.outcome, trace?.steps.length]).toEqual(['finished', 200]);
    expect(trace?.steps[1]?.conditions[0]?.operands.length).toBeGreaterThan(0);
    expect(JSON.stringify(trace).length).toBeLessThan(512 * 1024);
  });
});

test('what the conditions of a start saw is in the trace as far as there is room, and their results in any case', () => {
  const many = Array.from({ length: 1_500 }, () => ({ variable: { variable: 'b', is_not: 1 } }));
  for (const [count, operands] of [
    [3, 1],
    [1_500, 0],
  ] as const) {
    const [trace] = run([], { variables: { b: LONG }, conditions: many.slice(0, count) }).traces();
    expect(trace?.conditions).toHaveLength(count);
    expect(trace?.conditions[0]).toMatchObject({ result: true, pointer: '/conditions/0' });
    expect(trace?.conditions[0]?.operands).toHaveLength(operands);
  }
});

test('variables have room for 64 KiB together, and those without room are unknown', () => {
  const variables = { b: LONG, c: { variable: 'b' }, d: 7 };
  const set = (value: string, id: string) => ({
    id,
    command: { targets: { devices: ['lamp'] }, set: { brightness: { variable: value } } },
  });
  const home = run([set('c', 's1'), set('d', 's2')], { variables });
  expect(Object.keys(home.traces()[0]?.variables ?? {})).toEqual(['b', 'd']);
  expect(home.traces()[0]?.steps.map(({ outcome }) => outcome)).toEqual(['failed', 'running']);
});

test('the room of variables is counted in bytes, in texts and in lists', () => {
  const [wide, narrow] = ['ä'.repeat(40_000), 'a'.repeat(40_000)];
  const kept = (variables: object) => Object.keys(run([], { variables }).traces()[0]?.variables ?? {});
  expect(kept({ wide, narrow })).toEqual(['narrow']);
  expect(kept({ wide: [wide], narrow: [narrow] })).toEqual(['narrow']);
});
