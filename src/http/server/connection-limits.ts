import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import { peerGroup } from '#base/ip-address.ts';
import { createLogTurn } from '#base/log.ts';

type ConnectionLimitsDeps = {
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

type Connection = {
  readonly socket: Socket;
  readonly address: Group;
  readonly network: Group;
  /** Requests whose answers have not ended; several if a client pipelines. */
  answering: number;
  request: IncomingMessage | undefined;
};

/** Connections that share a limit, the one with the oldest last answer (or start) first. */
type Group = { readonly key: string; readonly connections: Set<Connection> };

const MAX_CONNECTIONS = 512;
/** A peer is an IPv4 address, a link-local address, or else a whole /64, in which a host picks its addresses freely. */
const MAX_PER_PEER = 32;
/** The whole home shares fe80::/64, but each of its addresses is one neighbour. */
const LINK_LOCAL = /^fe[89ab]/i;
/**
 * In a flood from peers at their limit it is cheaper to reset the new connection before it is parsed, and the saved time
 * serves everyone else. Below this rate the new connection wins, for it may be the one that matters.
 */
const MAX_EVICTIONS_PER_S = 250;
const MINUTE_MS = 60_000;

/** One count for all servers (H2). The peer with the most connections loses the one that waited longest for its client. */
export function createConnectionLimits({ log, clock }: ConnectionLimitsDeps) {
  const connections = new WeakMap<Socket, Connection>();
  const addresses = new Map<string, Group>();
  const networks = new Map<string, Group>();
  const takeTurn = createLogTurn(MINUTE_MS, clock.monotonicMs);
  let open = 0;
  let evicted = 0;
  let refused = 0;
  let second = { startMs: Number.NEGATIVE_INFINITY, evicted: 0 };

  const leave = (connection: Connection): void => {
    if (!connection.network.connections.delete(connection)) return;
    open -= 1;
    connection.address.connections.delete(connection);
    if (connection.address.connections.size === 0) addresses.delete(connection.address.key);
    if (connection.network.connections.size === 0) networks.delete(connection.network.key);
  };
  /** A peer below its limit always may: only a peer that floods the hub is held back. */
  const mayEvict = (isAtLimit: boolean): boolean => {
    const nowMs = clock.monotonicMs();
    if (nowMs - second.startMs >= 1_000) second = { startMs: nowMs, evicted: 0 };
    second.evicted += 1;
    return !isAtLimit || second.evicted <= MAX_EVICTIONS_PER_S;
  };
  const makeRoom = (peer: string, network: string): boolean => {
    const { connections: own = new Set<Connection>() } = networks.get(network) ?? {};
    const isFull = own.size >= MAX_PER_PEER;
    if (!isFull && open < MAX_CONNECTIONS) return true;
    const turn = takeTurn();
    if (turn !== undefined) log.warn('too many connections: closing idle ones', { peer, open, evicted, refused });
    const candidates = heaviestFirst(isFull ? new Set([...own].map(({ address }) => address)) : networks.values());
    const held = addresses.get(peer)?.connections.size ?? 0;
    const victim = mayEvict(isFull)
      ? (findWaiting(candidates) ?? (isFull ? oldestOfHog(candidates, held) : undefined))
      : undefined;
    if (victim === undefined) {
      refused += 1;
      return false;
    }
    evicted += 1;
    leave(victim);
    // What the client has not read of its answers would stay in the kernel: 1.8 MB each, long after Node.js wrote it.
    victim.socket.resetAndDestroy();
    return true;
  };

  return {
    counts: () => ({ open, evicted, refused }),
    /** Whether a new connection may stay; if necessary it closes another to make room. */
    admit: (socket: Socket): boolean => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined) return false;
      const group = peerGroup(remoteAddress);
      const peer = group.includes(':') ? remoteAddress : group;
      const network = LINK_LOCAL.test(remoteAddress) ? remoteAddress : group;
      if (!makeRoom(peer, network)) return false;
      const connection: Connection = {
        socket,
        address: groupOf(addresses, peer),
        network: groupOf(networks, network),
        answering: 0,
        request: undefined,
      };
      connection.address.connections.add(connection);
      connection.network.connections.add(connection);
      open += 1;
      connections.set(socket, connection);
      socket.once('close', () => leave(connection));
      return true;
    },
    /** Follows which connections of this server are being answered: call it before the server listens. */
    watch: (server: Server): void => {
      const onRequest = (request: IncomingMessage, answer: ServerResponse): void => {
        const connection = connections.get(request.socket);
        if (connection !== undefined) followAnswer(connection, request, answer);
      };
      for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, onRequest);
    },
  };
}

function heaviestFirst(groups: Iterable<Group>): readonly Group[] {
  return [...groups].sort((left, right) => right.connections.size - left.connections.size);
}

/** One phone with many event streams must not keep the others of its /64 out: it gives one up for a host with fewer. */
function oldestOfHog([heaviest]: readonly Group[], held: number): Connection | undefined {
  if (heaviest === undefined || heaviest.connections.size <= held + 1) return undefined;
  const [oldest] = heaviest.connections;
  return oldest;
}

function groupOf(groups: Map<string, Group>, key: string): Group {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group: Group = { key, connections: new Set() };
  groups.set(key, group);
  return group;
}

function followAnswer(connection: Connection, request: IncomingMessage, answer: ServerResponse): void {
  connection.answering += 1;
  connection.request = request;
  answer.once('close', () => {
    connection.answering -= 1;
    if (connection.answering > 0) return;
    connection.request = undefined;
    for (const { connections } of [connection.address, connection.network]) {
      // A connection that is no longer in the set was closed in the meantime.
      if (connections.delete(connection)) connections.add(connection);
    }
  });
}

/**
 * The connection on which the hub has waited longest for the client, in the first group that has one: first one without
 * a whole request, then one whose answer is not read. `undefined` if every client waits for the hub.
 */
function findWaiting(groups: readonly Group[]): Connection | undefined {
  for (const { connections } of groups) {
    let unread: Connection | undefined;
    for (const connection of connections) {
      if (connection.answering === 0 || connection.request?.complete === false) return connection;
      if (unread === undefined && connection.socket.writableLength > 0) unread = connection;
    }
    if (unread !== undefined) return unread;
  }
  return undefined;
}
