import type { JsonObject, JsonValue } from '#base/json.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import type { LightStatus, Names } from './wled-message.ts';

/** A change under way: members of the state, and of segments by their ids. */
export type Draft = { readonly state: JsonObject; readonly segments: ReadonlyMap<number, JsonObject> };

/** A feature with its place in the state of a light. */
export type Source = {
  readonly feature: Feature;
  /** `null` for what the light does not know or has none of at present, `undefined` where it says nothing of it. */
  readonly read: (status: LightStatus) => JsonValue | undefined;
  /** Adds a value that fits the feature. What the light then reports of it reads as `echo`. */
  readonly write?: (
    value: JsonValue,
    draft: Draft,
    status: LightStatus,
  ) => { readonly draft: Draft; readonly echo: JsonValue };
};

/** Where a plain value is: in the state itself or in one of its objects, or in a segment. */
export type Place = {
  readonly component: string;
  readonly find: (status: LightStatus) => JsonObject;
  readonly put: (draft: Draft, members: JsonObject) => Draft;
  /** What was put there so far. */
  readonly drafted: (draft: Draft) => JsonObject;
};

export const inState: Place = {
  component: 'main',
  find: ({ state }) => state,
  put: (draft, members) => ({ ...draft, state: { ...draft.state, ...members } }),
  drafted: ({ state }) => state,
};

export function inSegment(id: number, component: string): Place {
  return {
    component,
    find: ({ segments }) => segments.find((segment) => segment.id === id)?.raw ?? {},
    put: (draft, members) => {
      const segment = { ...draft.segments.get(id), ...members };
      return { ...draft, segments: new Map([...draft.segments, [id, segment]]) };
    },
    drafted: ({ segments }) => segments.get(id) ?? {},
  };
}

type Member = { readonly member: string; readonly name: string };

export function flagSource({ member, name }: Member, { component, find, put }: Place): Source {
  return {
    feature: ownFeature(name, component, { valueType: 'boolean', writable: true }),
    read: (status) => find(status)[member],
    write: (value, draft) => ({ draft: put(draft, { [member]: value }), echo: value }),
  };
}

export function numberSource(
  { member, name, min = 0, max }: Member & { readonly min?: number; readonly max: number },
  { component, find, put }: Place,
): Source {
  return {
    feature: ownFeature(name, component, { valueType: 'number', writable: true, min, max, step: 1 }),
    read: (status) => mapNumber(find(status)[member], (value) => (value < min || value > max ? undefined : value)),
    write: (value, draft) => {
      const whole = Math.round(Number(value));
      return { draft: put(draft, { [member]: whole }), echo: whole };
    },
  };
}

/** A choice among names; `undefined` if there is none. */
export function nameSource(
  feature: Feature,
  { names, member, place }: { readonly names: Names; readonly member: string; readonly place: Place },
): Source | undefined {
  if (names.size === 0) return undefined;
  const idOf = new Map([...names].map(([id, name]) => [name, id]));
  return {
    feature: { ...feature, writable: true, options: [...names.values()] },
    // A number without a name is shown as it is: the list may be older than the value.
    read: (status) => mapNumber(place.find(status)[member], (id) => names.get(id) ?? `${id}`),
    write: (value, draft) => ({
      draft: place.put(draft, { [member]: (typeof value === 'string' ? idOf.get(value) : undefined) ?? 0 }),
      echo: value,
    }),
  };
}
