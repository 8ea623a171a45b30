import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { powerSensor } from '#test/support/discovery/device-crowd.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createBrokeredDiscovery } from '#test/support/kinds/discovery-instance.ts';
import { needs } from '#test/support/machine/requires.ts';
import { startMosquitto, type Mosquitto } from '#test/support/peers/mosquitto.ts';
import { createBrokerInstance } from '#test/support/kinds/mqtt-broker-instance.ts';

const COUNT = 1_000;
const POLL = { interval: 50 };

describe.runIf(needs('mosquitto'))('with a real Mosquitto', () => {
  let broker: Mosquitto;
  beforeAll(async () => {
    broker = await startMosquitto();
  });
  afterAll(async () => broker.stop());

  test('a thousand kept entities stand with their kept values, and follow live ones', async () => {
    const { log } = createRecordingLog();
    const abort = new AbortController();
    const publisher = createBrokerInstance({ url: broker.url }, { log, random: () => 0.1 });
    const link = publisher.link();
    const publishing = publisher.integration.run(
      { ...createRecordingSink(), reportStatus: () => undefined },
      abort.signal,
    );
    let isUp = false;
    const linked = link.run(
      { onUp: () => (isUp = true), onDown: () => undefined, onMessage: () => undefined },
      abort.signal,
    );
    await vi.waitFor(() => expect(isUp).toBe(true), POLL);
    const sent: Promise<void>[] = [];
    for (let at = 0; at < COUNT; at += 1) {
      sent.push(link.publish(`homeassistant/sensor/u${at}/config`, JSON.stringify(powerSensor(at)), { retain: true }));
      sent.push(link.publish(`meter/${at}`, `{"p": ${at}.25}`, { retain: true }));
    }
    await Promise.all(sent);
    const sink = createRecordingSink();
    const integration = createBrokeredDiscovery({ url: broker.url }, { log, random: () => 0.9 });
    const running = integration.run(sink, abort.signal);
    const valuesOf = (): number => [...sink.devices.values()].reduce((sum, { values }) => sum + values.size, 0);
    await vi.waitFor(() => expect(valuesOf()).toBe(COUNT), POLL);
    expect(sink.devices.size).toBe(100);
    expect(sink.device('box-7').values.get('power_7.power')).toBe(7.2);
    await link.publish('meter/7', '{"p": 9.0}');
    await vi.waitFor(() => expect(sink.device('box-7').values.get('power_7.power')).toBe(9), POLL);
    abort.abort();
    await Promise.all([running, publishing, linked]);
  });
});
