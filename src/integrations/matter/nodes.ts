import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createTurnQueue, type TurnQueue } from '#base/turn-queue.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { type MatterDevice, nodeIdIn } from '#integrations/matter/mapping/node-devices.ts';
import type { Reach } from './controller-message.ts';
import { type LiveNode, type RefusedOf, openNode, type PlannedAsk } from './live-node.ts';
import type { MatterChange, MatterNode, MatterOccurrence } from './matter-node.ts';

/** The nodes of this home as the hub knows them, and what it tells of them. */
export type Nodes = {
  /** Takes all of them, as they were when they were last heard. False if the home has no room for them. */
  readonly begin: (nodes: readonly MatterNode[]) => Promise<boolean>;
  /** Takes one with all that it says now. */
  readonly take: (node: MatterNode) => Promise<void>;
  readonly takeChanges: (nodeId: string, changes: readonly MatterChange[]) => Promise<void>;
  readonly takeOccurrence: (nodeId: string, occurrence: MatterOccurrence) => void;
  /** Returns what held before. */
  readonly takeReach: (nodeId: string, reach: Reach) => Reach | undefined;
  readonly remove: (nodeId: string) => Promise<void>;
  /** Throws HubError if the device has nothing to do for the command, or cannot be reached. */
  readonly plan: (command: DeviceCommand) => { readonly nodeId: string; readonly asks: readonly PlannedAsk[] };
  /**
   * To call once the device has taken a command. It reports nothing of one that changes nothing: what it has said last
   * is then what was asked for.
   */
  readonly confirm: (command: DeviceCommand) => void;
  /** `isWhole`: of the node itself, and not of what it bridges. */
  readonly find: (externalId: string) => { readonly nodeId: string; readonly isWhole: boolean } | undefined;
  /** The devices of a node, the node itself first. */
  readonly externalIdsOf: (nodeId: string) => readonly string[];
  /** By their numbers in this home, also those that were never read whole. */
  readonly all: () => readonly string[];
  /** The nodes that answer, by their numbers in this home. */
  readonly online: () => readonly string[];
  readonly present: (nodeId: string) => MatterNode | undefined;
  /** No timer is left. */
  readonly stop: () => void;
};

type NodesDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly sink: DeviceSink;
};

type ListDeps = NodesDeps & { readonly inTurn: TurnQueue };
type Known = {
  readonly nodeId: string;
  /** As the hub shows it. */
  live: LiveNode;
  /** What it has become since. */
  held: LiveNode | undefined;
  stopPause: (() => void) | undefined;
  reach: Reach | undefined;
};

/** A broken device may become another one with each report. */
const RESHAPE_MS = 3_000;

export function createNodes(ports: NodesDeps): Nodes {
  const nodes = new Map<string, Known>();
  const unread = new Set<string>();
  const deps: ListDeps = { ...ports, inTurn: createTurnQueue() };
  return {
    ...createReports(deps, nodes),
    ...createList(deps, nodes, unread),
    ...createDoor(deps, nodes),
    all: () => [...new Set([...nodes.keys(), ...unread])],
  };
}

function knownFrom(nodeId: string, live: LiveNode): Known {
  return { nodeId, live, held: undefined, stopPause: undefined, reach: undefined };
}

function endPauses(nodes: ReadonlyMap<string, Known>): void {
  for (const { stopPause } of nodes.values()) stopPause?.();
}

function isSameShape(one: LiveNode, other: LiveNode): boolean {
  const shapeOf = ({ devices }: LiveNode): string => JSON.stringify(devices.map(({ description }) => description));
  return shapeOf(one) === shapeOf(other);
}

function reportReach(sink: DeviceSink, { live, reach }: Known): void {
  for (const device of live.devices) {
    sink.reportAvailability(device.description.externalId, ...availabilityOf(reach, live.isReachable(device)));
  }
}

/** Keeps the list of nodes, and reports all that they say. */
function createList(
  { sink, inTurn }: ListDeps,
  nodes: Map<string, Known>,
  unread: Set<string>,
): Pick<Nodes, 'begin' | 'remove'> {
  return {
    begin: (list) =>
      inTurn(async () => {
        // One that was never read whole is shown again once it answers.
        const found = list.filter(({ endpoints }) => endpoints.length > 0);
        const opened = found.map((node) => knownFrom(node.nodeId, openNode(node)));
        const fits = await sink.openList();
        const descriptions = opened.flatMap(({ live }) => live.devices.map(({ description }) => description));
        if (!descriptions.every(fits) || !(await sink.syncDevices(descriptions))) return false;
        endPauses(nodes);
        nodes.clear();
        unread.clear();
        for (const { nodeId, endpoints } of list) if (endpoints.length === 0) unread.add(nodeId);
        for (const known of opened) {
          nodes.set(known.nodeId, known);
          reportReach(sink, known);
        }
        return true;
      }),
    remove: (nodeId) =>
      inTurn(async () => {
        const known = nodes.get(nodeId);
        known?.stopPause?.();
        nodes.delete(nodeId);
        unread.delete(nodeId);
        for (const { description } of known?.live.devices ?? []) await sink.removeDevice(description.externalId);
      }),
  };
}

type Reports = Pick<Nodes, 'take' | 'takeChanges' | 'takeOccurrence' | 'takeReach' | 'stop'>;

