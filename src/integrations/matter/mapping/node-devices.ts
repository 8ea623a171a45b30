import { listOf, objectOf } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { readName } from '#core/integration/read-name.ts';
import type { OfferedDevice } from '#integrations/integration.ts';
import type { MatterEndpoint, MatterNode } from '#integrations/matter/matter-node.ts';
import { applianceSources } from '#integrations/matter/mapping/clusters/appliances.ts';
import { climateSources } from '#integrations/matter/mapping/clusters/climate.ts';
import { deviceTypeOf } from './device-types.ts';
import { type Attributes, attributesOf, type Made, openPart } from './endpoint-part.ts';
import { type Branch, branchesOf } from './endpoint-tree.ts';
import { fanSources } from '#integrations/matter/mapping/clusters/fans.ts';
import { genericPlan, identifySource } from './generic.ts';
import { machineSources } from '#integrations/matter/mapping/clusters/machines.ts';
import { lightSources } from '#integrations/matter/mapping/clusters/lights.ts';
import { lockSources } from '#integrations/matter/mapping/clusters/locks.ts';
import { meterSources } from '#integrations/matter/mapping/clusters/meters.ts';
import { moverSources } from '#integrations/matter/mapping/clusters/movers.ts';
import { settingSources } from '#integrations/matter/mapping/clusters/settings.ts';
import { sensorSources } from '#integrations/matter/mapping/clusters/sensors.ts';
import { type Look, numberFrom, type Part, type Place, type Source } from './source.ts';
import { buttonSources } from '#integrations/matter/mapping/clusters/buttons.ts';
import { waterSources } from '#integrations/matter/mapping/clusters/water.ts';

/** A device that a node is or bridges, with where its features come from. */
export type MatterDevice = {
  readonly root: number;
  readonly description: OfferedDevice;
  readonly sources: readonly Source[];
};

type NodeDevices = {
  readonly devices: readonly MatterDevice[];
  readonly attributes: ReadonlyMap<number, Attributes>;
  /** Attributes that decide what the devices are: `<endpoint>/<cluster>.<attribute>`. */
  readonly shaping: ReadonlySet<string>;
  readonly leftOut: LeftOut;
};

/** The hub leaves out attributes that only manage the node, and all beyond what a device may have. */
type LeftOut = { readonly endpoints: number; readonly attributes: number };

/** Each maker makes features of an endpoint, by its clusters. */
export const MAKERS: readonly ((part: Part) => void)[] = [
  lightSources,
  moverSources,
  waterSources,
  lockSources,
  climateSources,
  fanSources,
  sensorSources,
  meterSources,
  buttonSources,
  applianceSources,
  machineSources,
  settingSources,
  identifySource,
];
/** The hub takes 2,000 features and 128 KiB of a device; the texts of the description come on top. */
const MAX_FEATURES = 1_500;
const MAX_SIZE = 110 * 1_024;
const MAX_TYPES = 64;

/** Makes the devices that a node is. Their external ids are the node's number, and for what it bridges the endpoint's. */
export function devicesFromNode(node: MatterNode): NodeDevices {
  const world: World = { nodeId: node.nodeId, attributes: new Map(), shaping: new Set() };
  let left = 0;
  let endpoints = 0;
  const devices = branchesOf(node.endpoints).map((branch) => {
    for (const endpoint of branch.endpoints) {
      const own = attributesOf(endpoint);
      world.attributes.set(endpoint.number, own.attributes);
      left += own.leftOut;
    }
    endpoints += branch.endpoints.length;
    const { device, leftOut } = deviceFrom(branch, world);
    left += leftOut;
    return device;
  });
  const leftOut = { endpoints: node.endpoints.length - endpoints, attributes: left };
  return { devices, attributes: world.attributes, shaping: world.shaping, leftOut };
}

type World = {
  readonly nodeId: string;
  readonly attributes: Map<number, Attributes>;
  readonly shaping: Set<string>;
};

function deviceFrom(branch: Branch, world: World): { readonly device: MatterDevice; readonly leftOut: number } {
  const sources: Source[] = [];
  const keys = new Set<string>();
  let size = 0;
  const take = (source: Source): boolean => {
    const length = JSON.stringify(source.feature).length + 1;
    if (sources.length === MAX_FEATURES || size + length > MAX_SIZE) return false;
    size += length;
    sources.push(source);
    keys.add(source.feature.key);
    return true;
  };
  // What people use comes first, so that it has room.
  const parts = branch.endpoints.map((endpoint) => {
    const made = makeEndpoint(endpoint, world, keys);
    const label = labelOf(made.part.find);
    for (const source of made.sources) take(labelled(freed(source, keys), label));
    return made;
  });
  let leftOut = 0;
  for (const { part, shown } of parts) {
    for (const [place, value] of world.attributes.get(part.number) ?? []) {
      if (shown.has(place)) continue;
      const plan = genericPlan(part.component, place, value);
      const source = plan && freed({ from: [], ...plan, endpoint: part.number }, keys);
      if (source === undefined || keys.has(source.feature.key) || !take(source)) leftOut += 1;
    }
  }
  return { device: { root: branch.root, description: describe(branch, world, sources), sources }, leftOut };
}

/**
 * On `main` if all that people use of it is free there, and else on a component of its own, so that the second lamp of a
 * device has its switch and its brightness in one place.
 */
