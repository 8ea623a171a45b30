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
