import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startRunningHub, type RunningHub } from '#test/support/daemon/running-hub.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createBrokerInstance } from '#test/support/kinds/mqtt-broker-instance.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { startMosquitto, type Mosquitto } from '#test/support/peers/mosquitto.ts';

type Device = {
  readonly features: readonly { readonly key: string; readonly value: unknown; readonly description?: string | null }[];
};

const POLL = { interval: 20 };
/** Each would kill or stop a hub that rendered it on its event loop. */
const HOSTILE: readonly (readonly [template: string, state: string])[] = [
  ["{{ '%.100000000d' % 1 }}", '1'],
  ["{{ '%.900000000d' % 1 }}", '1'],
  ['{{ value | float(0) }}', `${'1'.repeat(65_000)}x`],
  ['{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}', '1'],
  ['{% set ns = namespace(l=[1]) %}{% for i in range(90000) %}{% set ns.l = [ns.l, value ~ i] %}{% endfor %}', 'x'],
  ["{{ value | regex_match('(a+)+$') }}", `${'a'.repeat(60)}!`],
  ["{{ ('a' * 5000) | regex_search('(a|a|aa)+b') }}", '1'],
  ["{{ ('a' * 5000) | regex_findall('(.*)(.*)(.*)(.*)x') }}", '1'],
];

describe.runIf(needs('mosquitto'))('I1: templates of strangers', () => {
  let broker: Mosquitto;
  let hub: RunningHub;
  const { log } = createRecordingLog();
  const ended = new AbortController();
  let publish: (topic: string, payload: string) => Promise<void>;
  beforeAll(async () => {
    broker = await startMosquitto();
    hub = await startRunningHub({
      HEARTHD_MQTT_URL: broker.url,
      NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=4',
    });
    const body = { kind: 'home_assistant_discovery', settings: { broker: 'mqtt' } };
    await hub.call('POST /integration', { body });
    const publisher = createBrokerInstance({ url: broker.url }, { log });
    const link = publisher.link();
    let isUp = false;
    void publisher.integration.run({ ...createRecordingSink(), reportStatus: () => undefined }, ended.signal);
    void link.run({ onUp: () => (isUp = true), onDown: () => undefined, onMessage: () => undefined }, ended.signal);
    await vi.waitUntil(() => isUp, POLL);
    publish = (topic, payload) => link.publish(topic, payload, { retain: true });
  });
  afterAll(async () => {
    ended.abort();
    await hub.stop();
    await broker.stop();
  });

  const announce = (id: string, template: string): Promise<void> =>
    publish(
      `homeassistant/sensor/${id}/config`,
      JSON.stringify({ uniq_id: id, name: id, stat_t: `x/${id}`, val_tpl: template, dev: { ids: id, name: id } }),
    );
  const featureOf = async (id: string): Promise<Device['features'][number] | undefined> => {
    const { json } = await hub.call<readonly (Device & { readonly external_id: string })[]>('GET /device');
    return json.find((device) => device.external_id === id)?.features[0];
  };
  const untilHas = (id: string, value: unknown): Promise<void> =>
    vi.waitFor(async () => expect((await featureOf(id))?.value).toBe(value), POLL);
  const threads = (): number =>
    readdirSync(`/proc/${hub.pid}/task`).filter((task) => {
      return readFileSync(`/proc/${hub.pid}/task/${task}/stat`, 'utf8').length > 0;
    }).length;

  test('member access needs no thread, and what needs one has one until it goes', async () => {
    await announce('plain', '{{ value_json.t / 10 }}');
    await publish('x/plain', '{"t": 215}');
    await untilHas('plain', '21.5');
    const before = threads();
    await announce('more', '{{ value_json.t | round(1) }}');
    await publish('x/more', '{"t": 2.25}');
    await untilHas('more', '2.2');
    expect(threads()).toBeGreaterThan(before);
    await publish('homeassistant/sensor/more/config', '');
    await vi.waitFor(() => expect(threads()).toBe(before), POLL);
  });

  test('values of a topic come in their order', async () => {
    await announce('count', '{{ value_json.n | int }}');
    await publish('x/count', '{"n": 0}');
    await untilHas('count', '0');
    const since = startStopwatch();
    for (let n = 1; n <= 300; n += 1) void publish('x/count', `{"n": ${n}}`);
    await publish('x/count', '{"n": 301}');
    await untilHas('count', '301');
    expectBelow('300 renderings in the thread, ms', since(), 3_000);
  });

  test.each(HOSTILE)('%s stops nothing and says so', async (template, state) => {
    await announce('good', '{{ value_json.t }}');
    await announce('calm', '{{ value_json.t | float | round(1) }}');
    await announce('evil', '{{ value | int }}');
    for (const id of ['good', 'calm']) await publish(`x/${id}`, '{"t": 1.5}');
    await publish('x/evil', '7');
    await untilHas('evil', '7');
    for (const id of ['good', 'calm']) await untilHas(id, '1.5');
    await announce('evil', template);
    await vi.waitFor(async () => expect((await featureOf('evil'))?.value).not.toBe('7.5'), POLL);
    await publish('x/evil', state);
    let t = 2;
    const worst = { good: 0, calm: 0, call: 0 };
    for (; t < 12; t += 1) {
      for (const id of ['good', 'calm'] as const) {
        const since = startStopwatch();
        await publish(`x/${id}`, `{"t": ${t}.5}`);
        await untilHas(id, `${t}.5`);
        worst[id] = Math.max(worst[id], since());
      }
      const since = startStopwatch();
      await hub.call('GET /health');
      worst.call = Math.max(worst.call, since());
    }
    expectBelow(`a plain value beside ${template.slice(0, 30)}, ms`, worst.good, 150);
    expectBelow(`a rendered value beside ${template.slice(0, 30)}, ms`, worst.calm, 600);
    expectBelow(`an answer beside ${template.slice(0, 30)}, ms`, worst.call, 150);
    const isFast = template.includes('float(0)');
    await vi.waitFor(async () => {
      const said = (await featureOf('evil'))?.description ?? '';
      expect(said.startsWith('Not understood: ')).toBe(!isFast);
    }, POLL);
    // Another message is tried anew.
    await announce('evil', '{{ value | length }}');
    await publish('x/evil', 'four');
    await untilHas('evil', '4');
    expect(hub.logged()).not.toMatch(/internal error|could not be read/);
  });
});
