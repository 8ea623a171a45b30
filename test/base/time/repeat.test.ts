import { expect, test } from 'vitest';
import { repeat } from '#base/time/repeat.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

test('a task is repeated until it is ended', async () => {
  const time = createManualTime();
  let runs = 0;
  const end = repeat(time.startTimer, 1000, () => (runs += 1));
  await time.advance(999);
  expect(runs).toBe(0);
  await time.advance(2001);
  expect(runs).toBe(3);
  end();
  expect(time.pendingMs()).toEqual([]);
});

test('a task that throws is repeated all the same', () => {
  const runs: (() => void)[] = [];
  const startTimer = (_afterMs: number, run: () => void) => {
    runs.push(run);
    return () => undefined;
  };
  repeat(startTimer, 1000, () => {
    throw new Error('a bug');
  });
  expect(runs[0]).toThrow('a bug');
  expect(runs).toHaveLength(2);
});

test('a task may end its own repetition', async () => {
  const time = createManualTime();
  let runs = 0;
  const end = repeat(time.startTimer, 1000, () => {
    runs += 1;
    end();
  });
  await time.advance(5000);
  expect(runs).toBe(1);
});
