import { expect, test } from 'vitest';
import { createWorkTurns } from '#integrations/home-assistant-discovery/work-turns.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

/** Turns in which each step takes as long as a whole turn. */
function startTurns() {
  const { log, lines } = createRecordingLog();
  const time = createManualTime();
  let nowMs = 0;
  const turns = createWorkTurns({ startTimer: time.startTimer, monotonicMs: () => (nowMs += 5), log });
  return { turns, lines, time };
}

test('a step that throws is logged, and those behind it are done', async () => {
  const { turns, lines, time } = startTurns();
  const done: string[] = [];
  turns.add([
    () => {
      throw new Error('a bug');
    },
    () => void done.push('second'),
  ]);
  await time.advance(10);
  turns.add([() => void done.push('third')]);
  await time.advance(10);
  expect(done).toEqual(['second', 'third']);
  expect(lines).toHaveLength(1);
});

test('steps that are done make room for others', async () => {
  const { turns, lines, time } = startTurns();
  let done = 0;
  const step = (): void => void (done += 1);
  turns.add(Array.from({ length: 50_000 }, () => step));
  await time.advance(100);
  const before = done;
  turns.add(Array.from({ length: before }, () => step));
  expect(lines).toEqual([]);
  turns.add([step]);
  expect(lines).toHaveLength(1);
  turns.stop();
});
