import { expect, test } from 'vitest';
import { createStopList } from '#base/stop-list.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

test('the steps run in reverse order, one after the other, also past a step that fails', async () => {
  const { log, lines } = createRecordingLog();
  const stops = createStopList(log);
  const done: string[] = [];
  stops.add('the first', () => void done.push('first'));
  stops.add('the second', () => {
    throw new Error('stuck');
  });
  stops.add('the third', async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    done.push('third');
  });
  await stops.stop();
  expect(done).toEqual(['third', 'first']);
  expect(lines).toEqual([expect.stringContaining('stopping the second failed (')]);
});

test('a second call of stop waits for the first', async () => {
  const stops = createStopList(createRecordingLog().log);
  const done: string[] = [];
  let release = (): void => undefined;
  stops.add('the first', () => void done.push('first'));
  stops.add('the slow one', async () => {
    await new Promise<void>((resolve) => (release = resolve));
    done.push('slow');
  });
  const first = stops.stop();
  const second = stops.stop().then(() => done.push('second call ended'));
  await new Promise((resolve) => void setImmediate(resolve));
  expect(done).toEqual([]);
  release();
  await Promise.all([first, second, stops.stop()]);
  expect(done).toEqual(['slow', 'first', 'second call ended']);
});
