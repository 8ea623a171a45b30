import { expect, test } from 'vitest';
import { createRequestTurns, type Lane } from '#integrations/hue/clip/request-turns.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

function openTurns() {
  const time = createManualTime();
  const turns = createRequestTurns(time);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  /** Requests that take as long as the test lets them. */
  const ask = (lane: Lane, count: number): Promise<unknown>[] =>
    Array.from({ length: count }, (_, index) =>
      turns.run(lane, () => {
        started.push(`${lane} ${index} at ${time.clock.monotonicMs()}`);
        return new Promise<void>((resolve) => void ends.push(resolve));
      }),
    );
  const answerAll = async (): Promise<void> => {
    for (;;) {
      await time.advance(0);
      if (ends.length === 0) return;
      for (const end of ends.splice(0)) end();
    }
  };
  return { time, turns, started, ask, answerAll };
}

test('three requests are under way at once, and an answer starts the next', async () => {
  const { started, ask, answerAll } = openTurns();
  void Promise.allSettled(ask('light', 5));
  expect(started).toHaveLength(3);
  await answerAll();
  expect(started).toHaveLength(5);
});

test('ten lamps and one group start in a second', async () => {
  const { time, started, ask, answerAll } = openTurns();
  void Promise.allSettled(ask('light', 25));
  void Promise.allSettled(ask('group', 3));
  const counts: number[] = [];
  for (let second = 0; second < 3; second += 1) {
    await answerAll();
    counts.push(started.length);
    await time.advance(999);
    expect(started).toHaveLength(counts.at(-1) ?? 0);
    await time.advance(1);
  }
  expect(counts).toEqual([11, 22, 28]);
  expect(started.filter((line) => line.startsWith('group'))).toEqual([
    'group 0 at 0',
    'group 1 at 1000',
    'group 2 at 2000',
  ]);
});

test('nothing starts while the bridge wants to be left alone', async () => {
  const { time, turns, started, ask } = openTurns();
  turns.pause(2_000);
  void Promise.allSettled(ask('light', 1));
  await time.advance(1_999);
  expect(started).toEqual([]);
  await time.advance(1);
  expect(started).toEqual(['light 0 at 2000']);
});

test('commands that would wait for more than eight seconds are refused', async () => {
  const { ask, turns, answerAll } = openTurns();
  const asked = ask('light', 84);
  await expect(asked[83]).rejects.toMatchObject({ code: 'OVERLOADED' });
  const rest = Promise.allSettled(asked);
  turns.endAll(new Error('gone'));
  await answerAll();
  expect((await rest).filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('the end refuses what waits, and leaves no timer', async () => {
  const { time, turns, started, ask, answerAll } = openTurns();
  const asked = ask('group', 3);
  const outcomes = Promise.allSettled(asked);
  turns.endAll(new Error('gone'));
  await answerAll();
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(started).toHaveLength(1);
  expect(time.pendingMs()).toEqual([]);
});

test('requests that fail before they begin give their places back', async () => {
  const { turns, started, ask, answerAll } = openTurns();
  const broken = Array.from({ length: 5 }, () =>
    turns.run('light', () => {
      throw new Error('a bug');
    }),
  );
  const ends = Promise.allSettled(broken);
  void Promise.allSettled(ask('light', 3));
  await answerAll();
  expect((await ends).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
  expect(started).toHaveLength(3);
});
