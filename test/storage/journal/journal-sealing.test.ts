import { expect, test } from 'vitest';
import type { Segment } from '#storage/samples/segment.ts';
import { createJournalSealing } from '#storage/journal/journal-sealing.ts';

type Deps = Parameters<typeof createJournalSealing>[0];

const segmentOf = (number: number): Segment => ({ number, epoch: 'e1', base: number * 1_000, firstTick: number });

/** The sealing part of a journal with a file that notes which segments are written. */
function openSealing() {
  const written: number[] = [];
  const begun: Segment[] = [];
  const disk = { isFull: false };
  const nothing = { write: () => undefined, noteWritten: () => undefined };
  const sealing = createJournalSealing({
    file: {
      transaction: (run: () => void) => run(),
      run: (sql: string, [number]: readonly [number]) => {
        if (sql.includes('INTO segment')) written.push(number);
      },
    },
    series: nothing,
    late: nothing,
    segments: new Map(),
    intake: { adopt: () => undefined, begun: () => begun, noteWritten: () => void begun.splice(0) },
  } as unknown as Deps);
  const write = (): void =>
    sealing.write(() => {
      if (disk.isFull) throw new Error('the disk is full');
    });
  return { sealing, begun, disk, written, write };
}

test('each segment is written once, however many there are', () => {
  const { sealing, begun, written, write } = openSealing();
  begun.push(segmentOf(1), segmentOf(2));
  write();
  begun.push(segmentOf(3));
  sealing.adoptSegments([{ segment: segmentOf(9), lastTick: 90 }]);
  write();
  write();
  expect(written).toEqual([1, 2, 3, 9]);
});

test('what a full disk did not take is written with the next', () => {
  const { sealing, begun, disk, written, write } = openSealing();
  begun.push(segmentOf(1));
  sealing.adoptSegments([{ segment: segmentOf(9), lastTick: 90 }]);
  disk.isFull = true;
  expect(write).toThrow('the disk is full');
  written.length = 0;
  disk.isFull = false;
  write();
  expect(written).toEqual([1, 9]);
});
