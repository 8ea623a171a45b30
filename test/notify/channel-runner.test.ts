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
