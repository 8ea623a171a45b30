import type { DeviceType } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { readName } from '#core/integration/read-name.ts';
import type { OfferedDevice } from '#integrations/integration.ts';
import type { NodeInfo } from '#integrations/esphome/node-info.ts';
import type { Message } from '#integrations/esphome/wire/protobuf.ts';
import type { EntityKind, Listed, Place, Source } from './entity.ts';
import type { Service } from './services.ts';
import { slugOf } from './slug.ts';

/** An entity of a device of the home. */
export type Entity = {
  readonly kind: EntityKind;
  readonly deviceId: number;
  readonly key: number;
  readonly sources: readonly Source[];
};

/** A device of the home: a node, or a part of one. */
export type ShownDevice = {
  readonly description: OfferedDevice;
  readonly entities: readonly Entity[];
  readonly services: readonly Service[];
};

const CATEGORIES = ['primary', 'config', 'diagnostic'] as const;

/** From the message that lists an entity. */
export function readListed(kind: EntityKind, message: Message): Listed {
  const key = message.number(2);
  const name = readName(message.text(3));
  return {
    kind,
    key,
    name,
    deviceId: message.number(kind.listed.device),
    slug: slugOf(name ?? message.text(1), `${kind.word}_${key.toString(16)}`),
    category: CATEGORIES[message.number(kind.listed.category)] ?? 'primary',
    message,
  };
}

/** The node first, then its parts. What belongs to a part that it does not name is the node's own. */
export function devicesFrom(
  info: NodeInfo,
  { listed, services }: { readonly listed: readonly Listed[]; readonly services: readonly Service[] },
  takesRooms: boolean,
): readonly ShownDevice[] {
  const known = new Set(info.parts.map(({ id }) => id));
  const owner = ({ deviceId }: Listed): number => (known.has(deviceId) ? deviceId : 0);
  const deviceOf = (id: number, own: { name: string; area: string | null }): ShownDevice => {
    const all = listed.filter((one) => owner(one) === id);
    const entities = placed(all);
    const ownServices = id === 0 ? withFreeKeys(services, entities) : [];
    return {
      entities,
      services: ownServices,
      description: {
        externalId: id === 0 ? info.mac : `${info.mac}-${id.toString(16)}`,
        name: own.name,
        type: typeOf(entities),
        manufacturer: info.manufacturer,
        model: info.model,
        firmware: info.firmware,
        features: [
          ...entities.flatMap(({ sources }) => sources.map(({ feature }) => feature)),
          ...ownServices.map(({ feature }) => feature),
        ],
        staleAfterMs: null,
        parentExternalId: id === 0 ? null : info.mac,
        ...(takesRooms && own.area !== null ? { suggestedRoom: own.area } : {}),
      },
    };
  };
  return [deviceOf(0, info), ...info.parts.map((part) => deviceOf(part.id, part))];
}

/**
 * What there is one of is the device's own (`on`); of several, each has its name (`pump.on`). Outputs come before
 * sensors, so a thermostat is the main one beside a sensor of temperature.
 */
function placed(all: readonly Listed[]): readonly Entity[] {
  const taken = new Set<string>();
  const made = new Map<Listed, readonly Source[]>();
  for (const rank of RANKS) {
    const ofRank = all.filter((one) => rankOf(one) === rank);
    const counts = new Map<string, number>();
    const mains = ofRank.map((one) => one.kind.make(one.message, placeOf(one, 'main')));
    for (const key of mains.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const [index, one] of ofRank.entries()) {
      const main = mains[index] ?? [];
      const isMain = keysOf(main).every((key) => counts.get(key) === 1 && !taken.has(key));
      const sources = isMain ? main : elsewhere(one, taken);
      for (const key of keysOf(sources)) taken.add(key);
      made.set(one, withNames(sources, one, isMain));
    }
  }
  // In the order of the node, which its owner has chosen.
  return all.flatMap((one) => {
    const sources = made.get(one);
    return sources === undefined ? [] : [{ kind: one.kind, deviceId: one.deviceId, key: one.key, sources }];
  });
}

