import { expect, test } from 'vitest';
import { createTurnQueue } from '#base/turn-queue.ts';

test('tasks run one after the other in the order of adding, however long they take and however they end', async () => {
  const turn = createTurnQueue();
  const trace: string[] = [];
  const task = (name: string, rounds: number, isFailing = false): Promise<string> =>
    turn(async () => {
      trace.push(`${name} starts`);
      for (let round = 0; round < rounds; round += 1) await Promise.resolve();
      trace.push(`${name} ends`);
      if (isFailing) throw new Error(name);
      return name;
    });
  const outcomes = await Promise.allSettled([
    task('a', 5),
    task('b', 1, true),
    task('c', 0),
    turn(() => Promise.reject(new Error('d'))),
    turn(() => {
      throw new Error('e');
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected']);
  expect(trace).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  expect(await turn(async () => 'still runs')).toBe('still runs');
});
