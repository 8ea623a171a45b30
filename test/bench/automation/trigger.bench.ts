import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deviceName, startBenchHub } from '#test/bench/support/bench-hub.ts';
import { startChild } from '#test/bench/support/child.ts';
import { median } from '#test/support/median.ts';
import { interleave, percentile, recordFigure, ROUNDS } from '#test/bench/support/figure.ts';

const TRIGGERS = 60;
/** An automation may start ten times a second, so each has every tenth trigger. */
const RULES = 10;
const PACE_MS = 110;
const P99_MS = 10;
const LONGEST_MS = 10_000;
/** New processes for the figures of a hub that has just started. */
const STARTS = 3;
/** What a hub has seen that is warmed up: two hours of the reports of a home with 200 features, and many triggers. */
const WARM = { reports: 20_000, perSecond: 1_000, triggers: 1_000, paceMs: 20 };

type Times = { readonly p50: number; readonly p99: number };
type Kind = 'hub' | 'bare';

test('an automation acts as soon as a bare subscriber, both just started', async () => {
  const times: Record<Kind, Times[]> = { hub: [], bare: [] };
  for (let start = 0; start < STARTS; start += 1) {
    const setup = await startBoth();
    try {
      for (const kind of ['hub', 'bare'] as const) times[kind].push(await setup.timesOf(kind));
    } finally {
      await setup.stop();
    }
  }
  expect(times.hub).toHaveLength(STARTS);
  record(`just started, the first ${TRIGGERS}`, times);
});

test.each([0, 1_000])(
  'an automation acts as soon as a bare subscriber, warmed up, beside %i reports/s',
  async (perSecond) => {
    const setup = await startBoth();
    try {
      await setup.publisher.ask({ do: 'start', perSecond: WARM.perSecond, devices: 2 * RULES });
      await wait((WARM.reports / WARM.perSecond) * 1_000);
      await setup.publisher.ask({ do: 'pause' });
      for (const kind of ['hub', 'bare'] as const) await setup.timesOf(kind, WARM.triggers, WARM.paceMs);
      if (perSecond > 0) await setup.publisher.ask({ do: 'start', perSecond, devices: 2 * RULES });
      const times: Record<Kind, Times[]> = { hub: [], bare: [] };
      const measure = async (kind: Kind): Promise<number> => {
        const found = await setup.timesOf(kind);
        times[kind].push(found);
        return found.p50;
      };
      await interleave({ hub: () => measure('hub'), bare: () => measure('bare') });
      expect(times.hub).toHaveLength(ROUNDS);
      record(`warmed up, beside ${perSecond} reports/s`, times);
    } finally {
      await setup.stop();
    }
  },
);

function record(when: string, times: Readonly<Record<Kind, readonly Times[]>>): void {
  const of = (kind: Kind): Times => ({
    p50: median(times[kind].map(({ p50 }) => p50)),
    p99: median(times[kind].map(({ p99 }) => p99)),
  });
  const [hub, bare] = [of('hub'), of('bare')];
  const text = ({ p50, p99 }: Times): string => `${p50.toFixed(2)} ms (p99 ${p99.toFixed(2)} ms)`;
  const what = `report → command of an automation at the broker, ${when}`;
  recordFigure({
    what: `${what}: p50`,
    hub: text(hub),
    reference: `bare subscriber ${text(bare)}`,
    ratio: hub.p50 / bare.p50,
    target: { atMost: 1.5 },
  });
  recordFigure({
    what: `${what}: p99`,
    hub: `${hub.p99.toFixed(2)} ms`,
    reference: `${P99_MS} ms`,
    ratio: hub.p99 / P99_MS,
    target: { atMost: 1 },
  });
}

/** A new hub with automations, and a new bare subscriber, at one broker. */
async function startBoth() {
  // The first ten report what starts an automation, the others are lamps that these set.
  const { hub, token, client, mosquitto, stop } = await startBenchHub(2 * RULES);
  const [publisher, reflector] = [startChild('publisher.mjs'), startChild('reflector.mjs')];
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
    let startMs = Number.NaN;
    const heard = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`nothing was sent to ${answer}`)), LONGEST_MS);
      hear = (topic) => {
        if (topic !== answer) return;
        // Here, because the lamp's report, which follows in this turn, is not a part of it.
        const tookMs = performance.now() - startMs;
        clearTimeout(timer);
        resolve(tookMs);
      };
    });
    startMs = performance.now();
    client.publish(trigger, `{"brightness":${level}}`);
    return heard;
  };
  const timesOf = async (kind: Kind, triggers = TRIGGERS, paceMs = PACE_MS): Promise<Times> => {
    const taken: number[] = [];
    for (let index = 0; index < triggers; index += 1) {
      const rule = index % RULES;
      const [trigger, answer] =
        kind === 'hub'
          ? [`zigbee2mqtt/${deviceName(rule)}`, `zigbee2mqtt/${deviceName(RULES + rule)}/set`]
          : ['bare/sensor', 'bare/set'];
      taken.push(await timeOf(trigger, answer));
      await wait(paceMs);
    }
    return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) };
  };
  await publisher.ask({ do: 'connect', url: mosquitto.url });
  await reflector.ask({ url: mosquitto.url, hear: 'bare/sensor', say: 'bare/set', text: '{"state":"ON"}' });
  for (let rule = 0; rule < RULES; rule += 1) {
    // A first value starts nothing.
    await client.publishAsync(`zigbee2mqtt/${deviceName(rule)}`, '{"brightness":254}');
    const body = {
      name: `Rule ${rule}`,
      limits: 'high',
      triggers: [{ type: 'feature', device: `lamp-${rule}`, key: 'brightness' }],
      steps: [{ command: { targets: { devices: [`lamp-${RULES + rule}`] }, set: { on: true }, skip_if_same: false } }],
    };
    const { status } = await hub.ask('POST', '/api/v1/automation', { token, body });
    expect(status).toBe(201);
  }
  return {
    publisher,
    timesOf,
    stop: async () => {
      await publisher.stop();
      await reflector.stop();
      await stop();
    },
  };
}
