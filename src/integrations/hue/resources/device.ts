import type { DeviceType } from '#core/device/device.ts';
import { numberIn } from '#core/feature/peer-value.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import type { OfferedDevice } from '#integrations/integration.ts';
import { readName } from '#core/integration/read-name.ts';
import { readRefs, type Resource } from '#integrations/hue/clip/clip-message.ts';
import { genericSources } from './generic.ts';
import { lightSources } from './light.ts';
import { sensorSources } from './sensor.ts';
import { memberOf, type Source } from './source.ts';

/** A source with the resource that commands to it go to. */
type BoundSource = Source & { readonly resourceId: string; readonly resourceType: string };

export type KnownDevice = {
  readonly description: OfferedDevice;
  readonly byKey: ReadonlyMap<string, BoundSource>;
  readonly lightIds: readonly string[];
};

/** One resource of a device, and what the hub reads from it. */
export type Service = { readonly externalId: string; readonly sources: readonly BoundSource[] };

/** The limit for one device. The largest real one has about a dozen. */
const MAX_SERVICES = 100;

/** A device with its services, each by `keyOf`. */
export function deviceFromResources(device: Resource, resources: ReadonlyMap<string, Resource>) {
  const refs = readRefs(device['services']).slice(0, MAX_SERVICES);
  const services = refs.flatMap(({ rtype, rid }) => resources.get(keyOf({ type: rtype, id: rid })) ?? []);
  const parts = [...new Set(services), device];
  const components = componentsOf(parts);
  const byKey = new Map<string, BoundSource>();
  const byService = new Map<string, Service>();
  for (const part of parts) {
    const sources = sourcesOf(part, components.get(part) ?? 'main').flatMap((source): BoundSource[] => {
      const bound = { ...withFreeKey(source, byKey), resourceId: part.id, resourceType: part.type };
      byKey.set(bound.feature.key, bound);
      return [bound];
    });
    byService.set(keyOf(part), { externalId: device.id, sources });
  }
  const known: KnownDevice = {
    description: descriptionOf(device, services, [...byKey.values()]),
    byKey,
    lightIds: services.filter(({ type }) => type === 'light').map(({ id }) => id),
  };
  return { known, byService };
}

/** Two resources of different types may have one id. */
export function keyOf({ type, id }: Pick<Resource, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

/** A device with one lamp has it on `main`; of several of one type, each has a component of its own. */
function componentsOf(parts: readonly Resource[]): ReadonlyMap<Resource, string> {
  const byType = new Map<string, Resource[]>();
  for (const part of parts) byType.set(part.type, [...(byType.get(part.type) ?? []), part]);
  const components = new Map<Resource, string>();
  for (const [type, same] of byType) {
    if (type === 'relative_rotary') for (const part of same) components.set(part, 'dial');
    if (same.length < 2) continue;
    const numbers = same.map(numberOf);
    const areNumbered = new Set(numbers).size === same.length && !numbers.includes(undefined);
    for (const [index, part] of same.entries())
      components.set(part, `${type}_${areNumbered ? numbers[index] : index + 1}`);
  }
  return components;
}

/** The number that the bridge gives to one of several services, which stays when another is added. */
function numberOf(service: Resource): number | undefined {
  const number = numberIn(memberOf(service, 'metadata')?.['control_id'] ?? service['service_id']);
  return number !== undefined && Number.isInteger(number) && number >= 0 && number < 1000 ? number : undefined;
}

function sourcesOf(part: Resource, component: string): readonly Source[] {
  if (part.type === 'device') {
    const identify: Source = {
      feature: wordFeature('identify', component, { writable: true, category: 'config' }),
      member: 'identify',
      write: () => ({ body: { identify: { action: 'identify' } }, echo: null }),
    };
    return [...('identify' in part ? [identify] : []), ...genericSources(part, component, ['identify'])];
  }
  // The device's availability comes from it.
  const used = part.type === 'zigbee_connectivity' ? ['status'] : [];
  const own = part.type === 'light' ? lightSources(part, component) : sensorSources(part, component);
  return [...(own?.sources ?? []), ...genericSources(part, component, [...used, ...(own?.used ?? [])])];
}

/** The source, under another key where a resource of another type has the same one. */
function withFreeKey(source: Source, taken: ReadonlyMap<string, unknown>): Source {
  const { key } = source.feature;
  for (let number = 2; ; number += 1) {
    const free = number === 2 ? key : `${key}_${number - 1}`;
    if (!taken.has(free)) return free === key ? source : { ...source, feature: { ...source.feature, key: free } };
  }
}

function descriptionOf(
  device: Resource,
  services: readonly Resource[],
  sources: readonly BoundSource[],
): OfferedDevice {
  const product = memberOf(device, 'product_data') ?? {};
  const [productName, modelId] = [readName(product['product_name']), readName(product['model_id'])];
  const model = productName !== null && modelId !== null ? `${productName} (${modelId})` : (productName ?? modelId);
  return {
    externalId: device.id,
    name: readName(memberOf(device, 'metadata')?.['name']) ?? device.id,
    type: typeOf(device, services, sources),
    manufacturer: readName(product['manufacturer_name']),
    model,
    firmware: readName(product['software_version']),
    features: sources.map(({ feature }) => feature),
    staleAfterMs: null,
  };
}

const SENSOR_TYPES: readonly (readonly [capability: string, type: DeviceType])[] = [
  ['open', 'contact_sensor'],
  ['motion', 'occupancy_sensor'],
  ['button', 'generic_switch'],
  ['temperature', 'temperature_sensor'],
  ['illuminance', 'light_sensor'],
];

function typeOf(device: Resource, services: readonly Resource[], sources: readonly BoundSource[]): DeviceType {
  const words = new Set<string>(sources.map(({ feature }) => feature.capability));
  if (services.some(({ type }) => type === 'light')) {
    const archetypes = [device, ...services].map((part) => memberOf(part, 'metadata')?.['archetype']);
    if (archetypes.includes('plug')) return 'on_off_plug_in_unit';
    if (words.has('color')) return 'extended_color_light';
    if (words.has('color_temperature')) return 'color_temperature_light';
    return words.has('brightness') ? 'dimmable_light' : 'on_off_light';
  }
  return SENSOR_TYPES.find(([word]) => words.has(word))?.[1] ?? 'other';
}
