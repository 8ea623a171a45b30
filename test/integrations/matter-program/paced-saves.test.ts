import { expect, onTestFinished, test, vi } from 'vitest';
import { createPacedSaves } from '#integrations/matter-program/controller/controller-role.ts';

test('a device that changes its parts each second is saved once a minute, the last change too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let saves = 0;
  const paced = createPacedSaves(60_000, async () => void (saves += 1));
  for (let second = 0; second < 150; second += 1) {
    paced.ask();
    vi.advanceTimersByTime(1_000);
  }
  expect(saves).toBe(3);
  vi.advanceTimersByTime(60_000);
  expect(saves).toBe(4);
  vi.advanceTimersByTime(600_000);
  expect(saves).toBe(4);
  paced.ask();
  paced.ask();
  paced.stop();
  vi.advanceTimersByTime(600_000);
  expect([saves, vi.getTimerCount()]).toEqual([5, 0]);
});
