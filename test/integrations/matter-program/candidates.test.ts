import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Candidates, createCandidates } from '#integrations/matter-program/controller/commissioning.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

function open(): { readonly candidates: Candidates; readonly ends: string[] } {
  const ends: string[] = [];
  const isWrongCode = (cause: unknown): boolean => cause === 'wrong';
  const onAllFailed = (): void => void ends.push('wrong_code');
  return { candidates: createCandidates({ isWrongCode, onAllFailed }), ends };
}

const fail = async ({ watch }: Candidates, cause: unknown): Promise<void> => {
  await expect(watch(() => Promise.reject(cause))).rejects.toBe(cause);
};

test('X: devices that refuse the code do not end the search while another one is being tried', async () => {
  const { candidates, ends } = open();
  let join: ((how: string) => void) | undefined;
  await fail(candidates, 'wrong');
  vi.advanceTimersByTime(2_000);
  const joined = candidates.watch(() => new Promise<string>((resolve) => (join = resolve)));
  for (let fake = 0; fake < 4; fake += 1) await fail(candidates, 'wrong');
  vi.advanceTimersByTime(60_000);
  expect(ends).toEqual([]);
  join?.('joined');
  expect(await joined).toBe('joined');
});

test('a code that all refuse ends the search three seconds after the last of them', async () => {
  const { candidates, ends } = open();
  await fail(candidates, 'wrong');
  await fail(candidates, 'no answer');
  vi.advanceTimersByTime(2_900);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(ends).toEqual(['wrong_code']);
});

test('one that only does not answer ends nothing, and a search that is over has no timer', async () => {
  const { candidates, ends } = open();
  await fail(candidates, 'no answer');
  expect(vi.getTimerCount()).toBe(0);
  await fail(candidates, 'wrong');
  candidates.stop();
  vi.advanceTimersByTime(60_000);
  expect([ends, vi.getTimerCount()]).toEqual([[], 0]);
});

test('X: no more devices are tried than a home may have that can be mistaken for each other', async () => {
  const { candidates } = open();
  let tried = 0;
  for (; candidates.hasRoom(); tried += 1) await fail(candidates, 'wrong');
  expect(tried).toBe(32);
});
