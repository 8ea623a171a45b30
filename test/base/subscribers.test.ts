import { expect, test } from 'vitest';
import { createSubscribers } from '#base/subscribers.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

test('every listener is called in order, one that throws is logged, and a removed one is not called', () => {
  const { log, lines } = createRecordingLog();
  const subscribers = createSubscribers<[what: string]>(log);
  const heard: string[] = [];
  const hear = (what: string): void => void heard.push(what);
  subscribers.add(() => {
    throw new Error('a bug');
  });
  const leave = subscribers.add(hear);
  const leaveAgain = subscribers.add(hear);
  subscribers.tell('one');
  expect(heard).toEqual(['one', 'one']);
  leave();
  leave();
  subscribers.tell('two');
  expect(heard).toEqual(['one', 'one', 'two']);
  leaveAgain();
  subscribers.tell('three');
  expect([heard.length, lines.length]).toEqual([3, 3]);
});

test('a listener that comes anew in its own call is called once, and one that was removed before its turn not at all', () => {
  const subscribers = createSubscribers<[]>(createRecordingLog().log);
  let calls = 0;
  let leave = (): void => undefined;
  let leaveLast = (): void => undefined;
  const hear = (): void => {
    calls += 1;
    leaveLast();
    leave();
    // Without an end, the test would have none.
    if (calls < 100) leave = subscribers.add(hear);
  };
  leave = subscribers.add(hear);
  let heardLast = 0;
  leaveLast = subscribers.add(() => (heardLast += 1));
  subscribers.tell();
  expect([calls, heardLast]).toEqual([1, 0]);
  subscribers.tell();
  expect(calls).toBe(2);
});
