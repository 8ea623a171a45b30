import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '#base/json.ts';
import { type Device, type DeviceId, deviceName, isReachable } from '#core/device/device.ts';
import { type Component, slugOf } from './component.ts';
import type { Places } from './places.ts';
import { plainFrom, statedValue } from './plain.ts';
import type { Feature } from '#core/feature/feature.ts';
import { type Part, partsOf } from '#integrations/offering/part.ts';
import { climateFrom } from './climate.ts';
import { lightFrom } from './light.ts';
import { coverFrom, fanFrom, lockFrom, valveFrom } from './movers.ts';

/** A device as it is offered: what is read from it, and what it takes. */
export type OfferedHere = {
  readonly id: string;
  readonly device: DeviceId;
  readonly components: readonly Component[];
};

export type MessagesDeps = {
  readonly places: Places;
  readonly prefix: string;
  readonly version: string;
  readonly roomNameOf: (device: Device) => string | null;
  /** The id of the device that it is a part of, if that is offered too. */
  readonly parentIdOf: (device: Device) => string | null;
};

export function offeredFrom(device: Device, { places }: Pick<MessagesDeps, 'places'>): OfferedHere {
  return { id: places.idOf(device.id), device: device.id, components: componentsOf(device) };
}

/** Unique among the components of a device. */
export function componentKey({ platform, slug }: Component): string {
  return `${platform}_${slug}`;
}

/** Everything that the broker keeps of the device, by topic. The state comes first, so that no entity begins unknown. */
export function messagesOf(
  { id, components }: OfferedHere,
  device: Device,
  deps: MessagesDeps,
): ReadonlyMap<string, string> {
  const { places, prefix } = deps;
  const messages = new Map<string, string>();
  messages.set(places.stateTopic(id, 'availability'), isReachable(device.availability) ? 'online' : 'offline');
  messages.set(places.stateTopic(id, 'state'), JSON.stringify(stateOf(device)));
  for (const component of components) {
    if (component.ownState === undefined) continue;
    messages.set(places.stateTopic(id, componentKey(component)), JSON.stringify(component.ownState(device)));
  }
  messages.set(places.configTopic(prefix, id), JSON.stringify(configOf({ id, components }, device, deps)));
  return messages;
}

/** Only states: a press is over. */
function stateOf({ features, states }: Device): JsonObject {
  const entries = features
    .filter(({ kind, valueType }) => kind === 'state' && SHOWN_TYPES.has(valueType))
    .map((feature): readonly [string, JsonValue] => {
      const value = states.get(feature.key)?.value ?? null;
      return [slugOf(feature.key), value === null ? null : statedValue(feature, value)];
    });
  return Object.fromEntries(entries);
}

const SHOWN_TYPES: ReadonlySet<string> = new Set(['boolean', 'number', 'enum', 'string', 'timestamp']);

function configOf({ id, components }: Omit<OfferedHere, 'device'>, device: Device, deps: MessagesDeps): JsonObject {
  const { places, version } = deps;
  const { manufacturer, model, firmware } = device;
  const room = deps.roomNameOf(device);
  const parent = deps.parentIdOf(device);
  return {
    device: {
      identifiers: [id],
      name: deviceName(device),
      ...(manufacturer === null ? {} : { manufacturer }),
      ...(model === null ? {} : { model }),
      ...(firmware === null ? {} : { sw_version: firmware }),
      ...(room === null ? {} : { suggested_area: room }),
      ...(parent === null ? {} : { via_device: parent }),
    },
    origin: { name: ORIGIN, sw_version: version },
    availability: [{ topic: places.statusTopic }, { topic: places.stateTopic(id, 'availability') }],
    availability_mode: 'all',
    components: Object.fromEntries(
      components.map((component) => [componentKey(component), componentConfig(component, id, places)]),
    ),
  };
}

/**
 * The discovery message with the components that the one before had and this one has no more: only so are they removed.
 * `undefined` if none has gone.
 */
export function farewellOf(config: string, before: ReadonlyMap<string, string>): string | undefined {
  const whole = parseJson(config) ?? null;
  const present = isJsonObject(whole) && isJsonObject(whole['components'] ?? null) ? whole['components'] : undefined;
  if (!isJsonObject(whole) || !isJsonObject(present)) return undefined;
  const gone = [...before].filter(([key]) => !Object.hasOwn(present, key));
  if (gone.length === 0) return undefined;
  const removed = gone.map(([key, platform]) => [key, { platform }] as const);
  return JSON.stringify({ ...whole, components: { ...present, ...Object.fromEntries(removed) } });
}

/** Reads a discovery message of this hub: its components with their platforms, and the topics that are kept. */
export function readOwnConfig(text: string): {
  readonly platforms: ReadonlyMap<string, string>;
  readonly topics: readonly string[];
} {
  const whole = parseJson(text) ?? null;
  const components = isJsonObject(whole) ? (whole['components'] ?? null) : null;
  const all = isJsonObject(components) ? Object.entries(components) : [];
  const platforms = new Map<string, string>();
  const topics = new Set<string>();
  for (const [key, component] of all) {
    if (!isJsonObject(component)) continue;
    const { platform, state_topic: topic } = component;
    if (typeof platform === 'string') platforms.set(key, platform);
    if (typeof topic === 'string') topics.add(topic);
  }
  return { platforms, topics: [...topics] };
}

const ORIGIN = 'hearthd';

function componentConfig(component: Component, id: string, places: Places): JsonObject {
  const { platform, slug, config, stateTopics, commands, ownState, eventKey } = component;
  const key = componentKey(component);
  const own = places.stateTopic(id, key);
  return {
    platform,
    unique_id: `${id}_${slug}`,
    ...config,
    ...Object.fromEntries(stateTopics.map((setting) => [setting, places.stateTopic(id, 'state')])),
    ...(ownState === undefined && eventKey === undefined ? {} : { state_topic: own }),
    ...Object.fromEntries(
      [...commands.keys()].map((setting) => [setting, places.commandTopic(id, key, setting.replace(/_topic$/, ''))]),
    ),
  };
}

/** In this order: a fan that lights up is a light with a speed of its own. */
const LARGER = [lightFrom, fanFrom, climateFrom, coverFrom, lockFrom, valveFrom];
/** A message of more would be refused by those who read it, and no person would find anything in it. */
const MAX_COMPONENTS = 200;

/** The device as components of Home Assistant. Each feature is in one of them, or in none if none can show it. */
function componentsOf(device: Device): readonly Component[] {
  const components = partsOf(device).flatMap(({ features }) => {
    const used = new Set<Feature>();
    const larger = LARGER.flatMap((make) => {
      const part: Part = { device, features: features.filter((feature) => !used.has(feature)) };
      const made = make(part);
      for (const feature of made?.used ?? []) used.add(feature);
      return made === undefined ? [] : [made.component];
    });
    const plain = features
      .filter((feature) => !used.has(feature))
      .flatMap((feature) => plainFrom(feature, device) ?? []);
    return [...larger, ...plain];
  });
  return components.slice(0, MAX_COMPONENTS);
}
