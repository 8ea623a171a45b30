import { expect, test } from 'vitest';
import { deviceName, startBenchHub } from '#test/bench/support/bench-hub.ts';
import { startChild } from '#test/bench/support/child.ts';
import { interleave, percentile, recordFigure } from '#test/bench/support/figure.ts';

const TRIGGERS = 60;
/** An automation may start once a second, so each has every tenth trigger. */
const RULES = 10;
const PACE_MS = 110;
const P99_MS = 10;
const LONGEST_MS = 10_000;

test.each([0, 1_000])('an automation acts as soon as a bare subscriber, beside %i reports/s', async (perSecond) => {
  // The first ten report what starts an automation, the others are lamps that these set.
  const { hub, token, client, mosquitto, stop } = await startBenchHub(2 * RULES);
  const [publisher, reflector] = [startChild('publisher.mjs'), startChild('reflector.mjs')];
  const p99s = { hub: [] as number[], bare: [] as number[] };
  let hear = (_topic: string): void => undefined;
  client.on('message', (topic, payload) => {
    hear(topic);
    // The lamp: it reports what it is set to.
    const lamp = /^(zigbee2mqtt\/.+)\/set$/.exec(topic)?.[1];
    if (lamp !== undefined) client.publish(lamp, payload);
  });
  await client.subscribeAsync(['zigbee2mqtt/+/set', 'bare/set']);
  let level = 0;
  /** Milliseconds from publishing what triggers to hearing what answers it. */
  const timeOf = async (trigger: string, answer: string): Promise<number> => {
    level = (level + 1) % 254;
    const heard = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`nothing was sent to ${answer}`)), LONGEST_MS);
      hear = (topic) => {
        if (topic !== answer) return;
        clearTimeout(timer);
        resolve();
      };
    });
    const startMs = performance.now();
    client.publish(trigger, `{"brightness":${level}}`);
    await heard;
    const tookMs = performance.now() - startMs;
    await new Promise((resolve) => void setTimeout(resolve, PACE_MS));
    return tookMs;
  };
  const p50Of = async (kind: 'hub' | 'bare'): Promise<number> => {
    const taken: number[] = [];
    for (let index = 0; index < TRIGGERS; index += 1) {
      const rule = index % RULES;
      const [trigger, answer] =
        kind === 'hub'
          ? [`zigbee2mqtt/${deviceName(rule)}`, `zigbee2mqtt/${deviceName(RULES + rule)}/set`]
          : ['bare/sensor', 'bare/set'];
      taken.push(await timeOf(trigger, answer));
    }
    p99s[kind].push(percentile(taken, 0.99));
    return percentile(taken, 0.5);
  };
  try {
    await publisher.ask({ do: 'connect', url: mosquitto.url });
    await reflector.ask({ url: mosquitto.url, hear: 'bare/sensor', say: 'bare/set', text: '{"state":"ON"}' });
    for (let rule = 0; rule < RULES; rule += 1) {
      // A first value starts nothing.
      await client.publishAsync(`zigbee2mqtt/${deviceName(rule)}`, '{"brightness":254}');
      const body = {
        name: `Rule ${rule}`,
        triggers: [{ type: 'feature', device: `lamp-${rule}`, key: 'brightness' }],
        steps: [
          { command: { targets: { devices: [`lamp-${RULES + rule}`] }, set: { on: true }, skip_if_same: false } },
        ],
      };
      const { status } = await hub.ask('POST', '/api/v1/automation', { token, body });
      expect(status).toBe(201);
    }
    if (perSecond > 0) await publisher.ask({ do: 'start', perSecond, devices: 2 * RULES });
    const p50 = await interleave({ hub: () => p50Of('hub'), bare: () => p50Of('bare') });
    const p99 = { hub: percentile(p99s.hub, 0.5), bare: percentile(p99s.bare, 0.5) };
    const what = `report → command of an automation at the broker, beside ${perSecond} reports/s`;
    const reference = `bare subscriber ${p50.bare.toFixed(2)} ms (p99 ${p99.bare.toFixed(2)} ms)`;
    recordFigure({
      what: `${what}: p50`,
      hub: `${p50.hub.toFixed(2)} ms (p99 ${p99.hub.toFixed(2)} ms)`,
      reference,
      ratio: p50.hub / p50.bare,
      target: { atMost: 1.5 },
    });
    recordFigure({
      what: `${what}: p99`,
      hub: `${p99.hub.toFixed(2)} ms`,
      reference: `${P99_MS} ms`,
      ratio: p99.hub / P99_MS,
      target: { atMost: 1 },
    });
  } finally {
    await publisher.stop();
    await reflector.stop();
    await stop();
  }
});
