import { EXECUTE_SERVICE } from '#integrations/esphome/entities/services.ts';
import { isSaid } from '#core/feature/feature-value.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import type { Feature } from '#core/feature/feature.ts';
import { refuseUnfit } from '#integrations/peer/source.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { KIND_OF_STATE } from '#integrations/esphome/entities/kinds.ts';
import { devicesFrom, type Entity, type ShownDevice } from '#integrations/esphome/entities/node-devices.ts';
import { NoSuchValue } from '#integrations/esphome/entities/no-such-value.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeList } from './talk.ts';
import { type Message, bytesOf, type Draft, putFixed, putNumber } from '#integrations/esphome/wire/protobuf.ts';

/** Reports what a node and its parts say, and knows what they are. */
export type Reporting = ReturnType<typeof createReporting>;

type ReportingDeps = {
  readonly sink: DeviceSink;
  readonly knownFeatures: (externalId: string) => readonly Feature[];
  readonly monotonicMs: () => number;
  readonly takesRooms: boolean;
};

/** A node ends the connection at a message of more than 32 KiB, sealed and with its head; the smallest boards at 8. */
const MAX_SENT_BYTES = 32_768 - 64;
const TOO_LONG = 'The command is longer than a node can read, which is 32 KiB.';

type Place = { readonly externalId: string; readonly entity: Entity };

export function createReporting(deps: ReportingDeps) {
  const { sink } = deps;
  let shown: readonly ShownDevice[] = [];
  let places: ReadonlyMap<string, Place> = new Map();
  /** These values were reported last, by device and feature. */
  const reported = new Map<string, Map<string, JsonValue>>();

  const find = (externalId: string): ShownDevice => {
    const device = shown.find(({ description }) => description.externalId === externalId);
    if (device === undefined) throw new HubError('NOT_FOUND', 'This instance has no such device.');
    return device;
  };
  return {
    /** Takes all that a node is. False if the home has no room for it. */
    begin: async (info: NodeInfo, list: NodeList): Promise<boolean> => {
      const devices = await devicesFrom(info, list, deps);
      await sink.openList();
      if (!(await sink.syncDevices(devices.map(({ description }) => description)))) return false;
      shown = devices;
      reported.clear();
      places = placesOf(devices);
      for (const { description } of devices) sink.reportAvailability(description.externalId, 'online', null);
      return true;
    },
    take: (type: number, message: Message): void => {
      const state = KIND_OF_STATE.get(type)?.state;
      const place = state && places.get(placeKey(type, message.number(state.device), message.number(1)));
      if (place === undefined) return;
      const { externalId, entity } = place;
      const values = valuesFromState(message, entity);
      if (values.size > 0) {
        const known = reported.get(externalId) ?? new Map<string, JsonValue>();
        reported.set(externalId, known);
        for (const [key, value] of values) known.set(key, value);
        sink.reportValues(externalId, values);
      }
      for (const { feature, happen } of entity.sources) {
        const occurrence = happen?.(message);
        if (occurrence !== undefined) sink.reportOccurrence(externalId, feature.key, occurrence);
      }
    },
    /** The messages that a command makes. Throws HubError if the device is not there, or cannot take it. */
    sendingsFor: (command: DeviceCommand): readonly Sending[] => {
      const device = find(command.externalId);
      refuseUnfit(device.description.features, command);
      try {
        return shortEnough(sendingsFromCommand(command, device));
      } catch (cause) {
        if (cause instanceof NoSuchValue) throw new HubError('COMMAND_FAILED', cause.message, { cause });
        throw cause;
      }
    },
    /**
     * To call once the node has taken a command. A node says nothing of a command that changes nothing: what it has
     * reported last is then what was asked for.
     */
    confirm: ({ externalId, set }: DeviceCommand): void => {
      const device = shown.find(({ description }) => description.externalId === externalId);
      const known = reported.get(externalId);
      const same = new Map<string, JsonValue>();
      for (const [key, value] of set) {
        const feature = device?.description.features.find((one) => one.key === key);
        const last = known?.get(key);
        if (feature !== undefined && last !== undefined && isConfirmedBy(feature, value, last)) same.set(key, last);
      }
      if (same.size > 0) sink.reportValues(externalId, same);
    },
  };
}

type Sending = { readonly type: number; readonly body: Uint8Array };

const TRANSITION_FLAG = 14;
const TRANSITION_MS = 15;
const LONGEST_TRANSITION_MS = 3_600_000;

/** The messages of a command that fits the device: one for each entity and each action. */
export function sendingsFromCommand(
  { set, action, transitionMs }: DeviceCommand,
  { entities, services }: ShownDevice,
): readonly Sending[] {
  const values = new Map<string, JsonValue>(action === null ? set : [...set, [action, null]]);
  const sendings: Sending[] = [];
  for (const { kind, key, deviceId, sources } of entities) {
    // In the order of the features: what a person says of a switch counts more than what a brightness implies.
    const wanted = sources.filter(({ feature, write }) => write !== undefined && values.has(feature.key));
    if (kind.command === undefined || wanted.length === 0) continue;
    const draft: Draft = new Map();
    putFixed(draft, 1, key);
    if (deviceId !== 0) putNumber(draft, kind.command.device, deviceId);
    for (const { feature, write } of wanted) write?.(values.get(feature.key) ?? null, draft);
    if (kind.word === 'light' && transitionMs !== null) {
      putNumber(draft, TRANSITION_FLAG, 1);
      putNumber(draft, TRANSITION_MS, Math.min(LONGEST_TRANSITION_MS, Math.round(transitionMs)));
    }
    sendings.push({ type: kind.command.type, body: bytesOf(draft) });
  }
  for (const { feature, bodyFor } of services) {
    const value = values.get(feature.key);
    if (value !== undefined) sendings.push({ type: EXECUTE_SERVICE, body: bodyFor(value) });
  }
  return sendings;
}

/** Reads the features of an entity from a state. */
export function valuesFromState(state: Message, { sources }: Entity): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const { feature, read } of sources) {
    const value = read?.(state);
    if (isSaid(feature, value)) values.set(feature.key, value);
  }
  return values;
}

/** Where a message of a state belongs. */
function placesOf(devices: readonly ShownDevice[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const { description, entities } of devices) {
    const { externalId } = description;
    for (const entity of entities) {
      const { kind, deviceId, key } = entity;
      if (kind.state !== undefined) places.set(placeKey(kind.state.type, deviceId, key), { externalId, entity });
    }
  }
  return places;
}

function shortEnough(sendings: readonly Sending[]): readonly Sending[] {
  if (sendings.some(({ body }) => body.length > MAX_SENT_BYTES)) throw new HubError('COMMAND_FAILED', TOO_LONG);
  return sendings;
}

/** Keys are unique only in a part of the node and among entities of a kind. */
function placeKey(stateType: number, deviceId: number, key: number): string {
  return `${stateType}/${deviceId}/${key}`;
}
