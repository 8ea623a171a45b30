import { camelize } from '@matter/general';
import {
  type AttributeModel,
  type ClusterModel,
  type CommandModel,
  type DeviceTypeModel,
  type EventModel,
  Matter,
  Metatype,
  RequirementElement,
  type ValueModel,
} from '@matter/model';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { MatterEndpoint } from '#integrations/matter/matter-node.ts';

/*
 * Endpoints as the standard's model describes them: each cluster of a type of devices, with every attribute, command
 * and function that it may have.
 */

export const CLUSTERS: ReadonlyMap<string, ClusterModel> = new Map(
  [...Matter.clusters].flatMap((cluster) => (cluster.id === undefined ? [] : [[camelize(cluster.name), cluster]])),
);

/** What a cluster has, by its names. */
export type Members = {
  readonly attributes: ReadonlyMap<string, AttributeModel>;
  readonly commands: ReadonlyMap<string, CommandModel>;
  readonly events: ReadonlyMap<string, EventModel>;
  readonly features: ReadonlyMap<string, unknown>;
};

const MEMBERS = new Map<ClusterModel, Members>();

/** The model works them out anew each time, which costs too much to ask for each name. */
export function membersOf(cluster: ClusterModel): Members {
  const known = MEMBERS.get(cluster);
  if (known !== undefined) return known;
  const byName = <T extends { readonly propertyName: string }>(models: Iterable<T>): ReadonlyMap<string, T> =>
    new Map([...models].map((model) => [model.propertyName, model]));
  const members: Members = {
    attributes: byName(cluster.attributes),
    commands: byName([...cluster.commands].filter(({ isRequest }) => isRequest)),
    events: byName(cluster.events),
    features: new Map([...cluster.features].map((feature) => [camelize(feature.title ?? ''), feature])),
  };
  MEMBERS.set(cluster, members);
  return members;
}

export const DEVICE_TYPES: readonly (DeviceTypeModel & { readonly id: number })[] = [...Matter.deviceTypes].filter(
  (one): one is DeviceTypeModel & { id: number } => one.id !== undefined,
);

const GLOBAL = new Set([
  'clusterRevision',
  'featureMap',
  'attributeList',
  'eventList',
  'acceptedCommandList',
  'generatedCommandList',
]);
const MAX_DEPTH = 4;

/** An endpoint of one type of devices, with all that the type may have. */
export function endpointOfType(type: DeviceTypeModel & { readonly id: number }, number = 1): MatterEndpoint {
  const clusters = [...type.requirements].flatMap(({ element, name, conformance }) => {
    const cluster = CLUSTERS.get(camelize(name));
    return element === RequirementElement.ElementType.ServerCluster &&
      cluster !== undefined &&
      String(conformance) !== 'X'
      ? [cluster]
      : [];
  });
  return { ...endpointOfClusters(clusters, number), deviceTypes: [type.id] };
}

export function endpointOfClusters(clusters: readonly ClusterModel[], number = 1): MatterEndpoint {
  const byName = <T>(read: (cluster: ClusterModel) => T): Readonly<Record<string, T>> =>
    Object.fromEntries(clusters.map((cluster) => [camelize(cluster.name), read(cluster)]));
  return {
    number,
    parent: 0,
    deviceTypes: [],
    state: byName(stateOf),
    commands: byName((cluster) => [...membersOf(cluster).commands.keys()]),
    features: byName((cluster) => [...membersOf(cluster).features.keys()]),
  };
}

const STATES = new Map<ClusterModel, JsonObject>();

function stateOf(cluster: ClusterModel): JsonObject {
  const known = STATES.get(cluster);
  if (known !== undefined) return known;
  const own = [...membersOf(cluster).attributes].filter(([name]) => !GLOBAL.has(name));
  const state = Object.fromEntries(own.map(([name, attribute]) => [name, sampleOf(typeOf(cluster, attribute))]));
  STATES.set(cluster, state);
  return state;
}

/** A cluster may have a type of its own under the name that the one it is derived from uses. */
export function typeOf(cluster: ClusterModel, attribute: AttributeModel): ValueModel {
  const own = [...cluster.datatypes].find(({ name }) => name === attribute.effectiveType);
  return (own ?? attribute) as ValueModel;
}

/** A value that an attribute, field or member may have. */
export function sampleOf(model: ValueModel, depth = 0): JsonValue {
  switch (model.effectiveMetatype) {
    case Metatype.boolean:
      return true;
    case Metatype.bitmap:
      return partsOf(model, (member) => (member.effectiveMetatype === Metatype.enum ? 1 : true));
    case Metatype.object:
      return depth === MAX_DEPTH ? {} : partsOf(model, (member) => sampleOf(member, depth + 1));
    case Metatype.enum:
    case Metatype.integer:
    case Metatype.float:
      return 1;
    case Metatype.array: {
      const entry = model.listEntry;
      return entry === undefined || depth === MAX_DEPTH ? [] : [sampleOf(entry, depth + 1)];
    }
    case Metatype.string:
      return 'One';
    case Metatype.bytes:
      return '0a';
    default:
      return null;
  }
}

function partsOf(model: ValueModel, read: (member: ValueModel) => JsonValue): JsonObject {
  return Object.fromEntries([...model.members].map((member) => [member.propertyName, read(member as ValueModel)]));
}
