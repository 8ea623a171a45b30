import { expect, test } from 'vitest';
import { createAgenda } from '#integrations/simulated-home/agenda.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

test('a task that fails is logged, and those behind it are done in their time', async () => {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const agenda = createAgenda({ ...time, log });
  const done: string[] = [];
  agenda.add(10, () => {
    throw new Error('a bug');
  });
  agenda.add(10, () => void done.push('with it'));
  agenda.add(20, () => void done.push('after it'));
  await time.advance(10);
  expect(done).toEqual(['with it']);
  await time.advance(10);
  expect(done).toEqual(['with it', 'after it']);
  expect(lines).toHaveLength(1);
});
