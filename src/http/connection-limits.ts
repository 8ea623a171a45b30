import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { peerGroup } from '#base/peer-group.ts';
import { createLogTurn } from './log-turn.ts';

export type ConnectionLimitsDeps = {
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

export type ConnectionLimits = {
  /** Whether a new connection fits in, if need be in the place of another that is closed for it. */
  readonly admit: (socket: Socket) => boolean;
  /** Learns from this server which connections are being answered: call it before the server listens. */
  readonly watch: (server: Server) => void;
  readonly counts: () => { readonly open: number; readonly evicted: number; readonly refused: number };
};

type Connection = {
  readonly socket: Socket;
  readonly address: Group;
  readonly network: Group;
  /** Requests whose answers have not ended; several where a client pipelines. */
  answering: number;
  request: IncomingMessage | undefined;
};

/** Connections that share a limit. Both sets are in the order of age: as connections, and as idle ones. */
type Group = { readonly key: string; readonly all: Set<Connection>; readonly idle: Set<Connection> };

const MAX_CONNECTIONS = 512;
const MAX_PER_ADDRESS = 32;
/**
 * A host picks addresses of its /64 as it likes, so the /64 has a limit as well. It is above a single host's because a
 * whole home is in one /64: at 32 a dozen phones and tablets would crowd each other out.
 */
const MAX_PER_NETWORK = 128;
const MINUTE_MS = 60_000;

/** One count for all servers (H2). Who holds the most loses the connection that has waited longest for its own client. */
export function createConnectionLimits({ log, clock }: ConnectionLimitsDeps): ConnectionLimits {
  const connections = new WeakMap<Socket, Connection>();
  const addresses = new Map<string, Group>();
  const networks = new Map<string, Group>();
  const takeTurn = createLogTurn(MINUTE_MS, clock.monotonicMs);
  let open = 0;
  let evicted = 0;
  let refused = 0;

  const leave = (connection: Connection): void => {
    if (!connection.network.all.delete(connection)) return;
    open -= 1;
    connection.network.idle.delete(connection);
    connection.address.all.delete(connection);
    connection.address.idle.delete(connection);
    if (connection.address.all.size === 0) addresses.delete(connection.address.key);
    if (connection.network.all.size === 0) networks.delete(connection.network.key);
  };
  const findVictim = (
    address: Group | undefined,
    network: Group | undefined,
  ): Connection | undefined | 'none_needed' => {
    if (address !== undefined && address.all.size >= MAX_PER_ADDRESS) return longestWaiting(address);
    if (network !== undefined && network.all.size >= MAX_PER_NETWORK) return longestWaiting(network);
    if (open < MAX_CONNECTIONS) return 'none_needed';
    const byWeight = [...networks.values()].sort((left, right) => right.all.size - left.all.size);
    for (const group of byWeight) {
      const victim = longestWaiting(group);
      if (victim !== undefined) return victim;
    }
    return undefined;
  };
  const makeRoom = (peer: string, network: string): boolean => {
    const victim = findVictim(addresses.get(peer), networks.get(network));
    if (victim === 'none_needed') return true;
    const turn = takeTurn();
    if (turn !== undefined) log.warn('too many connections: closing idle ones', { peer, open, evicted, refused });
    if (victim === undefined) {
      refused += 1;
      return false;
    }
    evicted += 1;
    leave(victim);
    victim.socket.destroy();
    return true;
  };

  return {
    counts: () => ({ open, evicted, refused }),
    admit: (socket) => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined) return false;
      const network = peerGroup(remoteAddress);
      const peer = network.includes(':') ? remoteAddress : network;
      if (!makeRoom(peer, network)) return false;
      const connection: Connection = {
        socket,
        address: groupOf(addresses, peer),
        network: groupOf(networks, network),
        answering: 0,
        request: undefined,
      };
      join(connection);
      open += 1;
      connections.set(socket, connection);
      socket.once('close', () => leave(connection));
      return true;
    },
    watch: (server) => {
      const onRequest = (request: IncomingMessage, answer: ServerResponse): void => {
        const connection = connections.get(request.socket);
        if (connection !== undefined) followAnswer(connection, request, answer);
      };
      for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, onRequest);
    },
  };
}

function groupOf(groups: Map<string, Group>, key: string): Group {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group: Group = { key, all: new Set(), idle: new Set() };
  groups.set(key, group);
  return group;
}

function join(connection: Connection): void {
  for (const group of [connection.address, connection.network]) {
    group.all.add(connection);
    group.idle.add(connection);
  }
}

function followAnswer(connection: Connection, request: IncomingMessage, answer: ServerResponse): void {
  connection.answering += 1;
  connection.request = request;
  connection.address.idle.delete(connection);
  connection.network.idle.delete(connection);
  answer.once('close', () => {
    connection.answering -= 1;
    if (connection.answering > 0) return;
    connection.request = undefined;
    // It may have been evicted meanwhile.
    if (!connection.network.all.has(connection)) return;
    connection.address.idle.add(connection);
    connection.network.idle.add(connection);
  });
}

/**
 * The connection in which the hub has waited longest for the client: one without a request, else one whose request is
 * not whole, else one whose answer is not read. `undefined` if in all of them the client waits for the hub.
 */
function longestWaiting(group: Group): Connection | undefined {
  const [idle] = group.idle;
  if (idle !== undefined) return idle;
  const busy = [...group.all];
  return (
    busy.find(({ request }) => request?.complete === false) ?? busy.find(({ socket }) => socket.writableLength > 0)
  );
}
