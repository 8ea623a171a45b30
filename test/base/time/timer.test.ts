import { expect, onTestFinished, test, vi } from 'vitest';
import { startSystemTimer, waitMs } from '#base/time/timer.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

test('a wait ends after its time and leaves nothing behind', async () => {
  const time = createManualTime();
  let isOver = false;
  void waitMs(1000, time.startTimer, new AbortController().signal).then(() => (isOver = true));
  await time.advance(999);
  expect(isOver).toBe(false);
  await time.advance(1);
  expect(isOver).toBe(true);
  expect(time.pendingMs()).toEqual([]);
});

test('a wait ends at once on abort and takes its timer along', async () => {
  const time = createManualTime();
  const abort = new AbortController();
  const wait = waitMs(1000, time.startTimer, abort.signal);
  abort.abort();
  await wait;
  expect(time.pendingMs()).toEqual([]);
  await waitMs(1000, time.startTimer, abort.signal);
  expect(time.pendingMs()).toEqual([]);
});

test('the system timer fires once and can be prevented', async () => {
  const fired: string[] = [];
  const prevent = startSystemTimer(0, () => fired.push('prevented'));
  prevent();
  await new Promise<void>((resolve) => void startSystemTimer(1, resolve));
  expect(fired).toEqual([]);
});

test('the system timer waits for more than Node can, and can be prevented on the way', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fortyDaysMs = 40 * 86_400_000;
  const fired: string[] = [];
  startSystemTimer(fortyDaysMs, () => fired.push('after forty days'));
  const prevent = startSystemTimer(fortyDaysMs, () => fired.push('prevented'));
  vi.advanceTimersByTime(fortyDaysMs - 1);
  expect(fired).toEqual([]);
  prevent();
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(['after forty days']);
  expect(vi.getTimerCount()).toBe(0);
});
