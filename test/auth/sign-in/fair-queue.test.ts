import { expect, test, vi } from 'vitest';
import { createFairQueue } from '#auth/sign-in/fair-queue.ts';

function createHarness(limit = 8) {
  const inTurn = createFairQueue(limit, () => new Error('full'));
  const started: string[] = [];
  const finishers: (() => void)[] = [];
  const add = (group: string, name = group): Promise<string> => {
    const added = inTurn(group, async () => {
      started.push(name);
      await new Promise<void>((resolve) => void finishers.push(resolve));
      return name;
    });
    added.catch(() => undefined);
    return added;
  };
  /** Lets everything that can start do so, and finishes one task. */
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const finishOne = async (): Promise<void> => {
    await settle();
    finishers.shift()?.();
    await settle();
  };
  return { add, started, finishOne, settle };
}

test('A3: one task runs at a time', async () => {
  const { add, started, finishOne, settle } = createHarness();
  const first = add('a', 'a1');
  const second = add('a', 'a2');
  await settle();
  expect(started).toEqual(['a1']);
  await finishOne();
  await expect(first).resolves.toBe('a1');
  expect(started).toEqual(['a1', 'a2']);
  await finishOne();
  await expect(second).resolves.toBe('a2');
});

test('A3: a group with one task waits for at most one task of another', async () => {
  const { add, started, finishOne } = createHarness();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name);
  void add('b', 'b1');
  for (let count = 0; count < 5; count += 1) await finishOne();
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

test('A3: the ninth waiting task is refused', async () => {
  const { add } = createHarness(8);
  const running = add('a', 'running');
  const waiting = Array.from({ length: 8 }, (_, index) => add('a', `a${index}`));
  await expect(add('a', 'too many')).rejects.toThrow('full');
  expect(waiting).toHaveLength(8);
  expect(running).toBeInstanceOf(Promise);
});

test('A3: in a full queue the newest task of the largest group makes room for another group', async () => {
  const { add, started, finishOne } = createHarness(8);
  const attacker = Array.from({ length: 9 }, (_, index) => add('attacker', `a${index}`));
  const person = add('person', 'p');
  await expect(attacker[8]).rejects.toThrow('full');
  await finishOne();
  await finishOne();
  await finishOne();
  expect(started.slice(0, 3)).toEqual(['a0', 'a1', 'p']);
  await expect(person).resolves.toBe('p');
});

test('A3: eight groups with one task each keep their places', async () => {
  const { add } = createHarness(8);
  void add('running');
  for (let group = 0; group < 8; group += 1) void add(`g${group}`);
  await expect(add('late')).rejects.toThrow('full');
});

test('a task that fails, at once or later, does not stop the queue', async () => {
  const inTurn = createFairQueue(8, () => new Error('full'));
  const thrown = inTurn('a', () => {
    throw new Error('at once');
  });
  const rejected = inTurn('a', () => Promise.reject(new Error('later')));
  const good = inTurn('a', async () => 'good');
  await expect(thrown).rejects.toThrow('at once');
  await expect(rejected).rejects.toThrow('later');
  await expect(good).resolves.toBe('good');
});

test('A9: tasks in the first lane go before all others, and have room of their own', async () => {
  const order: string[] = [];
  const inTurn = createFairQueue(2, () => new Error('full'));
  const run = (name: string, lane?: 'first'): Promise<void> =>
    inTurn(name, async () => void order.push(name), lane).catch(() => undefined);
  await Promise.all([run('a'), run('b'), run('c'), run('d'), run('known', 'first')]);
  expect(order).toEqual(['a', 'known', 'b', 'c']);
});

test('A9: between any two tasks of a busy first lane a common task runs', async () => {
  const order: string[] = [];
  const inTurn = createFairQueue(8, () => new Error('full'));
  const insist = (left: number): Promise<void> =>
    inTurn(
      'known',
      async () => {
        order.push('known');
        if (left > 0) again.push(insist(left - 1));
      },
      'first',
    );
  const again: Promise<void>[] = [insist(6)];
  again.push(...['a', 'b', 'c'].map((name) => inTurn(name, async () => void order.push(name))));
  await vi.waitFor(() => expect(order).toHaveLength(10));
  await Promise.all(again);
  expect(order.slice(0, 6)).toEqual(['known', 'a', 'known', 'b', 'known', 'c']);
});
