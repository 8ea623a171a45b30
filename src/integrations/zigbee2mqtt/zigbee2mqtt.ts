import { HubError, validationFailed } from '#base/hub-error.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import { refuseUnfit } from '#integrations/peer/source.ts';
import type { InstancePorts, MqttLink, MqttLinkListener } from '#integrations/ports.ts';
import { createAvailability, type Availability } from './availability.ts';
import { bridgeTopicsOf, createBridgeListener, type BridgeParts } from './bridge-listener.ts';
import { createBridgeRequests } from './bridge-requests.ts';
import { createDeviceTopics } from './device-topics.ts';
import { createDeviceTraffic } from './device-traffic.ts';
import { createFaults } from './faults.ts';
import { createGroupSends, type GroupSends } from './group-sends.ts';
import { createInventory, type Inventory } from '#integrations/zigbee2mqtt/inventory/inventory.ts';
import { createInventorySync } from '#integrations/zigbee2mqtt/inventory/inventory-sync.ts';
import { createLinkStatus } from './link-status.ts';
import { createPairing } from './pairing.ts';
import { payloadFromCommand } from './payload.ts';
import { chooseRadioGroups, type DevicePlan, type RadioGroup } from './radio-groups.ts';
import { createReadBack } from './read-back.ts';

/** An instance of the kind `zigbee2mqtt`, as far as its code needs it. */
export type Zigbee2mqttInstance = {
  /** `broker` is an instance of the kind `mqtt`, `base_topic` what Zigbee2MQTT has as `mqtt.base_topic`. */
  readonly settings: { readonly broker: string; readonly base_topic: string };
};

export type Zigbee2mqttPorts = Pick<InstancePorts, 'noteServed' | 'clock' | 'log' | 'startTimer' | 'random' | 'mqtt'>;

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
  const sendCommand = async (command: DeviceCommand): Promise<SendEvidence> => {
    const { inventory, topics, traffic, link } = upParts();
    const { device, payload, sent } = planOf(inventory.devices, command);
    // Noted before it is published, because the echo may be faster than the acknowledgement.
    traffic.onSent(device, sent);
    await link.publish(topics.setTopicOf(device), JSON.stringify(payload));
    return 'transport_ack';
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
    sendCommand,
    answersLater: true,
    findGroups: (commands) => {
      if (running === null || !running.status.isUp() || !running.groupSends.mayBegin()) return [];
      const parts = running;
      const plans = new Map(commands.flatMap((command) => planIfFits(parts, command)));
      return chooseRadioGroups(plans, parts.groups()).map(({ members }) =>
        commands.filter(({ externalId }) => members.has(externalId)),
      );
    },
    sendGroup: (commands) => {
      const parts = running;
      const plans = new Map(parts === null ? [] : commands.flatMap((command) => planIfFits(parts, command)));
      const [group] = chooseRadioGroups(plans, parts?.groups() ?? []);
      if (parts === null || !parts.status.isUp() || group?.members.size !== commands.length) {
        return commands.map(sendCommand);
      }
      const sending = parts.groupSends.send(group, [...plans.values()]).then(() => 'transport_ack' as const);
      return commands.map(() => sending);
    },
    removeDevice: async (externalId, force) => {
      await upParts().requests.ask('device/remove', { id: externalId, force });
    },
    openPairing: async (seconds) => {
      await upParts().pairing.open(seconds);
    },
  };
}

/** Throws HubError if the device cannot take the command. */
function planOf(devices: Inventory['devices'], command: DeviceCommand): DevicePlan {
  const device = devices.get(command.externalId);
  if (device === undefined) throw new HubError('NOT_FOUND', 'Zigbee2MQTT has no such device.');
  if (device.isDisabled) throw new HubError('DEVICE_OFFLINE', 'The device is disabled in Zigbee2MQTT.');
  refuseUnfit(device.description.features, command);
  const built = payloadFromCommand(command, device.byKey);
  if ('errors' in built) throw validationFailed(built.errors, 'The command does not fit the device.');
  return { device, ...built, transitionMs: command.transitionMs };
}

/** Plans a command, or nothing where it does not fit: the fault shows when the command is sent by itself. */
function planIfFits({ inventory }: Pick<Parts, 'inventory'>, command: DeviceCommand) {
  try {
    return [[command.externalId, planOf(inventory.devices, command)] as const];
  } catch (cause) {
    if (cause instanceof HubError) return [];
    throw cause;
  }
}

type Parts = Omit<BridgeParts, 'sync' | 'faults' | 'takeGroups'> & {
  readonly groupSends: GroupSends;
  /** The groups of the radio network, the largest first. */
  readonly groups: () => readonly RadioGroup[];
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
  const inventory = createInventory(deps.noteServed);
  const { devices } = inventory;
  const topics = createDeviceTopics(baseTopic);
  const faults = createFaults(log);
  const availability = createAvailability({ sink, devices, monotonicMs: clock.monotonicMs });
  const groupSends: GroupSends = createGroupSends({
    publishSet: async (group, payload) => link.publish(topics.groupSetTopicOf(group), payload),
    ask: async (device, payload) => link.publish(topics.getTopicOf(device), payload),
    onSent: (device, sent) => traffic.onSent(device, sent),
    monotonicMs: clock.monotonicMs,
    startTimer,
    log,
  });
  const { findNamed } = topics;
  const { withoutEcho } = groupSends;
  const traffic = createDeviceTraffic({ sink, devices, availability, faults, clock, findNamed, withoutEcho });
  let groups: readonly RadioGroup[] = [];
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
      groupSends.reset();
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
    groupSends.reset();
    requests.fail();
    await sync.idle();
  };
  const takeGroups = (listed: readonly RadioGroup[]): void => {
    groups = listed;
  };
  const listener = createBridgeListener(baseTopic, { ...parts, sync, faults, takeGroups });
  return { ...parts, groupSends, groups: () => groups, inventory, availability, link, listener, stop };
}
