import { expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '#base/random.ts';
import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import type { Exporter } from '#core/exporter/exporter.ts';
import { ownLink } from '#hub/exporter/hub-exporters.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { startBroker } from '#test/support/peers/broker.ts';

test('what its own broker says to an exporter is not laid at what the hub served before', async () => {
  const broker = await startBroker();
  onTestFinished(broker.close);
  let served: string | null = 'integration radio';
  const link = ownLink(
    {
      clock: systemClock,
      startTimer: startSystemTimer,
      random: systemRandom,
      log: createRecordingLog().log,
      isLanAddress: () => true,
      isOwnAddress: () => false,
      safeMode: { note: (what) => ((served = what), null) },
    },
    { url: broker.url, mayReachHub: false } as Exporter,
    async () => null,
  );
  const ending = new AbortController();
  const up = new Promise<void>((resolve, reject) => {
    const listener = { onUp: resolve, onDown: ({ message }: { message: string }) => reject(new Error(message)) };
    const running = link.run(listener, ending.signal);
    onTestFinished(async () => {
      ending.abort();
      await running;
    });
  });
  await up;
  expect(served).toBeNull();
});
