import { HubError } from '#base/hub-error.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { isReportableOccurrence } from '#core/feature/feature-value.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { type OnRefused, readFeature } from '#core/feature/peer-value.ts';
import { refuseUnfit } from '#integrations/peer/source.ts';
import { type Attributes, MAX_ATTRIBUTES } from '#integrations/matter/mapping/endpoint-part.ts';
import { devicesFromNode, type MatterDevice } from '#integrations/matter/mapping/node-devices.ts';
import type { Look, Place, Source, Wish } from '#integrations/matter/mapping/source.ts';
import type { MatterAsk, MatterChange, MatterEndpoint, MatterNode, MatterOccurrence } from './matter-node.ts';

export type LiveNode = ReturnType<typeof openNode>;

/** By the keys of features, in the units of the hub. */
type Values = ReadonlyMap<string, JsonValue>;

type Taken = {
  readonly values: ReadonlyMap<MatterDevice, Values>;
  readonly reachable: ReadonlyMap<MatterDevice, boolean>;
  /** What the node is may have changed: make it anew of all that it says. */
  readonly isReshaped: boolean;
};

export type RefusedOf = (device: MatterDevice) => OnRefused;

type Happened = { readonly device: MatterDevice; readonly key: string; readonly occurrence: Occurrence };

/** With the keys of the features that it is for. */
export type PlannedAsk = { readonly ask: MatterAsk; readonly keys: readonly string[] };

type Found = { readonly device: MatterDevice; readonly source: Source };

const REACHABLE: Place = 'bridgedDeviceBasicInformation.reachable';

export function openNode(node: MatterNode) {
  const { devices, attributes, shaping, leftOut } = devicesFromNode(node);
  const readers = new Map<string, Found[]>();
  const listeners = new Map<string, Found[]>();
  const bridged = new Map(devices.map((device) => [device.root, device]));
  for (const device of devices) {
    for (const source of device.sources) {
      for (const place of source.from) note(readers, `${source.endpoint}/${place}`, { device, source });
      for (const place of source.happens?.keys() ?? [])
        note(listeners, `${source.endpoint}/${place}`, { device, source });
    }
  }
  const lookIn = (endpoint: number): Look => {
    const own = attributes.get(endpoint);
    return (place) => own?.get(place);
  };
  return {
    devices,
    leftOut,
    /** All that is known of a device. */
    values: ({ sources }: MatterDevice, onRefused?: OnRefused): Values => valuesOf(sources, lookIn, onRefused),
    /** `false` where its bridge says that it cannot be reached, `undefined` where nobody says. */
    isReachable: ({ root }: MatterDevice): boolean | undefined => {
      const value = attributes.get(root)?.get(REACHABLE);
      return typeof value === 'boolean' ? value : undefined;
    },
    take: (changes: readonly MatterChange[], onRefused?: RefusedOf): Taken => {
      const touched = new Map<MatterDevice, Set<Source>>();
      const reachable = new Map<MatterDevice, boolean>();
      let isReshaped = false;
      for (const change of changes) {
        const place: Place = `${change.cluster}.${change.attribute}`;
        const key = `${change.endpoint}/${place}`;
        isReshaped =
          takeChange(attributes.get(change.endpoint), { place, value: change.value, shapes: shaping.has(key) }) ||
          isReshaped;
        for (const { device, source } of readers.get(key) ?? []) {
          const sources = touched.get(device) ?? new Set();
          touched.set(device, sources.add(source));
        }
        const device = place === REACHABLE ? bridged.get(change.endpoint) : undefined;
        if (device !== undefined && typeof change.value === 'boolean') reachable.set(device, change.value);
      }
      const values = new Map(
        [...touched].map(([device, sources]) => [device, valuesOf(sources, lookIn, onRefused?.(device))] as const),
      );
      return { values, reachable, isReshaped };
    },
    /** With all that it says by now. */
    present: (): MatterNode => presentOf(node, attributes),
    happened: ({ endpoint, cluster, event, data }: MatterOccurrence): readonly Happened[] => {
      const place: Place = `${cluster}.${event}`;
      return (listeners.get(`${endpoint}/${place}`) ?? []).flatMap(({ device, source }) => {
        const occurrence = source.happens?.get(place)?.(data, lookIn(endpoint));
        if (occurrence === undefined || !isReportableOccurrence(occurrence)) return [];
        return [{ device, key: source.feature.key, occurrence }];
      });
    },
    /** What a command asks of the node. Throws HubError if it does not fit. */
    plan: (device: MatterDevice, command: Omit<DeviceCommand, 'externalId'>): readonly PlannedAsk[] =>
      planned(device, command, lookIn),
  };
}

