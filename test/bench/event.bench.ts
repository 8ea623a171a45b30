import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type BenchHub, startBenchHub } from './support/bench-hub.ts';
import { type Child, startChild } from './support/child.ts';
import { interleave, percentile, recordFigure } from './support/figure.ts';

const DEVICES = 100;
const STREAM = '/api/v1/event?types=feature.changed';
const ms = (value: number): string => `${value.toFixed(2)} ms`;

async function withHome(
  run: (started: BenchHub, publisher: Child, tokens: readonly string[]) => Promise<void>,
): Promise<void> {
  const started = await startBenchHub(DEVICES);
  const publisher = startChild('publisher.mjs');
  await publisher.ask({ do: 'connect', url: started.mosquitto.url });
  const tokens = [started.token];
  // A session may have sixteen streams, a person two sessions' worth.
  for (let index = 0; index < 6; index += 1) tokens.push(await started.newToken());
  try {
    await run(started, publisher, tokens);
  } finally {
    await publisher.stop();
    await started.stop();
  }
}

test.each([1, 10, 100])("%i clients learn of a report as soon as the broker's own subscribers", async (clients) => {
  await withHome(async ({ port, mosquitto }, publisher, tokens) => {
    const p99s = { events: [] as number[], broker: [] as number[] };
    // One after the other: subscribers that are not measured would take processor from those that are.
    const p50Of = async (kind: 'events' | 'broker'): Promise<number> => {
      const followers = startChild('followers.mjs');
      try {
        if (kind === 'events') await followers.ask({ do: 'followEvents', port, path: STREAM, tokens, clients });
        else await followers.ask({ do: 'followBroker', url: mosquitto.url, clients });
        await publisher.ask({ do: 'start', perSecond: 1_000, devices: DEVICES });
        await wait(2_000);
        await followers.ask({ do: 'forget', measuresLag: true });
        await wait(3_000);
        await publisher.ask({ do: 'pause' });
        await wait(500);
        const lags = await followers.ask<number[]>({ do: 'lags' });
        p99s[kind].push(percentile(lags, 0.99));
        return percentile(lags, 0.5);
      } finally {
        await followers.stop();
      }
    };
    const p50 = await interleave({ events: () => p50Of('events'), broker: () => p50Of('broker') });
    const p99 = { events: percentile(p99s.events, 0.5), broker: percentile(p99s.broker, 0.5) };
    recordFigure({
      what: `publish → event, ${clients} clients, 1,000 messages/s: p50`,
      hub: `${ms(p50.events)} (p99 ${ms(p99.events)})`,
      reference: `MQTT subscribers ${ms(p50.broker)} (p99 ${ms(p99.broker)})`,
      ratio: p50.events / p50.broker,
      ...(clients === 10 ? { target: { atMost: 1.2 } } : {}),
    });
  });
});

test('a hundred clients are fed by one write each, not by one per message', async () => {
  const [CLIENTS, MESSAGES] = [100, 5_000];
  await withHome(async ({ port, mosquitto }, publisher, tokens) => {
    const rateOf = async (servedPort: number, path: string): Promise<number> => {
      const followers = startChild('followers.mjs');
      await followers.ask({ do: 'followEvents', port: servedPort, path, tokens, clients: CLIENTS });
      await followers.ask({ do: 'forget', measuresLag: false });
      const startMs = performance.now();
      await publisher.ask({ do: 'burst', count: MESSAGES, devices: DEVICES });
      await expect
        .poll(() => followers.ask<number>({ do: 'count' }), { timeout: 120_000, interval: 10 })
        .toBe(MESSAGES * CLIENTS);
      const tookMs = performance.now() - startMs;
      await followers.stop();
      return (MESSAGES * 1_000) / tookMs;
    };
    const rateOfNaive = async (): Promise<number> => {
      const naive = startChild('write-per-message.mjs');
      const { port: naivePort } = await naive.ask<{ port: number }>({ url: mosquitto.url });
      const rate = await rateOf(naivePort, '/');
      await naive.stop();
      return rate;
    };
    const rate = await interleave({ hub: () => rateOf(port, STREAM), naive: rateOfNaive }, 3);
    recordFigure({
      what: '100 clients saturated: messages/s, none lost',
      hub: rate.hub.toFixed(0),
      reference: `a write per message ${rate.naive.toFixed(0)}`,
      ratio: rate.hub / rate.naive,
      target: { atLeast: 5 },
    });
  });
});