function makeEndpoint(endpoint: MatterEndpoint, { attributes, shaping }: World, keys: ReadonlySet<string>): Made {
  const make = (component: string): Made => {
    const made = openPart(endpoint, attributes.get(endpoint.number) ?? new Map<Place, never>(), {
      component,
      shapes: (place) => shaping.add(`${endpoint.number}/${place}`),
    });
    for (const addSources of MAKERS) addSources(made.part);
    return made;
  };
  const first = make(MAIN);
  const isFree = first.sources.every(({ feature: { key, capability } }) => capability === 'identify' || !keys.has(key));
  return isFree ? first : make(componentOf(endpoint.number));
}

const MAIN = 'main';

function componentOf(number: number): string {
  return `endpoint_${number}`;
}

/** Moves a feature that an earlier endpoint has too, such as `identify`, to a component of its own. */
function freed(source: Source, keys: ReadonlySet<string>): Source {
  const { feature, endpoint } = source;
  if (feature.component !== MAIN || !keys.has(feature.key)) return source;
  const component = componentOf(endpoint);
  return { ...source, feature: { ...feature, component, key: `${component}.${feature.capability}` } };
}

function labelled(source: Source, label: string | null): Source {
  const { feature } = source;
  return label === null ? source : { ...source, feature: { ...feature, name: `${feature.name} (${label})` } };
}

const NODE = 'basicInformation';
const BRIDGED = 'bridgedDeviceBasicInformation';
const MAX_TEXT = 100;

function describe({ root, parent, endpoints }: Branch, world: World, sources: readonly Source[]): OfferedDevice {
  const { nodeId, attributes, shaping } = world;
  const cluster = root === 0 ? NODE : BRIDGED;
  const textOf = (name: string): string | null => {
    shaping.add(`${root}/${cluster}.${name}`);
    return readName(attributes.get(root)?.get(`${cluster}.${name}`), MAX_TEXT);
  };
  const features: readonly Feature[] = sources.map(({ feature }) => feature);
  const numbers = new Set(endpoints.flatMap(({ deviceTypes }) => deviceTypes.slice(0, MAX_TYPES)));
  const room = roomOf(endpoints, world);
  const otherwise = root === 0 ? `Matter device ${nodeId}` : `Matter device ${nodeId}, ${root}`;
  return {
    externalId: externalIdOf(nodeId, root),
    name: textOf('nodeLabel') ?? textOf('productLabel') ?? textOf('productName') ?? otherwise,
    type: deviceTypeOf(numbers, features),
    manufacturer: textOf('vendorName'),
    model: textOf('productName') ?? textOf('partNumber'),
    firmware: textOf('softwareVersionString'),
    features,
    staleAfterMs: null,
    ...(parent === null ? {} : { parentExternalId: externalIdOf(nodeId, parent) }),
    ...(room === null ? {} : { suggestedRoom: room }),
  };
}

/** Nodes and the endpoints of bridges keep their numbers for as long as they are in this home. */
function externalIdOf(nodeId: string, root: number): string {
  return root === 0 ? nodeId : `${nodeId}-${root}`;
}

/** The node that a device is or is bridged by. */
export function nodeIdIn(externalId: string): string {
  return externalId.split('-', 1)[0] ?? externalId;
}

const MAX_LABELS = 32;
const LABELS = ['userLabel.labelList', 'fixedLabel.labelList'] as const;

/** The room that somebody, or its maker, has written on it. */
function roomOf(endpoints: readonly MatterEndpoint[], { attributes, shaping }: World): string | null {
  for (const { number } of endpoints) {
    for (const place of LABELS) {
      shaping.add(`${number}/${place}`);
      for (const entry of listOf(attributes.get(number)?.get(place)).slice(0, MAX_LABELS)) {
        const { label, value } = objectOf(entry);
        if (typeof label !== 'string' || label.trim().toLowerCase() !== 'room') continue;
        const room = readName(value);
        if (room !== null) return room;
      }
    }
  }
  return null;
}

/** A tag says where an endpoint is or what it is for, by the number of its namespace. */
export const TAGS: ReadonlyMap<number, readonly string[]> = new Map([
  [5, ['low', 'medium', 'high']],
  [8, ['left', 'right', 'top', 'bottom', 'middle']],
  [
    0x43,
    ['on', 'off', 'toggle', 'up', 'down', 'next', 'previous', 'enter ok select', 'custom', 'open', 'close', 'stop'],
  ],
]);
const NUMBERS = 7;
const MOST_NUMBER = 99;
const MAX_TAGS = 6;
const MAX_LABEL = 40;

/** A label for people, for one of several endpoints of a kind: `left`, `2`, `left, 2`. */
function labelOf(look: Look): string | null {
  const words = listOf(look('descriptor.tagList'))
    .slice(0, MAX_TAGS)
    .flatMap((entry) => {
      const { mfgCode, namespaceId, tag, label } = objectOf(entry);
      const own = readName(label, MAX_LABEL);
      if (own !== null) return [own];
      const [namespace, number] = [numberFrom(namespaceId), numberFrom(tag)];
      // The tags of a maker have numbers that only the maker knows.
      if (typeof mfgCode === 'number' || namespace === undefined || number === undefined) return [];
      if (namespace === NUMBERS)
        return Number.isInteger(number) && number >= 0 && number <= MOST_NUMBER ? [`${number}`] : [];
      return TAGS.get(namespace)?.[number] ?? [];
    });
  return words.length === 0 ? null : [...new Set(words)].join(', ').slice(0, MAX_LABEL);
}
