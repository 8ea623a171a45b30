import type { Behavior, ClientNode, Endpoint } from '@matter/main';
import { ClusterBehavior, CommissioningClient } from '@matter/main/node';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { MatterChange, MatterEndpoint, MatterNode } from '#integrations/matter/matter-node.ts';

type Cluster = ClusterBehavior.Type;

/** Attributes of every cluster: the hub gets them as commands and features. */
const GLOBAL: ReadonlySet<string> = new Set([
  'featureMap',
  'clusterRevision',
  'attributeList',
  'eventList',
  'acceptedCommandList',
  'generatedCommandList',
]);
/** Rights and keys of homes: the hub needs none of them. */
const WITHHELD: ReadonlySet<string> = new Set(['accessControl', 'groupKeyManagement', 'operationalCredentials']);

/** All that a node says of itself, as the hub has it. */
export function nodeOf(node: ClientNode, nodeId: string): MatterNode {
  const endpoints = [...node.endpoints].filter((one) => one.lifecycle.isReady && one.behaviors.has('descriptor'));
  return { nodeId, endpoints: endpoints.map(endpointOf) };
}

/** In this home; `undefined` of one that is not in it. */
export function nodeIdOf(node: ClientNode): string | undefined {
  return node.maybeStateOf(CommissioningClient)?.peerAddress?.nodeId.toString();
}

export function clustersOf(endpoint: Endpoint): readonly Cluster[] {
  return Object.values(endpoint.behaviors.supported).filter(isCluster);
}

export function isCluster(type: Behavior.Type): type is Cluster {
  return ClusterBehavior.is(type) && !WITHHELD.has(type.id);
}

function endpointOf(endpoint: Endpoint): MatterEndpoint {
  const state: Record<string, JsonObject> = {};
  const commands: Record<string, readonly string[]> = {};
  const features: Record<string, readonly string[]> = {};
  let deviceTypes: readonly number[] = [];
  for (const type of clustersOf(endpoint)) {
    const raw = stateOf(endpoint, type);
    const entries = Object.entries(raw).filter(([name, value]) => value !== undefined && isOwn(name));
    state[type.id] = Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]));
    const accepted = new Set(listOf(raw['acceptedCommandList']).map(Number));
    commands[type.id] = [...type.schema.commands].flatMap(({ id, propertyName }) =>
      accepted.has(id) ? [propertyName] : [],
    );
    features[type.id] = Object.entries(raw['featureMap'] ?? {}).flatMap(([name, isSet]) =>
      isSet === true ? [name] : [],
    );
    if (type.id === 'descriptor') deviceTypes = listOf(raw['deviceTypeList']).map(deviceTypeOf);
  }
  const parent = endpoint.number === 0 ? null : (endpoint.owner?.maybeNumber ?? 0);
  return { number: endpoint.number, parent, deviceTypes, state, commands, features };
}

/** Reads the attributes that a report has changed. */
export function changesOf(endpoint: Endpoint, type: Cluster, attributes: readonly string[]): readonly MatterChange[] {
  const raw = stateOf(endpoint, type);
  return attributes.flatMap((attribute) => {
    const value = raw[attribute];
    if (value === undefined || !isOwn(attribute)) return [];
    return [{ endpoint: endpoint.number, cluster: type.id, attribute, value: plain(value) }];
  });
}

/** Whether these attributes of a cluster say that the node is another one now, or sleeps as it did not before. */
export function isStructure(type: Cluster, attributes: readonly string[]): boolean {
  return type.id === 'descriptor' || attributes.some((name) => GLOBAL.has(name) || name === 'operatingMode');
}

function isOwn(name: string): boolean {
  return !GLOBAL.has(name) && !name.startsWith('__') && !/^\d+$/.test(name);
}

type State = Readonly<Record<string, unknown>>;

function stateOf(endpoint: Endpoint, type: Cluster): State {
  // Which attributes it has, its type says to the compiler, and its node here.
  return endpoint.maybeStateOf(type) ?? {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? [...(value as readonly unknown[])] : [];
}

function deviceTypeOf(entry: unknown): number {
  return (entry as { readonly deviceType: number }).deviceType;
}

/** A value of the library in JSON, as matter-node.ts says. */
export function plain(value: unknown): JsonValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    return Buffer.from(value as Uint8Array).toString('hex');
  }
  if (Array.isArray(value)) return [...(value as readonly unknown[])].map(plain);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    return Object.fromEntries(entries.map(([name, one]) => [name, plain(one)]));
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
