import { ChangeNotificationService, type ClientNode, type Endpoint, NetworkClient } from '@matter/main';
import { CommissioningClient } from '@matter/main/node';
import { ClientSubscriptions, PeerAddress } from '@matter/main/protocol';
import type { FromController, Reach } from '#integrations/matter/controller-message.ts';
import type { MatterChange, MatterNode, MatterOccurrence } from '#integrations/matter/matter-node.ts';
import { followSleep, letSleep } from './device-sleep.ts';
import type { HomeNode } from './home-node.ts';
import { changesOf, isCluster, isStructure, nodeOf, plain } from './node-json.ts';
import { isSameThing, type NodeNames } from './node-names.ts';
import { doesAnswer } from './node-talk.ts';

export type PeerWatch = ReturnType<typeof createPeerWatch>;

type Earlier = { readonly node: ClientNode; readonly nodeId: string };

type PeerWatchDeps = {
  readonly home: HomeNode;
  readonly names: Pick<NodeNames, 'nameOf'>;
  readonly say: (message: FromController) => void;
  /** Another part of a device came or went. */
  readonly onStructure: () => void;
  /** A device left, or has a key to say that it wakes: that must not be lost. */
  readonly onKeys: () => void;
  readonly fault: (what: string, cause: unknown) => void;
};

/** Tells the hub what devices say. */
export function createPeerWatch({ home, names, say, onStructure, onKeys, fault }: PeerWatchDeps) {
  const peers = new Map<ClientNode, Peer>();
  let hasBegun = false;

  home.env.get(ChangeNotificationService).change.on((change) => {
    const peer = peers.get(rootOf(change.endpoint) as ClientNode);
    if (peer === undefined) return;
    const { kind, endpoint } = change;
    if (kind === 'delete') {
      if (!peers.has(endpoint as ClientNode)) peer.noteStructure();
      return;
    }
    const { behavior } = change;
    if (!isCluster(behavior)) return;
    if (kind === 'event') {
      const fields = Object.entries(change.payload ?? {});
      const data = Object.fromEntries(fields.map(([name, value]) => [name, plain(value)]));
      peer.happen({ endpoint: endpoint.number, cluster: behavior.id, event: change.event.propertyName, data });
      return;
    }
    const attributes = change.properties ?? [];
    if (isStructure(behavior, attributes)) peer.noteStructure();
    peer.take(changesOf(endpoint, behavior, attributes));
  });
  const forget = (node: ClientNode): Peer | undefined => {
    const peer = peers.get(node);
    peer?.stop();
    peers.delete(node);
    return peer;
  };
  home.peers.deleted.on((node) => {
    const peer = forget(node);
    if (peer === undefined) return;
    say({ type: 'gone', nodeId: peer.nodeId });
    onKeys();
  });

  return {
    /** Follows a device of this home from now on. */
    follow: (node: ClientNode): void => {
      const nodeId = names.nameOf(node);
      if (nodeId === undefined || peers.has(node)) return;
      const peer = createPeer({ node, nodeId, say, onStructure, onKeys, fault });
      peers.set(node, peer);
      const isCurrent = (): boolean => peers.get(node) === peer;
      node.eventsOf(NetworkClient).subscriptionStatusChanged.on((isActive) => {
        if (isCurrent()) peer.setLive(isActive);
      });
      // A command that nobody answers shows it sooner than a report that does not come.
      node.lifecycle.offline.on(() => {
        if (!isCurrent()) return;
        peer.setLive(false);
        endSubscription(home, node);
      });
      if (node.act((agent) => agent.get(NetworkClient).subscriptionActive) === true) peer.setLive(true);
      else if (hasBegun) peer.sayReach();
    },
    /** The hub knows the devices: from now on it hears how each can be reached. */
    begin: (): void => {
      hasBegun = true;
      for (const peer of peers.values()) peer.sayReach();
    },
    find: (nodeId: string): ClientNode | undefined => [...peers].find(([, one]) => one.nodeId === nodeId)?.[0],
    all: (): readonly MatterNode[] => [...peers].map(([node, { nodeId }]) => nodeOf(node, nodeId)),
    /** Another device of this home that says that it is the same thing, and does not answer any more. */
    findEarlier: async (node: ClientNode): Promise<Earlier | undefined> => {
      for (const [other, { nodeId, isLive }] of peers) {
        if (other === node || !isSameThing(other, node)) continue;
        // A maker may have given one number to all of its devices.
        if (!isLive() || !(await doesAnswer(other))) return { node: other, nodeId };
      }
      return undefined;
    },
    /** Nothing is said of it any more: the hub itself takes it away. */
    drop: (node: ClientNode): void => void forget(node),
    /** Nothing is said of any device any more. */
    stop: (): void => [...peers.keys()].forEach(forget),
  };
}

