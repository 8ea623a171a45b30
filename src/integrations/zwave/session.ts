import { type JsonObject, isJsonObject, objectOf } from '#base/json.ts';
import { originFrom, readHostPort } from '#base/network/host-port.ts';
import type { LanWebSocket, OpenWebSocket } from '#base/network/lan-ports.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { PeerRefusal } from '#integrations/peer/peer-fault.ts';
import { networkIdFrom } from './zwave-settings.ts';
import type { Network } from './network.ts';
import { serverFault, serverFaultFrom } from './server-fault.ts';
import { type Call, createTalk, type Talk, type Version } from './talk.ts';
import { nodeIdOf, readNodes } from './zwave-message.ts';
import { waitForRoom } from '#integrations/peer/connection-run.ts';

type ConnectionDeps = Pick<Runtime, 'startTimer' | 'monotonicMs'> & {
  readonly host: string;
  readonly openWebSocket: OpenWebSocket;
  readonly signal: AbortSignal;
};

type SessionDeps = ConnectionDeps & {
  /** The id of the network as of the set-up. */
  readonly networkId: string | null;
  readonly network: Network;
  /** Called once all nodes are read: they can be commanded from now on. */
  readonly onUp: (call: Call) => void;
  readonly onUnreadable: (cause?: unknown) => void;
};

const PORT = 3_000;
const OPEN_MS = 5_000;
/** All that the server knows of all nodes comes as one message: some 20 KB for each of them, in a network of up to 232. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The schema of the server's messages that this code was written for, and the oldest that it understands. */
const SCHEMA = 50;
const OLDEST_SCHEMA = 32;
/** A node changes in many small steps until it is what it is. */
const SETTLE_MS = 1_000;
/** While the nodes are read. */
const MOST_EVENTS = 5_000;

/** One connection to the server. Resolves when it ends; rejects with PeerFault. Leaves nothing behind. */
export async function runSession(deps: SessionDeps): Promise<void> {
  const { network, startTimer, signal } = deps;
  const ending = new AbortController();
  let failure: Error | undefined;
  let early: JsonObject[] | undefined = [];
  let closeSocket = (): void => undefined;
  let endTalk = (_error: Error): void => undefined;
  const end = (error: Error): void => {
    failure ??= error;
    ending.abort();
    endTalk(error);
    closeSocket();
  };
  const renewing = createRenewing({ ...deps, call: (...asked) => talk.call(...asked), signal: ending.signal, end });
  const onEvent = (event: JsonObject): void => {
    if (signal.aborted || failure !== undefined) return;
    if (early !== undefined) {
      if (early.length >= MOST_EVENTS) end(serverFault('BAD_ANSWER'));
      else if (event['event'] !== 'statistics updated') early.push(event);
      return;
    }
    if (event['source'] === 'driver' && event['event'] === 'driver ready') return end(serverFault('SERVER_RESTARTED'));
    takeEvent(event, network, renewing);
  };
  const onTooMuch = (): void => end(serverFault('BAD_ANSWER'));
  const { talk, socket } = await openTalk({ ...deps, onEvent, onTooMuch });
  closeSocket = socket.close;
  endTalk = talk.end;
  void socket.ended.then(() => end(serverFault('SERVER_UNREACHABLE')));
  try {
    checkVersion(await talk.version, deps.networkId);
    const { maxSchema } = await talk.version;
    await talk.call('initialize', { schemaVersion: Math.min(SCHEMA, maxSchema) });
    const nodes = readNodes((await talk.call('start_listening'))['state']);
    if (nodes === undefined) throw serverFault('BAD_ANSWER');
    if (!(await network.begin(nodes))) return await waitForRoom(startTimer, signal);
    const waiting = early;
    early = undefined;
    for (const event of waiting) onEvent(event);
    deps.onUp(talk.call);
    await socket.ended;
    if (!signal.aborted && failure !== undefined) throw failure;
  } catch (cause) {
    throw failure ?? serverFaultFrom(cause);
  } finally {
    end(serverFault('SERVER_UNREACHABLE'));
    await renewing.idle();
  }
}