const RANKS = ['output', 'sensor', 'other', 'setting'] as const;

function rankOf({ kind, category }: Listed): (typeof RANKS)[number] {
  return category === 'primary' ? kind.rank : 'setting';
}

function placeOf({ slug, category }: Listed, component: string): Place {
  return { component, slug, category };
}

/** Under its own name, or one that no other has. */
function elsewhere(one: Listed, taken: ReadonlySet<string>): readonly Source[] {
  const names = [one.slug, `${one.kind.word}_${one.slug}`.slice(0, 60), `${one.kind.word}_${one.key.toString(16)}`];
  for (const name of names) {
    const sources = one.kind.make(one.message, placeOf(one, name));
    if (keysOf(sources).every((key) => !taken.has(key))) return sources;
  }
  // The same key twice: a node may not list an entity again.
  return [];
}

function keysOf(sources: readonly Source[]): readonly string[] {
  return sources.map(({ feature }) => feature.key);
}

function withNames(sources: readonly Source[], { name }: Listed, isMain: boolean): readonly Source[] {
  if (name === null || (isMain && sources.length > 1)) return sources;
  return sources.map((source) => {
    const { feature } = source;
    return { ...source, feature: { ...feature, name: sources.length === 1 ? name : `${name}: ${feature.name}` } };
  });
}

/** An action under the name of something else is called by its key. */
function withFreeKeys(services: readonly Service[], entities: readonly Entity[]): readonly Service[] {
  const taken = new Set(entities.flatMap(({ sources }) => keysOf(sources)));
  return services.flatMap((service) => {
    const { feature } = service;
    const free = [feature, { ...feature, component: 'action', key: `action.${feature.key}` }].find(
      ({ key }) => !taken.has(key),
    );
    if (free === undefined) return [];
    taken.add(free.key);
    return [{ ...service, feature: free }];
  });
}

const TYPES: readonly (readonly [word: string, type: DeviceType])[] = [
  ['climate', 'thermostat'],
  ['water_heater', 'thermostat'],
  ['cover', 'window_covering'],
  ['lock', 'door_lock'],
  ['valve', 'water_valve'],
  ['fan', 'fan'],
  ['siren', 'siren'],
];
const CAPABILITY_TYPES: readonly (readonly [capability: string, type: DeviceType])[] = [
  ['open', 'contact_sensor'],
  ['motion', 'occupancy_sensor'],
  ['presence', 'occupancy_sensor'],
  ['water_leak', 'water_leak_detector'],
  ['smoke', 'smoke_co_alarm'],
  ['co2', 'air_quality_sensor'],
  ['pm25', 'air_quality_sensor'],
  ['power', 'electrical_sensor'],
  ['temperature', 'temperature_sensor'],
  ['humidity', 'humidity_sensor'],
  ['illuminance', 'light_sensor'],
  ['button', 'generic_switch'],
];

/** By what it does, else by what it sees. */
function typeOf(entities: readonly Entity[]): DeviceType {
  const primary = entities.filter(({ sources }) => sources.some(({ feature }) => feature.category === 'primary'));
  const light = primary.find(({ kind }) => kind.word === 'light');
  const has = ({ sources }: Entity, capability: string): boolean =>
    sources.some(({ feature }: { feature: Feature }) => feature.capability === capability);
  if (light !== undefined) {
    if (has(light, 'color')) return 'extended_color_light';
    if (has(light, 'color_temperature')) return 'color_temperature_light';
    return has(light, 'brightness') ? 'dimmable_light' : 'on_off_light';
  }
  const words = new Set(primary.map(({ kind }) => kind.word));
  const output = TYPES.find(([word]) => words.has(word));
  if (output !== undefined) return output[1];
  if (words.has('switch')) return 'on_off_plug_in_unit';
  return CAPABILITY_TYPES.find(([capability]) => primary.some((one) => has(one, capability)))?.[1] ?? 'other';
}
