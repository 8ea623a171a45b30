import { describe, expect, test } from 'vitest';
import type { Trigger } from '#core/automation/document/trigger.ts';
import { memoriesFor } from '#core/automation-run/course/wait.ts';
import { compileProgram } from '#core/automation-run/program/program.ts';
import type { TriggerMemory } from '#core/automation/trigger/happening.ts';
import type { DeviceId } from '#core/device/device.ts';
import { automation, createVirtualHome } from '#test/support/automation/virtual-home.ts';

const feature = (id: string, device: string): Trigger => {
  return { id, type: 'feature', device: device as DeviceId, key: 'on', to: true, for_s: 10 };
};
/** It waits for any of these, and says so. */
const waiting = (triggers: readonly Trigger[]) =>
  automation('waits', {
    triggers: [{ id: 'x', type: 'variable', variable: 'x', to: 1 }],
    steps: [
      { id: 'wait', wait_for: { timeout_s: 600, then: 'stop', triggers } },
      { id: 'done', variable: { variable: 'done', value: 1 } },
    ],
  });
const nodeOf = (triggers: readonly Trigger[]) => {
  const [node] = compileProgram(waiting(triggers)).steps;
  if (node === undefined) throw new Error('there is no step');
  return node;
};

describe('equal triggers of a wait', () => {
  test('are one, the first of them, but for hooks', () => {
    const hooks: readonly Trigger[] = [
      { id: 'ring', type: 'hook' },
      { id: 'knock', type: 'hook' },
    ];
    const many = Array.from({ length: 50 }, (_, at) => feature(`t${at}`, at % 2 === 0 ? 'lamp' : 'fan'));
    const kept = nodeOf([...many, ...hooks]).triggers.map(({ trigger }) => trigger.id);
    expect(kept).toEqual(['t0', 't1', 'ring', 'knock']);
  });

  test('end it as one does, over a new start, with one line in the trace', () => {
    const home = createVirtualHome({
      devices: { lamp: { values: { on: false } }, fan: { values: { on: false } } },
      variables: { x: 0, done: 0 },
      automations: [waiting([feature('a', 'lamp'), feature('b', 'lamp'), feature('c', 'fan')])],
    });
    home.setVariable('x', 1);
    home.report('lamp', 'on', true);
    home.advance(2_000);
    home.report('fan', 'on', true);
    home.advance(4_000);
    home.report('lamp', 'on', false);
    home.restart({ isPowerCut: false });
    for (const lamp of ['lamp', 'fan']) home.report(lamp, 'on', lamp === 'fan');
    home.advance(5_000);
    expect(home.variable('done')).toBe(0);
    home.advance(2_000);
    expect(home.variable('done')).toBe(1);
    const [run] = home.traces();
    expect(run?.steps.map(({ pointer, outcome }) => [pointer, outcome])).toEqual([
      ['/steps/0/wait_for', 'done'],
      ['/steps/1/variable', 'done'],
    ]);
  });

  test('keep what an older program remembered for each of them', () => {
    const memory = (name: string): TriggerMemory => ({
      [name]: { armed: true, held: null, lookAtMs: null, firedAtMs: null, points: [] },
    });
    const triggers = [feature('a', 'lamp'), feature('b', 'lamp'), feature('c', 'fan')];
    const written = [memory('of a'), memory('of b'), memory('of c')];
    expect(memoriesFor(nodeOf(triggers), written)).toEqual([memory('of a'), memory('of c')]);
    const news = [memory('of a'), memory('of c')];
    expect(memoriesFor(nodeOf(triggers), news)).toBe(news);
  });
});