/** Without this the library waits until the time of the last subscription is over, also if the device is back. */
function endSubscription(home: HomeNode, node: ClientNode): void {
  const address = node.maybeStateOf(CommissioningClient)?.peerAddress;
  if (address !== undefined) home.env.get(ClientSubscriptions).closeForPeer(PeerAddress(address));
}

const MOST_ABOVE = 1_000;

function rootOf(endpoint: Endpoint): Endpoint {
  let root = endpoint;
  // No device has so many parts above each other: where the library has a circle, this must not hang.
  for (let above = 0; above < MOST_ABOVE && root.number !== 0 && root.owner !== undefined; above += 1)
    root = root.owner;
  return root;
}

type Peer = ReturnType<typeof createPeer>;

type PeerDeps = Pick<PeerWatchDeps, 'say' | 'onStructure' | 'onKeys' | 'fault'> & {
  readonly node: ClientNode;
  readonly nodeId: string;
};

/** Reports come in one go for a whole node. */
const GATHER_MS = 10;
/** For what a device adds or takes away in several steps. */
const SETTLE_MS = 500;
/** A device that has not answered by then is away; before, nobody knows. One that sleeps may need longer. */
const FIRST_ANSWER_MS = 60_000;

/** While it is not live, its reports are not news: what it says then, it says as a whole once it is. */
function createPeer({ node, nodeId, say, onStructure, onKeys, fault }: PeerDeps) {
  let isLive = false;
  /** It has been heard, or should have been. */
  let isKnown = false;
  let changes: MatterChange[] = [];
  let changesTimer: NodeJS.Timeout | undefined;
  let structureTimer: NodeJS.Timeout | undefined;
  const reachNow = (): Reach | undefined => {
    const asleep = sleep.now();
    // What it is asked while it sleeps it would do when it wakes, which may be too late: the hub keeps that until then.
    if (isLive) return asleep?.isAwake === false ? 'asleep' : 'online';
    if (asleep !== undefined && (asleep.isInTime || !isKnown)) return 'asleep';
    return isKnown ? 'offline' : undefined;
  };
  const sayReach = (): void => {
    const reach = reachNow();
    if (reach !== undefined) say({ type: 'reach', nodeId, reach });
  };
  const sleep = followSleep(node, sayReach);
  const settle = (): void => {
    clearTimeout(firstTimer);
    isKnown = true;
    sayReach();
  };
  const firstTimer = setTimeout(settle, Math.max(FIRST_ANSWER_MS, sleep.now()?.longestMs ?? 0));
  const dropChanges = (): void => {
    clearTimeout(changesTimer);
    changesTimer = undefined;
    changes = [];
  };
  const sayAll = (): void => {
    dropChanges();
    say({ type: 'node', node: nodeOf(node, nodeId) });
  };
  return {
    nodeId,
    isLive: (): boolean => isLive,
    setLive: (next: boolean): void => {
      const wasLive = isLive;
      isLive = next;
      if (next && !wasLive) {
        sayAll();
        letSleep(node)
          .then((isNew) => isNew && onKeys())
          .catch((cause: unknown) => fault('the sleep of a device', cause));
      }
      if (next || sleep.now() === undefined) settle();
      else sayReach();
    },
    /** Where that is known. */
    sayReach,
    take: (more: readonly MatterChange[]): void => {
      if (!isLive || more.length === 0) return;
      changes.push(...more);
      changesTimer ??= setTimeout(() => {
        const gathered = changes;
        dropChanges();
        say({ type: 'changes', nodeId, changes: gathered });
      }, GATHER_MS);
    },
    // What it tells when it is heard again happened before.
    happen: (occurrence: MatterOccurrence): void =>
      isLive ? say({ type: 'occurrence', nodeId, occurrence }) : undefined,
    noteStructure: (): void => {
      clearTimeout(structureTimer);
      structureTimer = setTimeout(() => {
        if (isLive) sayAll();
        onStructure();
      }, SETTLE_MS);
    },
    stop: (): void => {
      dropChanges();
      clearTimeout(structureTimer);
      clearTimeout(firstTimer);
      sleep.stop();
    },
  };
}
