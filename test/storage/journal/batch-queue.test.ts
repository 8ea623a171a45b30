import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { SampleBatch } from '#core/past/history/history-store.ts';
import { createBatchQueue } from '#storage/journal/batch-queue.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const SEGMENT = { number: 1, epoch: 'e1', base: 0, firstTick: 0 };
const batchOf = (name: string, value: number): SampleBatch => ({
  epoch: 'e1',
  samples: [{ series: name, atMs: value * 100, value }],
});

/** A queue whose names cannot be read while `isBroken`. */
function openQueue() {
  const file: { isBroken: boolean; bug?: Error | undefined } = { isBroken: false };
  const taken: unknown[] = [];
  const { log, lines } = createRecordingLog();
  const queue = createBatchQueue({
    series: {
      take: (name) => {
        if (file.bug !== undefined) throw file.bug;
        if (file.isBroken) throw new HubError('STORAGE_UNAVAILABLE', 'the file cannot be read');
        return { number: Number(name), name, kind: null, unit: null };
      },
      describe: () => undefined,
    },
    samples: { add: (series, _, { value }) => void taken.push([series, value]), bytes: () => 16 * taken.length },
    waiting: { addSample: () => undefined },
    pause: { admit: (batch) => [batch] },
    intake: {
      add: ({ samples }, take) => {
        for (const { series, atMs, value } of samples) take({ segment: SEGMENT, series, tick: atMs / 100, value });
        return 0;
      },
    },
    noteTime: () => undefined,
    shiftOf: () => 0,
    onMoved: () => undefined,
    log,
  });
  return { file, taken, queue, lines };
}

test('samples wait while the names of series cannot be read, and are taken once, in their order', () => {
  const { file, taken, queue, lines } = openQueue();
  queue.add(batchOf('1', 1));
  file.isBroken = true;
  queue.add(batchOf('2', 2));
  queue.add(batchOf('1', 3));
  expect(taken).toEqual([[1, 1]]);
  expect(queue.takeWaiting()).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(lines.filter((line) => line.includes('samples wait'))).toHaveLength(1);
  file.isBroken = false;
  queue.add(batchOf('2', 4));
  expect(taken).toEqual([
    [1, 1],
    [2, 2],
    [1, 3],
    [2, 4],
  ]);
  expect(queue.takeWaiting()).toBeUndefined();
  expect(taken).toHaveLength(4);
});

test('a batch that fails by a bug is dropped, its error is thrown, and those behind it are taken', () => {
  const { file, taken, queue } = openQueue();
  file.bug = new TypeError('a bug');
  expect(() => queue.add(batchOf('1', 1))).toThrow('a bug');
  file.bug = undefined;
  queue.add(batchOf('2', 2));
  expect(taken).toEqual([[2, 2]]);
});
