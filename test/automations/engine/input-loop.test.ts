import { expect, test } from 'vitest';
import { createInputLoop, type InputLoopDeps } from '#automations/engine/input-loop.ts';
import type { Effect } from '#core/automation-run/engine.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

function loopWith(deps: Partial<InputLoopDeps>) {
  const { log, lines } = createRecordingLog();
  const ended: (readonly Effect[])[] = [];
  const loop = createInputLoop({
    takeDue: () => undefined,
    deal: () => [],
    carryOut: () => undefined,
    noteServed: () => () => undefined,
    onIdle: () => undefined,
    monotonicMs: () => 0,
    nameOf: () => null,
    log,
    ...deps,
  });
  return { loop, lines, ended, given: { done: (effects: readonly Effect[]) => void ended.push(effects) } };
}
const INPUT = { kind: 'due', timer: 't' } as const;
const fails = (): never => {
  throw new Error('broken');
};

test.each([
  ['dealing with it fails', { deal: fails }],
  ['its effects fail at once', { carryOut: fails }],
  ['its effects fail later', { carryOut: () => Promise.reject(new Error('broken')) }],
])('an input is done with although %s, and the next one has its turn', async (_what, deps) => {
  const { loop, ended, given, lines } = loopWith(deps);
  loop.push(INPUT, given);
  loop.push(INPUT, given);
  await expect.poll(() => ended).toEqual([[], []]);
  expect(lines.length).toBeGreaterThanOrEqual(2);
});

test('goes on although what is due cannot be said', async () => {
  let asked = 0;
  const takeDue = () => ((asked += 1) === 1 ? fails() : undefined);
  const { loop, ended, given } = loopWith({ takeDue });
  loop.wake();
  await expect.poll(() => asked).toBe(2);
  loop.push(INPUT, given);
  await expect.poll(() => ended).toEqual([[]]);
});
