import { createWorkSlices, type WorkSlices } from '#base/work-slices.ts';
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

/** In the order of the API (`api.proto` of aioesphomeapi 45.13). */
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

type DevicesFromDeps = {
  readonly takesRooms: boolean;
  readonly monotonicMs: () => number;
  /** The features that the hub has of a device, whose keys stay what they are. */
  readonly knownFeatures: (externalId: string) => readonly Feature[];
};

/**
 * The node first, then its parts. What belongs to a part that it does not name is the node's own. A long list is read
 * in slices.
 */
export async function devicesFrom(
  info: NodeInfo,
  { listed, services }: { readonly listed: readonly Listed[]; readonly services: readonly Service[] },
  { takesRooms, monotonicMs, knownFeatures }: DevicesFromDeps,
): Promise<readonly ShownDevice[]> {
  const slices = createWorkSlices(monotonicMs);
  const byOwner = listedByOwner(info, listed);
  const deviceOf = async (id: number, own: { name: string; area: string | null }): Promise<ShownDevice> => {
    const externalId = id === 0 ? info.mac : `${info.mac}-${id.toString(16)}`;
    const known = componentsBySource(knownFeatures(externalId));
    const entities = await placed(byOwner.get(id) ?? [], known, slices);
    const ownServices = id === 0 ? withFreeKeys(services, entities, known) : [];
    return {
      entities,
      services: ownServices,
      description: {
        externalId,
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
  const devices = [await deviceOf(0, info)];
  for (const part of info.parts) devices.push(await deviceOf(part.id, part));
  return devices;
}

/** Each entity once, under the part that has it. */
function listedByOwner({ parts }: NodeInfo, listed: readonly Listed[]): ReadonlyMap<number, readonly Listed[]> {
  const known = new Set(parts.map(({ id }) => id));
  const seen = new Set<string>();
  const byOwner = new Map<number, Listed[]>();
  for (const one of listed) {
    const owner = known.has(one.deviceId) ? one.deviceId : 0;
    const id = `${one.deviceId}/${sourceOf(one.kind.word, one.key)}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const own = byOwner.get(owner);
    if (own === undefined) byOwner.set(owner, [one]);
    else own.push(one);
  }
  return byOwner;
}

/** The node makes the key of an entity out of its name in the configuration, so it lasts as long as that. */
function sourceOf(word: string, key: number): string {
  return `${word}_${key.toString(16).padStart(8, '0')}`;
}

function componentsBySource(features: readonly Feature[]): ReadonlyMap<string, string> {
  return new Map(features.flatMap(({ source, component }) => (source === undefined ? [] : [[source, component]])));
}

/**
 * Gives each entity its place. The only one of its sort belongs to the device itself (`on`); of several, each has its
 * name (`pump.on`). Outputs come before sensors, so a thermostat is the main one beside a sensor of temperature. An
 * entity that the hub knows already keeps its place, whatever else the node has got since.
 */
async function placed(
  all: readonly Listed[],
  components: ReadonlyMap<string, string>,
  slices: WorkSlices,
): Promise<readonly Entity[]> {
  const taken = new Set<string>();
  const made = new Map<Listed, readonly Source[]>();
  const take = (one: Listed, sources: readonly Source[], isMain: boolean): void => {
    for (const key of keysOf(sources)) taken.add(key);
    made.set(one, described(sources, one, isMain));
  };
  for (const one of all) {
    const component = components.get(sourceOf(one.kind.word, one.key));
    if (component === undefined) continue;
    const sources = one.kind.make(one.message, placeOf(one, component));
    if (keysOf(sources).every((key) => !taken.has(key))) take(one, sources, component === 'main');
    await slices.pause();
  }
  for (const rank of RANKS) {
    const ofRank = all.filter((one) => rankOf(one) === rank);
    const counts = new Map<string, number>();
    const mains = new Map<Listed, readonly Source[]>();
    for (const one of ofRank) {
      const main = one.kind.make(one.message, placeOf(one, 'main'));
      mains.set(one, main);
      for (const key of keysOf(main)) counts.set(key, (counts.get(key) ?? 0) + 1);
      await slices.pause();
    }
    for (const [one, main] of mains) {
      if (made.has(one)) continue;
      const isMain = keysOf(main).every((key) => counts.get(key) === 1 && !taken.has(key));
      take(one, isMain ? main : elsewhere(one, taken), isMain);
      await slices.pause();
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

/** With the names that people read, and with what they come from. */
function described(sources: readonly Source[], { name, kind, key }: Listed, isMain: boolean): readonly Source[] {
  const hasOwnNames = name === null || (isMain && sources.length > 1);
  return sources.map((one) => {
    const { feature } = one;
    const shown = sources.length === 1 ? name : `${name}: ${feature.name}`;
    const named = hasOwnNames || shown === null ? feature : { ...feature, name: shown };
    return { ...one, feature: { ...named, source: sourceOf(kind.word, key) } };
  });
}

/** An action under the name of something else is called by its key. */
function withFreeKeys(
  services: readonly Service[],
  entities: readonly Entity[],
  components: ReadonlyMap<string, string>,
): readonly Service[] {
  const taken = new Set(entities.flatMap(({ sources }) => keysOf(sources)));
  return services.flatMap((service) => {
    const { feature } = service;
    const source = sourceOf('action', service.key);
    const elsewhereToo = { ...feature, component: 'action', key: `action.${feature.key}` };
    const places = components.get(source) === 'action' ? [elsewhereToo, feature] : [feature, elsewhereToo];
    const free = places.find(({ key }) => !taken.has(key));
    if (free === undefined) return [];
    taken.add(free.key);
    return [{ ...service, feature: { ...free, source } }];
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
