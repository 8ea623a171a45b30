import { HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '#base/json.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { readSources, refuseUnfit, writesOf } from '#integrations/peer/source.ts';
import {
  deviceFromNode,
  externalIdOf,
  type NodeDevice,
  STAGE_KEY,
  stageOf,
} from '#integrations/zwave/mapping/node-device.ts';
import { noticeFrom } from '#integrations/zwave/mapping/occurrences.ts';
import type { Look, Sending, Source } from '#integrations/zwave/mapping/source.ts';
import { ASLEEP, DEAD, reachOf, RENEWING, STAGE_OF, STATUS_OF } from './node-life.ts';
import type { Proofs } from './proofs.ts';
import {
  heldOf,
  keyOf,
  type NodeState,
  nodeIdOf,
  readNode,
  readValueId,
  isSecret,
  type ValueId,
} from './zwave-message.ts';

/** A command that fits the device sends this, with the features that each sending is for. One value is written once. */
export type Planned = { readonly sending: Sending; readonly keys: readonly string[] };

/** The network has what the hub knows of the nodes, and reports it. */
export type Network = {
  /** Takes all nodes. False if the home has no room for them. */
  readonly begin: (nodes: readonly JsonObject[]) => Promise<boolean>;
  /** Takes the present state of one. */
  readonly takeNode: (node: JsonObject) => Promise<void>;
  readonly removeNode: (nodeId: number) => Promise<void>;
  /** Takes what happened at a node. True if what it is may have changed: read it again. */
  readonly takeEvent: (nodeId: number, event: JsonObject) => boolean;
  /** Takes a value that the node itself has confirmed. */
  readonly takeProven: (nodeId: number, key: string, value: JsonValue) => void;
  readonly plan: (command: DeviceCommand) => { readonly nodeId: number; readonly planned: readonly Planned[] };
  readonly nodeIdOf: (externalId: string) => number | undefined;
};

type NetworkDeps = {
  readonly sink: DeviceSink;
  readonly proofs: Proofs;
  readonly takeRooms: boolean;
  readonly knownDevices: () => readonly string[];
  readonly monotonicMs: () => number;
};

type Node = {
  state: Omit<NodeState, 'values'>;
  readonly values: Map<string, JsonValue>;
  /** Keys of values whose unit or choices have changed since the node was read: what comes for them means something else. */
  readonly renewed: Set<string>;
  /** Keys of values that were sent and of which the node itself has said nothing yet. */
  readonly unsaid: Set<string>;
  /** `undefined` while nobody knows what it is. */
  device: NodeDevice | undefined;
};

export function createNetwork(deps: NetworkDeps): Network {
  const { sink } = deps;
  const nodes = new Map<number, Node>();
  const findNode = (externalId: string): Node | undefined =>
    [...nodes.values()].find(({ device }) => device?.description.externalId === externalId);
  return {
    ...createNodeList(deps, nodes),
    takeEvent: (nodeId, event) => {
      const node = nodes.get(nodeId);
      // One that the server lists only now.
      if (node === undefined) return true;
      const args = objectOf(event['args']);
      switch (event['event']) {
        case 'value updated':
        case 'value added':
          return takeValueEvent(deps, node, args);
        case 'metadata updated':
          return noteRenewed(node, readValueId(args));
        case 'value notification':
          takeHappening(sink, node, args);
          return false;
        case 'notification':
          takeNotice(sink, node, event);
          return false;
        case 'statistics updated':
          return false;
        default:
          return takeLife(sink, node, event);
      }
    },
    takeProven: (nodeId, key, value) => {
      const node = nodes.get(nodeId);
      if (node === undefined) return;
      const before = node.values.get(key);
      const isPart = isJsonObject(before) && isJsonObject(value);
      takeValue(sink, node, { key, value: isPart ? { ...before, ...value } : value });
    },
    plan: (command) => {
      const { device } = findNode(command.externalId) ?? {};
      if (device === undefined) throw new HubError('NOT_FOUND', 'This network has no such device.');
      refuseUnfit(device.description.features, command);
      return { nodeId: device.nodeId, planned: sendingsFromCommand(command, device.sources) };
    },
    nodeIdOf: (externalId) => findNode(externalId)?.state.nodeId,
  };
}

export function sendingsFromCommand(command: DeviceCommand, sources: readonly Source[]): readonly Planned[] {
  const planned = new Map<string, Planned>();
  for (const { source, write, value } of writesOf(command, sources)) {
    for (const sending of write(value, command.set)) {
      const place = 'command' in sending ? sending.command : keyOf(sending.id);
      const keys = [...(planned.get(place)?.keys ?? []), source.feature.key];
      planned.set(place, { sending, keys });
    }
  }
  return [...planned.values()];
}

/** Keeps the list of nodes as the server has it. */
function createNodeList(
  deps: NetworkDeps,
  nodes: Map<number, Node>,
): Pick<Network, 'begin' | 'takeNode' | 'removeNode'> {
  const { sink } = deps;
  const makeNode = createNodeMaker(deps, nodes);
  return {
    begin: async (list) => {
      const found = new Map<number, Node>();
      await eachInSlices(list, deps.monotonicMs, (json) => {
        const state = readNode(json);
        if (state !== undefined) found.set(state.nodeId, makeNode(state));
      });
      const fits = await sink.openList();
      const descriptions = [...found.values()].flatMap(({ device }) => device?.description ?? []);
      if (!descriptions.every(fits) || !(await sink.syncDevices(descriptions))) return false;
      nodes.clear();
      for (const [nodeId, node] of found) nodes.set(nodeId, node);
      await eachInSlices(nodes.values(), deps.monotonicMs, (node) => reportNode(sink, node));
      return true;
    },
    takeNode: async (json) => {
      const state = readNode(json);
      if (state === undefined) return;
      const old = nodes.get(state.nodeId)?.device;
      const node = makeNode(state);
      const externalId = node.device?.description.externalId;
      // Another product under the same number is another device.
      if (old !== undefined && old.description.externalId !== externalId) {
        await sink.removeDevice(old.description.externalId);
      }
      nodes.set(state.nodeId, node);
      if (node.device === undefined || !(await sink.describeDevice(node.device.description))) return;
      reportNode(sink, node);
    },
    removeNode: async (nodeId) => {
      const externalId = nodes.get(nodeId)?.device?.description.externalId;
      nodes.delete(nodeId);
      if (externalId !== undefined) await sink.removeDevice(externalId);
    },
  };
}

/** True for a value that the hub has not heard of: the node is to be read again. */
function takeValueEvent({ sink, proofs }: NetworkDeps, node: Node, args: JsonObject): boolean {
  const id = readValueId(args);
  if (id === undefined || isSecret(id)) return false;
  const key = keyOf(id);
  if (node.device?.valueKeys.has(key) === false || node.renewed.has(key)) return true;
  const value = heldOf(args['newValue']);
  if (!proofs.isGuess(`${node.state.nodeId}/${key}`, value)) takeValue(sink, node, { key, value });
  return false;
}

function noteRenewed({ device, renewed }: Node, id: ValueId | undefined): boolean {
  if (id !== undefined && device?.valueKeys.has(keyOf(id)) === true) renewed.add(keyOf(id));
  return true;
}

type Taken = { readonly key: string; readonly value: JsonValue | undefined };

function takeValue(sink: DeviceSink, { device, values, unsaid }: Node, { key, value }: Taken): void {
  unsaid.delete(key);
  if (value === undefined) values.delete(key);
  else values.set(key, value);
  if (device === undefined) return;
  const { externalId } = device.description;
  const look = lookIn(values);
  const reports = readSources(device.byValue.get(key) ?? [], ({ read }) => read?.(look), { sink, externalId });
  if (reports.size > 0) sink.reportValues(externalId, reports);
}

function lookIn(values: ReadonlyMap<string, JsonValue>): Look {
  return (key) => values.get(key);
}

/** Gives a node its device, under the id that it had: one that is asked anew what it is has not said so yet. */
function createNodeMaker({ proofs, knownDevices, takeRooms }: NetworkDeps, nodes: ReadonlyMap<number, Node>) {
  const idOf = (state: NodeState): string | undefined => {
    if (state.product !== null) return externalIdOf(state);
    const before = nodes.get(state.nodeId)?.device?.description.externalId;
    const known = before ?? knownDevices().find((one) => one.startsWith(`${state.nodeId}-`));
    if (known !== undefined && !state.isReady) return known;
    // A new node says within seconds what it is. One that does not answer can at least be removed.
    const isTalking = !state.isReady && state.status !== DEAD && state.status !== ASLEEP;
    return isTalking ? undefined : externalIdOf(state);
  };
  return (full: NodeState): Node => {
    const { values: list, ...state } = full;
    const externalId = idOf(full);
    const values = new Map<string, JsonValue>();
    const unsaid = new Set<string>();
    for (const { key, value, metadata } of list) {
      const isUnsaid = proofs.isOpen(`${state.nodeId}/${key}`);
      if (isUnsaid) unsaid.add(key);
      if (value !== undefined && metadata.isStateful && !isUnsaid) values.set(key, value);
    }
    const device = externalId === undefined ? undefined : deviceFromNode(full, externalId, takeRooms);
    return { state, values, renewed: new Set(), unsaid, device };
  };
}

function reportNode(sink: DeviceSink, node: Node): void {
  const { device, state, values, unsaid } = node;
  if (device === undefined) return;
  const { externalId } = device.description;
  reportReach(sink, node);
  const said = device.sources.filter(({ from }) => !from.some((key) => unsaid.has(key)));
  const look = lookIn(values);
  const read = readSources(said, (source) => source.read?.(look), { sink, externalId });
  const reports = new Map([...read, [STAGE_KEY, stageOf(state)]]);
  // The server keeps the last values of a node that it cannot reach, of whatever age.
  if (state.status === DEAD) sink.reportKeptValues(externalId, reports);
  else if (state.status === ASLEEP && state.lastSeenMs !== null)
    sink.reportValues(externalId, reports, state.lastSeenMs);
  else sink.reportValues(externalId, reports);
  if (state.lastSeenMs !== null) sink.reportSeen(externalId, state.lastSeenMs);
}

function reportReach(sink: DeviceSink, { device, state }: Node): void {
  if (device !== undefined) sink.reportAvailability(device.description.externalId, ...reachOf(state));
}

/** Whether a node is awake, answers, and has said what it is. True if it is to be read again. */
function takeLife(sink: DeviceSink, node: Node, event: JsonObject): boolean {
  const what = event['event'] ?? null;
  const status = STATUS_OF.get(what);
  const { device } = node;
  if (status !== undefined) {
    node.state = { ...node.state, status };
    reportReach(sink, node);
    return device === undefined;
  }
  const stageName = event['stageName'];
  const stage = STAGE_OF.get(what) ?? (typeof stageName === 'string' ? stageName : undefined);
  if (stage !== undefined) {
    node.state = { ...node.state, stage, isReady: node.state.isReady && what !== 'interview started' };
    if (device !== undefined) {
      sink.reportValues(device.description.externalId, new Map([[STAGE_KEY, stageOf(node.state)]]));
    }
  }
  return RENEWING.has(what) || (stage !== undefined && device === undefined);
}

function takeHappening(sink: DeviceSink, { device }: Node, args: JsonObject): void {
  const [id, value] = [readValueId(args), heldOf(args['value'])];
  if (device === undefined || id === undefined || value === undefined || isSecret(id)) return;
  for (const { feature, happen } of device.byValue.get(keyOf(id)) ?? []) {
    const occurrence = happen?.(value);
    if (occurrence === undefined) continue;
    sink.reportOccurrence(device.description.externalId, feature.key, occurrence);
  }
}

function takeNotice(sink: DeviceSink, { device }: Node, event: JsonObject): void {
  const notice = device?.notices.get(nodeIdOf(event['ccId']) ?? 0);
  const occurrence = noticeFrom(objectOf(event['args']));
  if (device === undefined || notice === undefined || occurrence === undefined) return;
  sink.reportOccurrence(device.description.externalId, notice.feature.key, occurrence);
}
