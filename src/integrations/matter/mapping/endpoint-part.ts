import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { MatterEndpoint } from '#integrations/matter/matter-node.ts';
import type { Look, Part, Place, Source } from './source.ts';

/** The attributes of an endpoint, by cluster and name. They change while the node lives. */
export type Attributes = Map<Place, JsonValue>;

/** Far more than any endpoint has. */
export const MAX_ATTRIBUTES = 4_000;

export function attributesOf({ state }: Pick<MatterEndpoint, 'state'>): {
  readonly attributes: Attributes;
  readonly leftOut: number;
} {
  const attributes: Attributes = new Map();
  let leftOut = 0;
  for (const [cluster, members] of Object.entries(state)) {
    if (!isJsonObject(members)) continue;
    const names = Object.keys(members);
    const taken = names.slice(0, MAX_ATTRIBUTES - attributes.size);
    leftOut += names.length - taken.length;
    for (const name of taken) {
      const value = members[name];
      if (value !== undefined) attributes.set(`${cluster}.${name}`, value);
    }
  }
  return { attributes, leftOut };
}

export type Made = {
  readonly part: Part;
  readonly sources: readonly Source[];
  /** Attributes that a feature shows, or that one is made of. */
  readonly shown: ReadonlySet<Place>;
};

/** An endpoint to make features of. `shapes` gets each attribute that decides what they are. */
export function openPart(
  endpoint: MatterEndpoint,
  attributes: Attributes,
  { component, shapes }: { readonly component: string; readonly shapes: (place: Place) => void },
): Made {
  const sources: Source[] = [];
  const shown = new Set<Place>();
  const commands = placesOf(endpoint.commands);
  const flags = placesOf(endpoint.features);
  const clusters = new Set([...Object.keys(endpoint.state), ...Object.keys(endpoint.commands)]);
  const hide: Part['hide'] = (...places) => {
    for (const place of places) shown.add(place);
  };
  const find: Look = (place) => {
    shapes(place);
    hide(place);
    return attributes.get(place);
  };
  const part: Part = {
    component,
    number: endpoint.number,
    types: new Set(endpoint.deviceTypes),
    find,
    has: (place) => attributes.has(place),
    hasCluster: (cluster) => clusters.has(cluster),
    takes: (place) => commands.has(place),
    can: (cluster, flag) => flags.has(`${cluster}.${flag}`),
    add: (plan, ...places) => {
      if (sources.every(({ feature }) => feature.key !== plan.feature.key)) {
        sources.push({ from: [], ...plan, endpoint: endpoint.number });
      }
      hide(...places);
    },
    hide,
  };
  return { part, sources, shown };
}

function placesOf(names: Readonly<Record<string, readonly string[]>>): ReadonlySet<string> {
  return new Set(Object.entries(names).flatMap(([cluster, own]) => own.map((name) => `${cluster}.${name}`)));
}
