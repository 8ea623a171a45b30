import type { TestBroker } from './broker.ts';

/** Plays Zigbee2MQTT at a test broker, for messages that the real one cannot be made to send. */
export type FakeZigbee2mqtt = {
  readonly publish: (topic: string, json: unknown, retain?: boolean) => Promise<void>;
  readonly setDevices: (entries: readonly unknown[]) => Promise<void>;
  /** From now on each set of this device fails after a while, as with a lamp without power. */
  readonly failSets: (name: string) => void;
  /** From now on nothing is said of a set of this device. */
  readonly dropSets: (name: string) => void;
};

const FAILS_AFTER_MS = 400;

export const COORDINATOR = { ieee_address: '0x00124b00aabbccdd', type: 'Coordinator', friendly_name: 'Coordinator' };

/** Announces itself and the devices, and echoes each set as the device's new state. */
export async function startFakeZigbee2mqtt(
  broker: TestBroker,
  entries: readonly Record<string, unknown>[],
): Promise<FakeZigbee2mqtt> {
  const publish: FakeZigbee2mqtt['publish'] = (topic, json, retain = false) =>
    broker.publish(`zigbee2mqtt/${topic}`, typeof json === 'string' ? json : JSON.stringify(json), retain);
  const [failing, silent] = [new Set<string>(), new Set<string>()];
  broker.onPublish(({ topic, payload }) => {
    const name = /^zigbee2mqtt\/(.+)\/set$/.exec(topic)?.[1];
    if (name === undefined || silent.has(name)) return;
    if (!failing.has(name)) {
      void publish(name, payload);
      return;
    }
    const message = `z2m: Publish 'set' 'state' to '${name}' failed: 'Error: no answer'`;
    setTimeout(() => void publish('bridge/logging', { level: 'error', message }), FAILS_AFTER_MS);
  });
  const setDevices: FakeZigbee2mqtt['setDevices'] = (list) => publish('bridge/devices', [COORDINATOR, ...list], true);
  await publish('bridge/state', { state: 'online' }, true);
  await setDevices(entries);
  for (const entry of entries) {
    await publish(`${String(entry['friendly_name'])}/availability`, { state: 'online' }, true);
  }
  return { publish, setDevices, failSets: (name) => void failing.add(name), dropSets: (name) => void silent.add(name) };
}
