import { expect, test } from 'vitest';
import { HubProblem } from '#web/client/hub-problem.ts';
import { createTask } from '#web/state/task.ts';
import { hubText } from '#test/support/page/hub-text.ts';

/** An action that the test ends. */
function openAction() {
  const ends: { readonly succeed: () => void; readonly fail: (cause: Error) => void }[] = [];
  const action = (): Promise<void> =>
    new Promise((resolve, reject) => {
      ends.push({ succeed: resolve, fail: reject });
    });
  return { action, ends };
}

const WORDS = 'Another room has this name.';
const refused = (): HubProblem => new HubProblem(409, { detail: hubText(WORDS), code: 'NAME_TAKEN' }, null);

test('a second run is dropped while the first one is under way, and possible after it', async () => {
  const task = createTask();
  const { action, ends } = openAction();
  const first = task.run(action);
  const second = task.run(action);
  expect(task.isRunning.value).toBe(true);
  await second;
  expect(ends).toHaveLength(1);
  ends[0]?.succeed();
  await first;
  expect(task.isRunning.value).toBe(false);
  void task.run(action);
  expect(ends).toHaveLength(2);
});

test('a refusal is in words until a later run succeeds', async () => {
  const task = createTask();
  const { action, ends } = openAction();
  const first = task.run(action);
  ends[0]?.fail(refused());
  await first;
  expect(task.refusal.value).toBe(WORDS);
  const second = task.run(action);
  expect(task.refusal.value).toBe(WORDS);
  ends[1]?.succeed();
  await second;
  expect(task.refusal.value).toBeUndefined();
});

test('what follows an action follows a refusal too, and the task runs until it has ended', async () => {
  const task = createTask();
  const { action, ends } = openAction();
  const after = openAction();
  const whole = task.run(action, after.action);
  ends[0]?.fail(refused());
  await expect.poll(() => after.ends.length).toBe(1);
  expect(task.isRunning.value).toBe(true);
  after.ends[0]?.succeed();
  await whole;
  expect(task.isRunning.value).toBe(false);
});

test('a fault of the page is not hidden, and ends the task', async () => {
  const task = createTask();
  await expect(task.run(() => Promise.reject(new RangeError('a fault')))).rejects.toThrow('a fault');
  expect([task.isRunning.value, task.refusal.value]).toEqual([false, undefined]);
});
