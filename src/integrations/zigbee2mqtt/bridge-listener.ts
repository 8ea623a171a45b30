import type { JsonValue } from '#base/json.ts';
import type { MqttLinkListener, MqttMessage } from '#integrations/ports.ts';
import { readBridgeEvent, readBridgeResponse, readIsSplit, readPermitJoin, readSetFailure } from './bridge-message.ts';
import type { BridgeRequests } from './bridge-requests.ts';
import { EVENT_LIMITS, INFO_LIMITS, type JsonLimits, readJson, readOnline } from './device-message.ts';
import type { DeviceTopics } from './device-topics.ts';
import type { DeviceTraffic } from './device-traffic.ts';
import type { Faults } from './faults.ts';
import type { InventorySync } from '#integrations/zigbee2mqtt/inventory/inventory-sync.ts';
import { type RadioGroup, readRadioGroups } from './radio-groups.ts';
import type { LinkStatus } from './link-status.ts';
import type { Pairing } from './pairing.ts';

export type BridgeParts = {
  readonly status: LinkStatus;
  readonly sync: InventorySync;
  readonly topics: DeviceTopics;
  readonly traffic: DeviceTraffic;
  readonly requests: BridgeRequests;
  readonly pairing: Pairing;
  readonly faults: Faults;
  readonly takeGroups: (groups: readonly RadioGroup[]) => void;
};

/** The topics of the bridge that the hub uses. It skips others because they are large: the definitions have 260 KB. */
export function bridgeTopicsOf(baseTopic: string): readonly string[] {
  const names = [
    'state',
    'info',
    'devices',
    'groups',
    'event',
    'logging',
    'response/device/remove',
    'response/permit_join',
  ];
  return names.map((name) => `${baseTopic}/bridge/${name}`);
}

/** Passes each message to the part that handles it. */
export function createBridgeListener(baseTopic: string, parts: BridgeParts): MqttLinkListener {
  const { status, sync, topics, traffic, requests, pairing, faults } = parts;
  const prefix = `${baseTopic}/bridge/`;

  const take = <Read>(message: MqttMessage, read: (json: JsonValue) => Read, limits?: JsonLimits): Read | undefined => {
    const json = readJson(message.payload, limits);
    if ('json' in json) return read(json.json);
    faults.note(message.topic, json.refusal);
    return undefined;
  };

  const onBridgeMessage = (name: string, message: MqttMessage): void => {
    if (name === 'state') {
      const isOnline = readOnline(message.payload);
      if (isOnline === undefined) faults.note(message.topic, 'not a state');
      else status.bridge(isOnline);
      return;
    }
    if (name === 'devices') sync.take(message.payload);
    if (name === 'groups') parts.takeGroups(take(message, readRadioGroups, INFO_LIMITS) ?? []);
    if (!message.retained) status.bridgeHeard();
    if (name === 'event') {
      const event = pairing.isListening() ? take(message, readBridgeEvent, EVENT_LIMITS) : undefined;
      if (event !== undefined) pairing.onEvent(event);
    } else if (name === 'info') {
      const info = take(message, (json) => [readPermitJoin(json), readIsSplit(json)] as const, INFO_LIMITS);
      const [permitJoin, isSplit] = info ?? [];
      if (permitJoin !== undefined) pairing.onPermitJoin(permitJoin, message.retained);
      if (isSplit !== undefined) status.split(isSplit);
    } else if (name === 'logging') {
      // The log has a line for every message: only lines that contain `Publish 'set'` are parsed.
      const failure = message.payload.includes("Publish 'set'") ? take(message, readSetFailure) : undefined;
      if (failure !== undefined) traffic.onSetFailure(failure);
    } else if (name.startsWith('response/')) {
      const response = take(message, readBridgeResponse);
      if (response !== undefined) requests.onResponse(response);
    }
  };

  return {
    onUp: status.brokerUp,
    onDown: status.brokerDown,
    onMessage: (message) => {
      const own = topics.find(message.topic);
      if (own !== undefined) traffic.onMessage(own, message);
      else if (message.topic.startsWith(prefix)) onBridgeMessage(message.topic.slice(prefix.length), message);
    },
  };
}
