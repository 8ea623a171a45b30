import { expect, onTestFinished, test } from 'vitest';
import type { Channel } from '#core/notification/channel.ts';
import type { Notification } from '#core/notification/notification.ts';
import { createChannelRunner } from '#notify/channel-runner.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

test('quiet hours that are always about to end are looked at once a second', async () => {
  const { clock, startTimer, advance } = createManualTime();
  let looks = 0;
  const runner = createChannelRunner({
    channel: { id: 'c', type: 'webhook', enabled: true } as unknown as Channel,
    send: () => Promise.reject(new Error('nothing is sent')),
    find: () => undefined,
    note: () => undefined,
    quietUntilMs: () => {
      looks += 1;
      return clock.wallMs() + 1;
    },
    clock,
    nowMs: clock.wallMs,
    startTimer,
    random: () => 0,
    log: createRecordingLog().log,
  });
  onTestFinished(runner.stop);
  runner.enqueue({ id: 'n', severity: 'info' } as unknown as Notification, 'show');
  await advance(10_000);
  expect(looks).toBeLessThan(15);
});

test('a notification that the hub fails to send is over, and the next one is sent', async () => {
  const { clock, startTimer, advance } = createManualTime();
  const sent: string[] = [];
  const states: string[] = [];
  const { log, lines } = createRecordingLog();
  const runner = createChannelRunner({
    channel: { id: 'c', type: 'webhook', enabled: true } as unknown as Channel,
    send: ({ id }) => {
      if (id.startsWith('broken')) throw new Error('a bug');
      sent.push(id);
      return Promise.resolve({ status: 200, error: null });
    },
    find: (id) => ({ id, resolvedAtMs: null, acknowledged: null }) as unknown as Notification,
    note: (id, { state }) => void states.push(`${id} ${state}`),
    quietUntilMs: () => null,
    clock,
    nowMs: clock.wallMs,
    startTimer,
    random: () => 0,
    log,
  });
  onTestFinished(runner.stop);
  for (const id of ['a', 'broken', 'b']) {
    runner.enqueue({ id, severity: 'critical' } as unknown as Notification, 'show');
  }
  await advance(60_000);
  expect(sent).toEqual(['a', 'b']);
  expect(states).toEqual(['a accepted', 'broken failed', 'b accepted']);
  expect(lines).toHaveLength(1);
});
