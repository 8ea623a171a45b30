import type { DeviceDescription, DeviceType } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { delayName } from './delays.ts';
import type { DeviceParts } from './announced-devices.ts';
import type { AnnouncedEntity } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { entityFrom, uniqueIdOf } from '#integrations/home-assistant-discovery/entity/entity-makers.ts';
import {
  slugOf,
  type Entity,
  type EntityDeps,
  type Part,
  type Report,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import { attributesPart } from '#integrations/home-assistant-discovery/entity/attributes.ts';
import { type Message, readingOf, type Incoming } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import type { DeviceTemplates } from '#integrations/home-assistant-discovery/rendering/device-templates.ts';
import type { Templates, Surroundings } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import type { Encoding } from '#integrations/home-assistant-discovery/message/encoding.ts';
import { dictsIn, textIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';

/** A device that is announced, with its entities as they listen and send. */
export type LiveDevice = {
  readonly description: DeviceDescription & { readonly suggestedRoom?: string };
  readonly topics: ReadonlySet<string>;
  /** What reads a message of the topic that the device asked for, one for each entity, so that each can have its turn. */
  readonly readersOf: (filter: string) => readonly ((message: Message) => Said | undefined)[];
  /** Whether any of its entities can be reached; `null` while nobody has said so. */
  readonly isAvailable: () => boolean | null;
  readonly byKey: ReadonlyMap<string, Entity>;
  /** The keys of features with templates that are not understood: what was known of them may be old. */
  readonly strange: readonly string[];
  /** Readers, and what makes the payloads of commands, run in it. */
  readonly templates: Templates;
  /** Names of what its features may wait for. */
  readonly delays: ReadonlySet<string>;
};

export type Said = readonly [key: string, report: Report];

type Reader = { readonly part: Part; readonly availability: EntityAvailability; readonly encoding: Encoding };

export type LiveDeviceDeps = Omit<EntityDeps, 'owner'> & Pick<DeviceTemplates, 'strangenessOf'>;

/** `known`: the features that the hub has of the device, whose keys stay what they are. */
export function liveDeviceFrom(
  { externalId, about, entities }: DeviceParts,
  { strangenessOf, ...general }: LiveDeviceDeps,
  oldFeatures: readonly Feature[] = [],
): LiveDevice {
  const strange: string[] = [];
  const readers: Reader[] = [];
  const made: Entity[] = [];
  const features = new Map<string, Feature>();
  const suffixFor = createSuffixes(features);
  const isTaken = ({ feature }: Part): boolean => {
    const other = features.get(feature.key);
    return other !== undefined && !areOneButton(other, feature);
  };
  for (const { announced, before } of inOrder(entities, oldFeatures)) {
    const deps: EntityDeps = { ...general, owner: announced };
    const reason = strangenessOf(announced);
    let entity = keptPlace(entityFrom(announced, deps, ''), before, (suffix) => entityFrom(announced, deps, suffix));
    const taken = entity.parts.find(isTaken);
    if (taken !== undefined) entity = entityFrom(announced, deps, suffixFor(announced.object, taken.feature.key));
    made.push(entity);
    const availability = availabilityFor(announced.config, deps);
    const { encoding } = entity;
    const add = (part: Part): void => {
      if (isTaken(part)) return;
      const feature = reason === undefined ? part.feature : notUnderstood(part.feature, reason);
      if (reason !== undefined) strange.push(feature.key);
      const other = features.get(feature.key);
      features.set(feature.key, other === undefined ? feature : withActionsOf(other, feature));
      readers.push({ part, availability, encoding });
    };
    entity.parts.forEach(add);
    const attributes = attributesPart(announced, entity, { deps, isTaken: (key) => features.has(key) });
    if (attributes !== undefined) add(attributes);
  }
  const byKey = new Map(
    made.flatMap((entity) =>
      entity.parts.flatMap(({ feature, publish }) =>
        publish !== undefined || (feature.writable && entity.publishTogether !== undefined)
          ? [[feature.key, entity] as const]
          : [],
      ),
    ),
  );
  return {
    description: descriptionOf({ externalId, about }, [...features.values()]),
    topics: new Set(readers.flatMap(({ part, availability }) => [...part.listens.keys(), ...availability.topics])),
    readersOf: (filter) =>
      readers.flatMap(({ part, availability, encoding }) => {
        const take = part.listens.get(filter);
        const hears = availability.topics.includes(filter);
        if (take === undefined && !hears) return [];
        return (message: Message): Said | undefined => {
          const own = message.in(encoding);
          if (own === undefined) return undefined;
          if (hears) availability.onMessage(filter, own);
          return take === undefined ? undefined : [part.feature.key, take(own)];
        };
      }),
    isAvailable: () => {
      const said = new Set(readers.map(({ availability }) => availability.isAvailable()));
      return said.has(true) ? true : said.has(false) ? false : null;
    },
    byKey,
    strange,
    templates: general.templates,
    delays: new Set(
      made.flatMap(({ parts: [first], delays }) => delays.map((what) => delayName(what, first?.feature.key ?? ''))),
    ),
  };
}

function descriptionOf(
  { externalId, about }: Pick<DeviceParts, 'externalId' | 'about'>,
  features: readonly Feature[],
): LiveDevice['description'] {
  return {
    externalId,
    name: about?.name ?? externalId,
    type: typeOf(features),
    manufacturer: about?.manufacturer ?? null,
    model: about?.model ?? null,
    firmware: about?.firmware ?? null,
    features,
    // Each entity has a time of its own.
    staleAfterMs: null,
    ...(about?.viaDevice === null || about === null ? {} : { parentExternalId: about.viaDevice }),
    ...(about?.suggestedArea === null || about === null ? {} : { suggestedRoom: about.suggestedArea }),
  };
}

function notUnderstood(feature: Feature, reason: string): Feature {
  return { ...feature, description: `Not understood: ${reason}`.slice(0, 300) };
}

/** A publisher that never stops to rename its entities is not remembered for ever. */
const MOST_REMEMBERED = 1_000;

/** Joins the features of now, which come first, with those that were known before. */
export function rememberedWith(oldFeatures: readonly Feature[], features: readonly Feature[]): readonly Feature[] {
  const keys = new Set(features.map(({ key }) => key));
  return [...features, ...oldFeatures.filter(({ key }) => !keys.has(key))].slice(0, MOST_REMEMBERED);
}

/** With the features that the hub has of it. */
type Placed = { readonly announced: AnnouncedEntity; readonly before: readonly Feature[] };

/** Entities that the hub knows come first, so that a newcomer takes no key of theirs. */
function inOrder(entities: readonly AnnouncedEntity[], known: readonly Feature[]): readonly Placed[] {
  const bySource = new Map<string, readonly Feature[]>();
  for (const feature of known) {
    const { source = '' } = feature;
    bySource.set(source, [...(bySource.get(source) ?? []), feature]);
  }
  const placed = entities.map((announced) => ({ announced, before: bySource.get(uniqueIdOf(announced)) ?? [] }));
  return [...placed.filter(({ before }) => before.length > 0), ...placed.filter(({ before }) => before.length === 0)];
}

/** The entity with the keys that the hub knows of it, if these came from a suffix that it would not have now. */
function keptPlace(entity: Entity, before: readonly Feature[], make: (suffix: string) => Entity): Entity {
  const keyOf = ({ parts }: Entity): string => parts[0]?.feature.key ?? '';
  const isKnown = (one: Entity): boolean => before.some(({ key }) => key === keyOf(one));
  const usual = entity.parts[0]?.feature.component ?? 'main';
  for (const { component } of isKnown(entity) ? [] : before) {
    const suffix =
      usual === 'main' ? component : component.startsWith(`${usual}_`) ? component.slice(usual.length + 1) : '';
    if (suffix === '' || suffix === 'main') continue;
    const candidate = make(suffix);
    if (isKnown(candidate)) return candidate;
  }
  return entity;
}

/** Several triggers of one button report through one feature. */
function areOneButton(left: Feature, right: Feature): boolean {
  return left.kind === 'event' && right.kind === 'event';
}

function withActionsOf(feature: Feature, other: Feature): Feature {
  return { ...feature, options: [...new Set([...(feature.options ?? []), ...(other.options ?? [])])] };
}

/** From the name of the object, which is the same after each restart. Nothing may leave `taken`. */
function createSuffixes(taken: ReadonlyMap<string, Feature>): (object: string, key: string) => string {
  /** Thousands may have one name: each goes on where the one before found its place. */
  const counts = new Map<string, number>();
  return (object, key) => {
    const base = slugOf(object) || 'other';
    let count = counts.get(`${base}.${key}`) ?? 1;
    const suffix = (): string => (count === 1 ? base : `${base}_${count}`);
    while (taken.has(`${suffix()}.${key}`)) count += 1;
    counts.set(`${base}.${key}`, count);
    return suffix();
  };
}

function availabilityFor(config: Parameters<typeof availabilityOf>[0], deps: EntityDeps): EntityAvailability {
  try {
    return availabilityOf(config, deps);
  } catch (cause) {
    if (!(cause instanceof TemplateFault)) throw cause;
    // Nobody can say whether it is there.
    return { topics: [], onMessage: () => undefined, isAvailable: () => null };
  }
}

const TYPES: readonly (readonly [capability: string, type: DeviceType])[] = [
  ['locked', 'door_lock'],
  ['valve_open', 'water_valve'],
  ['siren', 'siren'],
  ['cover_state', 'window_covering'],
  ['position', 'window_covering'],
  ['thermostat_mode', 'thermostat'],
  ['target_temperature', 'thermostat'],
  ['fan_speed', 'fan'],
  ['color', 'extended_color_light'],
  ['color_temperature', 'color_temperature_light'],
  ['brightness', 'dimmable_light'],
  ['on', 'on_off_plug_in_unit'],
  ['smoke', 'smoke_co_alarm'],
  ['co_alarm', 'smoke_co_alarm'],
  ['water_leak', 'water_leak_detector'],
  ['open', 'contact_sensor'],
  ['motion', 'occupancy_sensor'],
  ['presence', 'occupancy_sensor'],
  ['temperature', 'temperature_sensor'],
  ['humidity', 'humidity_sensor'],
  ['illuminance', 'light_sensor'],
  ['power', 'electrical_sensor'],
  ['energy', 'electrical_sensor'],
  ['button', 'generic_switch'],
];

function typeOf(features: readonly Feature[]): DeviceType {
  return TYPES.find(([capability]) => features.some((feature) => feature.capability === capability))?.[1] ?? 'other';
}

/** Whether an entity can be reached, by the topics that say so. */
type EntityAvailability = ReturnType<typeof availabilityOf>;

const MOST_TOPICS = 20;

/** Throws TemplateFault for a template that cannot be read. */
function availabilityOf(config: Config, around: Surroundings) {
  const sources = sourcesIn(config).slice(0, MOST_TOPICS);
  const mode = textIn(config, 'availability_mode') ?? 'latest';
  const said = new Map<string, boolean>();
  let latest: boolean | null = null;
  const readers = sources.map((source) => ({
    topic: source.topic,
    read: readingOf(source.config, source.template, around),
    online: textIn(source.config, 'payload_available') ?? 'online',
    offline: textIn(source.config, 'payload_not_available') ?? 'offline',
  }));
  return {
    topics: [...new Set(sources.map(({ topic }) => topic))],
    onMessage: (topic: string, message: Incoming): void => {
      // A topic that is named twice counts as it is named last, as in Home Assistant.
      const reader = readers.findLast((one) => one.topic === topic);
      const text = reader?.read(message);
      if (reader === undefined || (text !== reader.online && text !== reader.offline)) return;
      latest = text === reader.online;
      said.set(topic, latest);
    },
    /** `null` until the topics have said enough. */
    isAvailable: (): boolean | null => {
      if (readers.length === 0) return true;
      const heard = [...said.values()];
      if (mode === 'any') return heard.includes(true) ? true : heard.length === 0 ? null : false;
      if (mode !== 'all') return latest;
      if (heard.includes(false)) return false;
      return readers.every(({ topic }) => said.has(topic)) ? true : null;
    },
  };
}

type Source = { readonly topic: string; readonly config: Config; readonly template: string };

function sourcesIn(config: Config): readonly Source[] {
  const single = textIn(config, 'availability_topic');
  const own =
    single === undefined || single === '' ? [] : [{ topic: single, config, template: 'availability_template' }];
  const listed = dictsIn(config, 'availability').flatMap((one) => {
    const topic = textIn(one, 'topic');
    return topic === undefined || topic === '' ? [] : [{ topic, config: one, template: 'value_template' }];
  });
  return [...own, ...listed];
}
