import { expect, test } from 'vitest';
import { createInputLoop, type InputLoopDeps } from '#automations/engine/input-loop.ts';
import type { Effect, Input } from '#core/automation-run/engine.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** Each input takes so many pieces. */
function createPieces(count: number, did: (input: Input) => void = () => undefined): InputLoopDeps['deal'] {
  return function* (input) {
    for (let done = 0; done < count; done += 1) {
      did(input);
      yield;
    }
    return [];
  };
}

function loopWith(deps: Partial<InputLoopDeps>) {
  const { log, lines } = createRecordingLog();
  const ended: (readonly Effect[])[] = [];
  const loop = createInputLoop({
    takeDue: () => undefined,
    deal: createPieces(1),
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

test('an input of many pieces leaves others a turn after each few, and is over before the next one begins', async () => {
  let nowMs = 0;
  let sinceTurn = 0;
  const counts: number[] = [];
  const order: string[] = [];
  const deal = createPieces(50, ({ kind }) => {
    nowMs += 1;
    sinceTurn += 1;
    if (order.at(-1) !== kind) order.push(kind);
  });
  const { loop, ended, given } = loopWith({ deal, monotonicMs: () => nowMs });
  loop.push({ kind: 'started' }, given);
  loop.push({ kind: 'updated' }, given);
  while (ended.length < 2) {
    await new Promise((resolve) => void setImmediate(resolve));
    counts.push(sinceTurn);
    sinceTurn = 0;
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(10);
  expect(order).toEqual(['started', 'updated']);
});

test('an input that others have a turn in is not gone on with once the engine has stopped', async () => {
  let nowMs = 0;
  const deal = createPieces(50, () => {
    nowMs += 5;
    if (nowMs === 50) loop.stop();
  });
  const { loop, ended, given } = loopWith({ deal, monotonicMs: () => nowMs });
  loop.push(INPUT, given);
  await expect.poll(() => ended).toEqual([[]]);
  expect(nowMs).toBe(50);
});