/** Opens a connection over which questions can be asked. Throws PeerFault. */
export async function openTalk(
  deps: ConnectionDeps & {
    readonly onEvent: (event: JsonObject) => void;
    readonly onUnreadable: (cause?: unknown) => void;
    readonly onTooMuch: () => void;
  },
): Promise<{ readonly talk: Talk; readonly socket: LanWebSocket }> {
  const { host, openWebSocket, signal } = deps;
  let socket: LanWebSocket | undefined;
  const talk = createTalk({
    ...deps,
    send: (text) => {
      if (socket === undefined) throw serverFault('SERVER_UNREACHABLE');
      socket.send(text);
    },
  });
  const place = readHostPort(host);
  const origin = originFrom('ws', host);
  try {
    socket = await openWebSocket({
      url: place?.port === null ? `${origin}:${PORT}` : origin,
      timeoutMs: OPEN_MS,
      maxBytes: MAX_BYTES,
      onMessage: (data) => talk.onMessage(typeof data === 'string' ? data : ''),
      signal,
    });
    return { talk, socket };
  } catch (cause) {
    const error = serverFaultFrom(cause);
    talk.end(error);
    throw error;
  }
}

/** Throws PeerFault unless the hub can work with this server. */
export function checkVersion({ homeId, minSchema, maxSchema }: Version, networkId: string | null): void {
  if (networkId !== null && networkIdFrom(homeId) !== networkId) throw serverFault('OTHER_NETWORK');
  if (maxSchema < OLDEST_SCHEMA) throw serverFault('SERVER_TOO_OLD');
  if (minSchema > SCHEMA) throw serverFault('SERVER_TOO_NEW');
}

type Renewing = ReturnType<typeof createRenewing>;

function takeEvent(event: JsonObject, network: Network, renewing: Renewing): void {
  const { source, event: what } = event;
  const nodeId = nodeIdOf(event['nodeId'] ?? objectOf(event['node'])['nodeId']);
  if (nodeId === undefined) return;
  if (source === 'node') {
    if (network.takeEvent(nodeId, event)) renewing.renew(nodeId);
  } else if (source === 'controller' && what === 'node added') {
    renewing.renew(nodeId);
  } else if (source === 'controller' && what === 'node removed') {
    renewing.remove(nodeId);
  }
}

type RenewingDeps = {
  readonly network: Network;
  readonly call: Call;
  readonly startTimer: StartTimer;
  readonly signal: AbortSignal;
  readonly end: (error: Error) => void;
};

/** Reads nodes again, one after the other and each a moment after it has changed. */
function createRenewing({ network, call, startTimer, signal, end }: RenewingDeps) {
  const inTurn = createTurnQueue();
  const waiting = new Set<number>();
  let last: Promise<unknown> = Promise.resolve();
  const run = (task: () => Promise<void>): void => {
    last = inTurn(async () => {
      if (!signal.aborted) await task();
    }).catch((cause: unknown) => end(serverFaultFrom(cause)));
  };
  const read = async (nodeId: number): Promise<void> => {
    try {
      const { state } = await call('node.get_state', { nodeId });
      if (!signal.aborted && isJsonObject(state)) await network.takeNode(state);
    } catch (cause) {
      if (!(cause instanceof PeerRefusal)) throw cause;
      if (cause.code === 'node_not_found') await network.removeNode(nodeId);
    }
  };
  return {
    renew: (nodeId: number): void => {
      if (waiting.has(nodeId)) return;
      waiting.add(nodeId);
      void waitMs(SETTLE_MS, startTimer, signal).then(() => {
        run(async () => {
          // What changes while it is read is read after that.
          waiting.delete(nodeId);
          await read(nodeId);
        });
      });
    },
    remove: (nodeId: number): void => run(() => network.removeNode(nodeId)),
    idle: async (): Promise<void> => {
      await last;
    },
  };
}
