import { HubError, validationFailed } from '#base/hub-error.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { InstancePorts, MqttLink, MqttLinkListener } from '#integrations/ports.ts';
import { createAvailability, type Availability } from './availability.ts';
import { bridgeTopicsOf, createBridgeListener, type BridgeParts } from './bridge-listener.ts';
import { createBridgeRequests } from './bridge-requests.ts';
import { createDeviceTopics } from './device-topics.ts';
import { createDeviceTraffic } from './device-traffic.ts';
import { createFaults } from './faults.ts';
import { createInventory, type Inventory } from '#integrations/zigbee2mqtt/inventory/inventory.ts';
import { createInventorySync } from '#integrations/zigbee2mqtt/inventory/inventory-sync.ts';
import { createLinkStatus } from './link-status.ts';
import { createPairing } from './pairing.ts';
import { payloadFromCommand } from './payload.ts';
import { createReadBack } from './read-back.ts';

/** An instance of the kind `zigbee2mqtt`, as far as its code needs it. */
export type Zigbee2mqttInstance = {
  /** `broker` is an instance of the kind `mqtt`, `base_topic` what Zigbee2MQTT has as `mqtt.base_topic`. */
  readonly settings: { readonly broker: string; readonly base_topic: string };
};

export type Zigbee2mqttPorts = Pick<InstancePorts, 'clock' | 'log' | 'startTimer' | 'random' | 'mqtt'>;

const REVIEW_MS = 60_000;

/** The devices of a Zigbee2MQTT, reached through an MQTT broker. */
export function createZigbee2mqtt({ settings }: Zigbee2mqttInstance, ports: Zigbee2mqttPorts): Integration {
  const baseTopic = settings.base_topic;
  let running: Parts | null = null;
  const upParts = (): Parts => {
    if (running === null || !running.status.isUp()) {
      throw new HubError('INTEGRATION_DOWN', 'Zigbee2MQTT is not connected.');
    }
    return running;
  };
  return {
    run: async (sink, signal) => {
      const link = ports.mqtt(settings.broker);
      const parts = createParts({ ...ports, baseTopic, sink, link, signal });
      running = parts;
      sink.reportStatus('connecting', null);
      link.subscribe(bridgeTopicsOf(baseTopic));
      try {
        await link.run(parts.listener, signal);
      } finally {
        running = null;
        await parts.stop();
      }
    },
    sendCommand: async (command) => {
      const { inventory, topics, traffic, link } = upParts();
      const device = inventory.devices.get(command.externalId);
      if (device === undefined) throw new HubError('NOT_FOUND', 'Zigbee2MQTT has no such device.');
      if (device.isDisabled) throw new HubError('DEVICE_OFFLINE', 'The device is disabled in Zigbee2MQTT.');
      const built = payloadFromCommand(command, device.byKey);
      if ('errors' in built) {
        throw validationFailed(built.errors, 'The command does not fit the device.');
      }
      // Noted before it is published, because the echo may be faster than the acknowledgement.
      traffic.onSent(device, built.sent);
      await link.publish(topics.setTopicOf(device), JSON.stringify(built.payload));
      return 'transport_ack';
    },
    removeDevice: async (externalId, force) => {
      await upParts().requests.ask('device/remove', { id: externalId, force });
    },
    openPairing: async (seconds) => {
      await upParts().pairing.open(seconds);
    },
  };
}

type Parts = Omit<BridgeParts, 'sync' | 'faults'> & {
  readonly inventory: Inventory;
  readonly availability: Availability;
  readonly link: MqttLink;
  readonly listener: MqttLinkListener;
  /** Leaves no timer. Resolves when no list is being processed. */
  readonly stop: () => Promise<void>;
};

type PartsDeps = Omit<Zigbee2mqttPorts, 'mqtt'> & {
  readonly baseTopic: string;
  readonly sink: DeviceSink;
  readonly link: MqttLink;
  readonly signal: AbortSignal;
};

function createParts(deps: PartsDeps): Parts {
  const { baseTopic, sink, link, signal, log, clock, startTimer, random } = deps;
  const inventory = createInventory();
  const { devices } = inventory;
  const topics = createDeviceTopics(baseTopic);
  const faults = createFaults(log);
  const availability = createAvailability({ sink, devices, monotonicMs: clock.monotonicMs });
  const traffic = createDeviceTraffic({ sink, devices, availability, faults, clock, findNamed: topics.findNamed });
  const requests = createBridgeRequests({ publish: link.publish, baseTopic, startTimer, random });
  const pairing = createPairing({ sink, requests, clock, startTimer });
  const reading = createReadBack({
    devices,
    hasReported: traffic.hasReported,
    isOffline: availability.isOffline,
    ask: async (device, payload) => link.publish(topics.getTopicOf(device), payload),
    log,
    startTimer,
  });
  const status = createLinkStatus({
    sink,
    log,
    baseTopic,
    startTimer,
    monotonicMs: clock.monotonicMs,
    hasList: () => sync.hasList(),
    onChange: (isUp) => {
      availability.setLink(isUp);
      reading.setLink(isUp);
      if (isUp) return;
      traffic.reset();
      requests.fail();
    },
  });
  const parts = { topics, traffic, status, requests, pairing };
  const sync = createInventorySync({
    ...parts,
    sink,
    inventory,
    availability,
    faults,
    link,
    log,
    startTimer,
    monotonicMs: clock.monotonicMs,
    signal,
    onDevice: reading.onDevice,
  });
  let stopReview = (): void => undefined;
  const review = (): void => {
    availability.review();
    stopReview = startTimer(REVIEW_MS, review);
  };
  review();
  const stop = async (): Promise<void> => {
    stopReview();
    status.stop();
    pairing.stop();
    reading.setLink(false);
    requests.fail();
    await sync.idle();
  };
  const listener = createBridgeListener(baseTopic, { ...parts, sync, faults });
  return { ...parts, inventory, availability, link, listener, stop };
}
