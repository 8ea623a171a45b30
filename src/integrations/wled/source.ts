import { type JsonObject, type JsonValue, listOf, objectOf } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import { AS_IS, type Codec, namedNumber, wholeBetween } from '#integrations/peer/codec.ts';
import type { Source as PeerSource } from '#integrations/peer/source.ts';
import type { LightStatus, Names } from './wled-message.ts';

/** A feature with its place in the state of a light. */
export type Source = PeerSource<LightStatus, Write>;

/**
 * The change that a value makes, and what the light's report of it then reads as. `earlier` is the change that the values
 * before it have made.
 */
type Write = (
  value: JsonValue,
  status: LightStatus,
  earlier: JsonObject,
) => { readonly change: JsonObject; readonly echo: JsonValue };

/** Where a plain value is: in the state itself or in one of its objects, or in a segment. */
export type Place = ReturnType<typeof inSegment>;

const same = (members: JsonObject): JsonObject => members;
export const inState: Place = { component: 'main', find: ({ state }) => state, change: same, changed: same };

export function inObject(name: string): Place {
  const find = ({ state }: LightStatus): JsonObject => objectOf(state[name]);
  const changed = (change: JsonObject): JsonObject => objectOf(change[name]);
  return { component: 'main', find, changed, change: (members) => ({ [name]: members }) };
}

/** Segments have their ids in a change: without one, it goes elsewhere. */
export function inSegment(id: number, component: string) {
  return {
    component,
    find: ({ segments }: LightStatus): JsonObject => segments.find((segment) => segment.id === id)?.raw ?? {},
    /** The change of these members. */
    change: (members: JsonObject): JsonObject => ({ seg: [{ id, ...members }] }),
    /** The members there that a change has. */
    changed: ({ seg }: JsonObject): JsonObject =>
      objectOf(listOf(seg).find((segment) => objectOf(segment)['id'] === id)),
  };
}

/** A feature that is one member of the state. */
export function memberSource(feature: Feature, place: Place, { member, codec = AS_IS }: Member): Source {
  return {
    feature,
    read: (status) => codec.read(place.find(status)[member]),
    write: (value) => {
      const raw = codec.write(value);
      return { change: place.change({ [member]: raw }), echo: codec.read(raw) ?? value };
    },
  };
}

type Member = { readonly member: string; readonly codec?: Codec };

/** A plain member: a whole number up to `max`, or a flag. */
export type Plain = { readonly member: string; readonly name: string; readonly max?: number };

export function plainSource({ member, name, max }: Plain, place: Place): Source {
  const { component } = place;
  if (max === undefined) {
    return memberSource(ownFeature(name, component, { valueType: 'boolean', writable: true }), place, { member });
  }
  const feature = ownFeature(name, component, { valueType: 'number', writable: true, min: 0, max, step: 1 });
  return memberSource(feature, place, { member, codec: wholeBetween(0, max) });
}

/** A choice among names; none if there are no names. */
export function nameSources(
  feature: Feature,
  { names, member, place }: { readonly names: Names; readonly member: string; readonly place: Place },
): readonly Source[] {
  if (names.size === 0) return [];
  // A number without a name is shown as it is: the list may be older than the value.
  const codec = namedNumber(names, String);
  return [memberSource({ ...feature, writable: true, options: [...names.values()] }, place, { member, codec })];
}
