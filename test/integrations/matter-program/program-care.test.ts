import { expect, test } from 'vitest';
import { createProgramCare } from '#integrations/matter-program/program-care.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

test('a disk that stays full is one line in the log, and the next time it is full another one', async () => {
  const { log, lines } = createRecordingLog();
  const disk = { isFull: true };
  const care = createProgramCare({
    file: {
      read: async () => undefined,
      setAside: async () => undefined,
      write: async () => {
        if (disk.isFull) throw new Error('no space');
      },
    },
    lanAddresses: () => [],
    startTimer: () => () => undefined,
    random: () => 0,
    log,
    onKept: () => undefined,
  });
  const keep = (): Promise<boolean> =>
    new Promise((resolve) => care.keep({ seq: 1, text: 'all' }, ({ isKept }) => resolve(isKept)));
  expect([await keep(), await keep(), await keep()]).toEqual([false, false, false]);
  expect(lines).toHaveLength(1);
  disk.isFull = false;
  expect(await keep()).toBe(true);
  disk.isFull = true;
  expect(await keep()).toBe(false);
  expect(lines).toHaveLength(2);
});
