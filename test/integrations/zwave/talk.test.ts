import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { createTalk } from '#integrations/zwave/talk.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const LONG = 'x'.repeat(300 * 1024);

function startTalk() {
  const time = createManualTime();
  const failures: unknown[] = [];
  const heard: unknown[] = [];
  const talk = createTalk({
    send: () => undefined,
    onEvent: (event: JsonObject) => {
      if (event['event'] === 'broken') throw new Error('a bug');
      heard.push(event['event']);
    },
    onUnreadable: (cause) => void failures.push(cause),
    onTooMuch: () => void failures.push('too much'),
    startTimer: time.startTimer,
    monotonicMs: time.clock.monotonicMs,
  });
  const say = (event: string, padding = ''): void =>
    talk.onMessage(JSON.stringify({ type: 'event', event: { event, padding } }));
  return { say, heard, failures };
}

test('an event that cannot be taken in holds up none behind it, however long either is', async () => {
  const { say, heard, failures } = startTalk();
  say('first', LONG);
  say('broken');
  say('broken', LONG);
  say('last');
  await expect.poll(() => heard).toEqual(['first', 'last']);
  say('later');
  expect(heard).toEqual(['first', 'last', 'later']);
  expect(failures.map(String)).toEqual(['Error: a bug', 'Error: a bug']);
});
