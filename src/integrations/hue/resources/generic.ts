import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { numberIn } from '#core/feature/peer-value.ts';
import type { ValueType } from '#core/feature/value-type.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import type { Resource } from '#integrations/hue/clip/clip-message.ts';
import { readOptions, type Source } from './source.ts';

/** Not values of the device: identity, names, and what the description of the device has. */
const STRUCTURE = new Set(['id', 'id_v1', 'owner', 'type', 'metadata', 'product_data', 'services', 'service_id']);
const MEMBER = /^[a-z][a-z0-9_]{0,63}$/;
/** The limit for one resource; the largest known one has about thirty. */
const MAX_GENERIC = 100;

/**
 * A feature for each value of a resource that no other feature uses, so that nothing a device offers is hidden: each
 * member, and each member of a member. Deeper ones stay together as an object. A list `status_values` beside `status`
 * has its options.
 */
export function genericSources(resource: Resource, component: string, used: readonly string[]): readonly Source[] {
  const taken = new Set(used);
  const prefix = resource.type === 'light' || resource.type === 'device' ? '' : `${resource.type}_`;
  const sources: Source[] = [];
  for (const [member, value] of Object.entries(resource)) {
    if (sources.length >= MAX_GENERIC) break;
    if (STRUCTURE.has(member) || taken.has(member) || !MEMBER.test(member)) continue;
    const name = member.startsWith(prefix) || prefix.startsWith(`${member}_`) ? member : `${prefix}${member}`;
    if (!isJsonObject(value)) {
      const read = (found: JsonValue): JsonValue | undefined => found;
      sources.push(...plainSource({ name, component, member, read, siblings: resource }, member, value));
      continue;
    }
    for (const [part, inner] of Object.entries(value).slice(0, MAX_GENERIC - sources.length)) {
      if (taken.has(`${member}.${part}`) || !MEMBER.test(part)) continue;
      const read = (found: JsonValue): JsonValue | undefined => (isJsonObject(found) ? found[part] : undefined);
      const full = part.startsWith(member) ? part : `${name}_${part}`;
      sources.push(...plainSource({ name: full, component, member, read, siblings: value }, part, inner));
    }
  }
  return sources;
}

type Place = Required<Pick<Source, 'member' | 'read'>> & {
  readonly name: string;
  readonly component: string;
  readonly siblings: JsonObject;
};

function plainSource({ name, component, member, read, siblings }: Place, part: string, value: JsonValue): Source[] {
  if (part.endsWith('_values') && part.slice(0, -'_values'.length) in siblings) return [];
  const options = readOptions(siblings[`${part}_values`]);
  const valueType: ValueType | undefined = typeof value === 'string' && options !== null ? 'enum' : typeOf(value);
  if (valueType === undefined) return [];
  const feature = ownFeature(name, component, { valueType, options: valueType === 'enum' ? options : null });
  return [{ feature, member, read: (found) => fitting(read(found), valueType) }];
}

/** `undefined` for what has no type yet (`null`) and for an empty object, which only says that something can be set. */
function typeOf(value: JsonValue): ValueType | undefined {
  if (value === null || isSameJson(value, {})) return undefined;
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value === 'boolean' ? 'boolean' : 'string';
  if (typeof value === 'number') return 'number';
  return Array.isArray(value) ? 'list' : 'object';
}

function fitting(value: JsonValue | undefined, valueType: ValueType): JsonValue | undefined {
  if (value === undefined || value === null) return value;
  if (valueType === 'number') return numberIn(value);
  if (valueType === 'enum') return typeof value === 'string' ? value : undefined;
  return typeOf(value) === valueType ? value : undefined;
}
