import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createWorkTurns, type Step } from '#base/time/work-turns.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

/** Turns in which each step takes as long as a whole turn. */
function startTurns() {
  const time = createManualTime();
  const failures: string[] = [];
  let losses = 0;
  let nowMs = 0;
  const turns = createWorkTurns({
    startTimer: time.startTimer,
    monotonicMs: () => (nowMs += 5),
    onFailure: (cause) => void failures.push((cause as Error).message),
    onLoss: () => void (losses += 1),
  });
  return { turns, failures, losses: () => losses, time };
}

const ENDS: readonly (readonly [string, (name: string) => void | Promise<void>])[] = [
  ['done at once', () => undefined],
  ['done later', () => Promise.resolve()],
  [
    'thrown',
    (name) => {
      throw new Error(name);
    },
  ],
  ['rejected', (name) => Promise.reject(new Error(name))],
];

test('whichever steps fail, at once or later, each runs once and in its order', async () => {
  for (let mixture = 0; mixture < ENDS.length ** 4; mixture += 1) {
    const { turns, failures, time } = startTurns();
    const done: string[] = [];
    const ends = [1, 4, 16, 64].map((part) => ENDS[Math.floor(mixture / part) % ENDS.length] as (typeof ENDS)[number]);
    const steps = ends.map(([how, end], at): Step => () => {
      done.push(`${at} ${how}`);
      return end(`${at} ${how}`);
    });
    turns.add(steps.slice(0, 2));
    await time.advance(5);
    turns.add(steps.slice(2));
    await time.advance(5);
    const names = ends.map(([how], at) => `${at} ${how}`);
    expect(done).toEqual(names);
    expect(failures).toEqual(names.filter((name) => /thrown|rejected/.test(name)));
  }
});

test('a step that adds others does not begin them itself', async () => {
  const { turns, time } = startTurns();
  const done: string[] = [];
  turns.add([
    () => {
      turns.add([() => void done.push('inner')]);
      done.push('outer');
    },
  ]);
  await time.advance(10);
  expect(done).toEqual(['outer', 'inner']);
});

test('what waits when it is stopped is never done, and what comes later is', async () => {
  const { turns, time } = startTurns();
  const done: string[] = [];
  for (const first of [(): void => undefined, () => Promise.resolve()]) {
    turns.add([first, () => void done.push('dropped')]);
    turns.stop();
    turns.add([() => void done.push('later')]);
    await time.advance(10);
  }
  expect(done).toEqual(['later', 'later']);
});

test('steps that are done make room for others', async () => {
  const { turns, losses, time } = startTurns();
  let done = 0;
  const step = (): void => void (done += 1);
  turns.add(Array.from({ length: 50_000 }, () => step));
  await time.advance(100);
  const before = done;
  turns.add(Array.from({ length: before }, () => step));
  expect(losses()).toBe(0);
  turns.add([step]);
  expect(losses()).toBe(1);
  turns.stop();
});

test('steps that are done are not kept while others follow', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { turns, time } = startTurns();
  const marks: WeakRef<object>[] = [];
  const add = (): void => {
    const mark = { done: 0 };
    marks.push(new WeakRef(mark));
    turns.add([() => void (mark.done += 1)]);
  };
  // More come than are done, so there is no moment in which none waits.
  for (let round = 0; round < 200; round += 1) {
    add();
    if (round % 4 !== 0) await time.advance(1);
  }
  collectGarbage();
  expect(marks[0]?.deref()).toBeUndefined();
  turns.stop();
});
