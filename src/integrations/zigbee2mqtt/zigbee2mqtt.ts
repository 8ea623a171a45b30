import type { Clock } from '#base/time/clock.ts';
import { HubError, validationFailed } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import {
  createMqttConnection,
  type MqttConnection,
  type MqttListener,
  type MqttSettings,
} from '#integrations/mqtt/mqtt-connection.ts';
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

export type Zigbee2mqttSettings = MqttSettings & {
  /** Zigbee2MQTT's `mqtt.base_topic`. */
  readonly baseTopic: string;
};

export type Zigbee2mqttDeps = {
  /** The present settings, read once per run. */
  readonly settings: () => Zigbee2mqttSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly startTimer: StartTimer;
  /** From 0 to below 1. */
  readonly random: () => number;
};

const REVIEW_MS = 60_000;

/** The devices of a Zigbee2MQTT, reached through an MQTT broker. */
export function createZigbee2mqtt(deps: Zigbee2mqttDeps): Integration {
  let running: Parts | null = null;
  const upParts = (): Parts => {
    if (running === null || !running.link.isUp()) {
      throw new HubError('INTEGRATION_DOWN', 'Zigbee2MQTT is not connected.');
    }
    return running;
  };
  return {
    id: 'zigbee2mqtt',
    name: 'Zigbee2MQTT',
    run: async (sink, signal) => {
      const settings = deps.settings();
      const { baseTopic } = settings;
      const connection = createMqttConnection({ ...deps, settings, monotonicMs: deps.clock.monotonicMs });
      const parts = createParts({ ...deps, baseTopic, sink, connection, signal });
      running = parts;
      sink.reportStatus('connecting', null);
      connection.subscribe(bridgeTopicsOf(baseTopic));
      try {
        await connection.run(parts.listener, signal);
      } finally {
        running = null;
        await parts.stop();
      }
    },
    sendCommand: async (command) => {
      const { inventory, topics, traffic, connection } = upParts();
      const device = inventory.devices.get(command.externalId);
      if (device === undefined) throw new HubError('NOT_FOUND', 'Zigbee2MQTT has no such device.');
      if (device.isDisabled) throw new HubError('DEVICE_OFFLINE', 'The device is disabled in Zigbee2MQTT.');
      const built = payloadFromCommand(command, device.byKey);
      if ('errors' in built) {
        throw validationFailed(built.errors, 'The command does not fit the device.');
      }
      // Noted before it is published, because the echo may be faster than the acknowledgement.
      traffic.onSent(device, built.sent);
      await connection.publish(topics.setTopicOf(device), JSON.stringify(built.payload));
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
  readonly connection: MqttConnection;
  readonly listener: MqttListener;
  /** Leaves no timer. Resolves when no list is being processed. */
  readonly stop: () => Promise<void>;
};

type PartsDeps = Omit<Zigbee2mqttDeps, 'settings'> & {
  readonly baseTopic: string;
  readonly sink: DeviceSink;
  readonly connection: MqttConnection;
  readonly signal: AbortSignal;
};

function createParts(deps: PartsDeps): Parts {
  const { baseTopic, sink, connection, signal, log, clock, startTimer, random } = deps;
  const inventory = createInventory();
  const { devices } = inventory;
  const topics = createDeviceTopics(baseTopic);
  const faults = createFaults(log);
  const availability = createAvailability({ sink, devices, monotonicMs: clock.monotonicMs });
  const traffic = createDeviceTraffic({ sink, devices, availability, faults, clock, findNamed: topics.findNamed });
  const requests = createBridgeRequests({ publish: connection.publish, baseTopic, startTimer, random });
  const pairing = createPairing({ sink, requests, clock, startTimer });
  const reading = createReadBack({
    devices,
    hasReported: traffic.hasReported,
    isOffline: availability.isOffline,
    ask: async (device, payload) => connection.publish(topics.getTopicOf(device), payload),
    log,
    startTimer,
  });
  const link = createLinkStatus({
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
  const parts = { topics, traffic, link, requests, pairing };
  const sync = createInventorySync({
    ...parts,
    sink,
    inventory,
    availability,
    faults,
    connection,
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
    link.stop();
    pairing.stop();
    reading.setLink(false);
    requests.fail();
    await sync.idle();
  };
  const listener = createBridgeListener(baseTopic, { ...parts, sync, faults });
  return { ...parts, inventory, availability, connection, listener, stop };
}