function presentOf(node: MatterNode, attributes: ReadonlyMap<number, Attributes>): MatterNode {
  const endpoints = node.endpoints.map((endpoint): MatterEndpoint => {
    const own = attributes.get(endpoint.number);
    if (own === undefined) return endpoint;
    const state: Record<string, Record<string, JsonValue>> = {};
    for (const [cluster, values] of Object.entries(endpoint.state)) state[cluster] = { ...values };
    for (const [place, value] of own) {
      const at = place.indexOf('.');
      (state[place.slice(0, at)] ??= {})[place.slice(at + 1)] = value;
    }
    return { ...endpoint, state };
  });
  return { ...node, endpoints };
}

function note(places: Map<string, Found[]>, key: string, found: Found): void {
  const list = places.get(key);
  if (list === undefined) places.set(key, [found]);
  else list.push(found);
}

type NewValue = { readonly place: Place; readonly value: JsonValue; readonly shapes: boolean };

/** True if the change makes something else of the node: a new part, a new limit. */
function takeChange(own: Attributes | undefined, { place, value, shapes }: NewValue): boolean {
  // What the node is not known to have comes with the whole node, as soon as its list of parts has it.
  if (own === undefined) return false;
  const isNew = !own.has(place);
  // There is no end to what a broken device may add.
  if (isNew && own.size >= MAX_ATTRIBUTES) return false;
  const isOther = isNew || (shapes && !isSameJson(own.get(place) ?? null, value));
  own.set(place, value);
  return isOther;
}

function valuesOf(sources: Iterable<Source>, lookIn: (endpoint: number) => Look, onRefused?: OnRefused): Values {
  const values = new Map<string, JsonValue>();
  for (const { feature, endpoint, from, read } of sources) {
    const look = lookIn(endpoint);
    if (read === undefined) continue;
    // The standard's word for what the device does not know.
    const isUnknown = from.some((place) => look(place) === null);
    const readKnown = (): JsonValue | undefined => {
      const said = read(look);
      return said === undefined && isUnknown ? null : said;
    };
    const value = readFeature(feature, readKnown, onRefused);
    if (value !== undefined) values.set(feature.key, value);
  }
  return values;
}

const MOST_TENTHS = 65_534;

function planned(
  { description, sources }: MatterDevice,
  { set, action, transitionMs }: Omit<DeviceCommand, 'externalId'>,
  lookIn: (endpoint: number) => Look,
): readonly PlannedAsk[] {
  refuseUnfit(description.features, { set, action });
  const values = new Map<string, JsonValue>(action === null ? set : [[action, null]]);
  const transition = Math.min(MOST_TENTHS, Math.round((transitionMs ?? 0) / 100));
  // What another ask says too, such as the switch of a lamp that gets a brightness.
  const silent: string[] = [];
  const asks = sources.flatMap(({ feature, endpoint, write }): readonly PlannedAsk[] => {
    const value = values.get(feature.key);
    if (value === undefined || write === undefined) return [];
    const prefix = feature.component === 'main' ? '' : `${feature.component}.`;
    const wish: Wish = {
      also: (capability) => values.get(`${prefix}${capability}`),
      look: lookIn(endpoint),
      transition,
    };
    const own = write(value, wish);
    if (own.length === 0) silent.push(feature.key);
    return own.map((ask) => ({ ask, keys: [feature.key] }));
  });
  if (asks.length === 0) throw new HubError('COMMAND_FAILED', 'The device has nothing to do for this command.');
  return asks.map(({ ask, keys }) => ({ ask, keys: [...keys, ...silent] }));
}