function createReports({ sink, startTimer, log, inTurn }: ListDeps, nodes: Map<string, Known>): Reports {
  let isStopped = false;
  const refusedOf: RefusedOf = ({ description }) => {
    return (key, value) => sink.reportRefused(description.externalId, key, value);
  };
  const show = async (known: Known, live: LiveNode): Promise<void> => {
    const before = nodes.get(known.nodeId)?.live.devices ?? [];
    known.live = live;
    known.held = undefined;
    const ids = new Set(known.live.devices.map(({ description }) => description.externalId));
    for (const { description } of before) {
      if (!ids.has(description.externalId)) await sink.removeDevice(description.externalId);
    }
    nodes.set(known.nodeId, known);
    for (const device of known.live.devices) {
      // A home that has no room for one may have the next one already.
      if (!(await sink.describeDevice(device.description))) continue;
      const values = known.live.values(device, refusedOf(device));
      if (values.size > 0) sink.reportValues(device.description.externalId, values);
    }
    if (known.reach !== undefined) reportReach(sink, known);
  };
  /** Each new shape is written to the disk. What it is at the end of the pause counts. */
  const showAndPause = async (known: Known, live: LiveNode): Promise<void> => {
    await show(known, live);
    if (isStopped) return;
    known.stopPause ??= startTimer(RESHAPE_MS, () => {
      known.stopPause = undefined;
      inTurn(async () => {
        if (known.held === undefined || nodes.get(known.nodeId) !== known) return;
        await showAndPause(known, openNode(known.held.present()));
      }).catch((cause: unknown) => log.error('what a Matter device has become could not be taken', { cause }));
    });
  };
  return {
    take: (node) =>
      inTurn(async () => {
        const known = nodes.get(node.nodeId);
        const live = openNode(node);
        if (known === undefined) return show(knownFrom(node.nodeId, live), live);
        if (isSameShape(known.live, live)) return show(known, live);
        if (known.stopPause === undefined) return showAndPause(known, live);
        known.held = live;
        return undefined;
      }),
    takeChanges: (nodeId, changes) =>
      inTurn(async () => {
        const known = nodes.get(nodeId);
        if (known === undefined) return undefined;
        if (known.held !== known.live) known.held?.take(changes);
        const { values, reachable, isReshaped } = known.live.take(changes, refusedOf);
        if (isReshaped && known.stopPause === undefined) return showAndPause(known, openNode(known.live.present()));
        if (isReshaped) known.held ??= known.live;
        for (const [device, own] of values) {
          if (own.size > 0) sink.reportValues(device.description.externalId, own);
        }
        if (reachable.size > 0) reportReach(sink, known);
        return undefined;
      }),
    takeOccurrence: (nodeId, occurrence) => {
      for (const happened of nodes.get(nodeId)?.live.happened(occurrence) ?? []) {
        sink.reportOccurrence(happened.device.description.externalId, happened.key, happened.occurrence);
      }
    },
    takeReach: (nodeId, reach) => {
      const known = nodes.get(nodeId);
      const before = known?.reach;
      if (known === undefined || before === reach) return before;
      known.reach = reach;
      reportReach(sink, known);
      return before;
    },
    stop: () => {
      isStopped = true;
      endPauses(nodes);
    },
  };
}

type Door = Pick<Nodes, 'plan' | 'confirm' | 'find' | 'externalIdsOf' | 'online' | 'present'>;

function createDoor({ sink }: NodesDeps, nodes: ReadonlyMap<string, Known>): Door {
  const find = (externalId: string): { readonly node: Known; readonly device: MatterDevice } | undefined => {
    const node = nodes.get(nodeIdIn(externalId));
    const device = node?.live.devices.find((one) => one.description.externalId === externalId);
    return node === undefined || device === undefined ? undefined : { node, device };
  };

  return {
    plan: (command) => {
      const found = find(command.externalId);
      if (found === undefined) throw new HubError('NOT_FOUND', 'This home has no such device.');
      const { node, device } = found;
      const asks = node.live.plan(device, command);
      if (node.reach === 'offline') throw new HubError('COMMAND_FAILED', 'The device does not answer.');
      return { nodeId: node.nodeId, asks };
    },
    confirm: ({ externalId, set }) => {
      const { node, device } = find(externalId) ?? {};
      if (node?.reach !== 'online' || device === undefined) return;
      const said = node.live.values(device);
      const same = [...set].flatMap(([key, wanted]) => {
        const feature = device.description.features.find((one) => one.key === key);
        const last = said.get(key);
        const isSame = feature !== undefined && last !== undefined && isConfirmedBy(feature, wanted, last);
        return isSame ? [[key, last] as const] : [];
      });
      if (same.length > 0) sink.reportValues(externalId, new Map(same));
    },
    find: (externalId) => {
      const found = find(externalId);
      return found && { nodeId: found.node.nodeId, isWhole: found.device.root === 0 };
    },
    externalIdsOf: (nodeId) => (nodes.get(nodeId)?.live.devices ?? []).map((one) => one.description.externalId),
    online: () => [...nodes.values()].filter(({ reach }) => reach === 'online').map(({ nodeId }) => nodeId),
    present: (nodeId) => nodes.get(nodeId)?.live.present(),
  };
}

type Availability = readonly [state: AvailabilityState, reason: string | null];

/** A bridge says of each of its devices whether it reaches that. */
function availabilityOf(reach: Reach | undefined, isReachable: boolean | undefined): Availability {
  switch (reach) {
    case undefined:
      return ['unknown', 'no_report'];
    case 'offline':
      return ['offline', 'no_answer'];
    case 'asleep':
      return ['asleep', 'sleeping'];
    case 'online':
      return isReachable === false ? ['offline', 'no_answer'] : ['online', null];
    default:
      return ['unknown', 'no_report'];
  }
}
