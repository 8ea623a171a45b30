import { onTestFinished, vi, expect } from 'vitest';
import { systemClock, type Clock } from '#base/time/clock.ts';
import { startSystemTimer, type StartTimer } from '#base/time/timer.ts';
import type { Integration } from '#integrations/integration.ts';
import { createBrokeredZigbee2mqtt } from '#test/support/kinds/mqtt-broker-instance.ts';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';
import { startFakeZigbee2mqtt, type FakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { createRecordingLog } from './recording-log.ts';
import { createRecordingSink, type RecordingSink } from './recording-sink.ts';

export type Zigbee2mqttHarness = {
  readonly broker: TestBroker;
  readonly peer: FakeZigbee2mqtt;
  readonly integration: Integration;
  readonly sink: RecordingSink;
  readonly lines: readonly string[];
  /** Resolves when the integration has taken all messages published before. */
  readonly settled: () => Promise<void>;
};

export type HarnessOptions = { readonly clock?: Clock; readonly startTimer?: StartTimer };

/** The integration, connected to a broker where a fake Zigbee2MQTT has these devices. Ends with the test. */
export async function openZigbee2mqtt(
  entries: readonly Record<string, unknown>[],
  { clock = systemClock, startTimer = startSystemTimer }: HarnessOptions = {},
): Promise<Zigbee2mqttHarness> {
  const broker = await startBroker();
  onTestFinished(broker.close);
  const peer = await startFakeZigbee2mqtt(broker, entries);
  const { log, lines } = createRecordingLog();
  const surroundings = { clock, startTimer, random: Math.random, log };
  const integration = createBrokeredZigbee2mqtt({ url: broker.url }, surroundings);
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = integration.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  await vi.waitFor(() => {
    expect(sink.statuses.at(-1)?.state).toBe('connected');
    expect(sink.devices.size).toBe(entries.length);
    // The hub subscribed and has the messages that the broker kept.
    const listened = entries.filter(
      (entry) => entry['disabled'] !== true && /^(?!bridge)[\w /]{2,}$/.test(String(entry['friendly_name'])),
    );
    for (const entry of listened) expect(sink.device(String(entry['ieee_address'])).availability?.state).toBe('online');
  });
  let probes = 0;
  return {
    broker,
    peer,
    integration,
    sink,
    lines,
    settled: async () => {
      probes += 1;
      const ieee_address = `0x${probes.toString(16).padStart(16, '0')}`;
      await peer.publish('bridge/info', { permit_join: true });
      await peer.publish('bridge/event', { type: 'device_joined', data: { ieee_address } });
      await vi.waitFor(() => expect(sink.pairing.at(-1)?.externalId).toBe(ieee_address));
    },
  };
}
