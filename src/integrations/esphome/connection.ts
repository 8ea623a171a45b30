import type { LanTcp, OpenTcp } from '#base/network/lan-ports.ts';
import { repeat } from '#base/time/repeat.ts';
import type { StartTimer } from '#base/time/timer.ts';
import {
  createNoiseFraming,
  createPlainFraming,
  type Framing,
  type FramingDeps,
  type NodeHello,
} from '#integrations/esphome/wire/framing.ts';
import { createConnectionLife } from '#integrations/peer/connection-life.ts';
import { nodeFault, nodeFaultFrom } from '#integrations/esphome/wire/node-fault.ts';
import { type Message, readMessage } from '#integrations/esphome/wire/protobuf.ts';

/** An open connection to a node. What it sends and asks throws PeerFault. */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

export type ConnectionDeps = {
  readonly host: string;
  readonly key: Uint8Array | null;
  /** The MAC address of the node that is expected; `null` for any. */
  readonly mac: string | null;
  readonly openTcp: OpenTcp;
  readonly startTimer: StartTimer;
  readonly signal: AbortSignal;
  /**
   * Called with each message but pings, and with what answers it: a node may speak before the connection is open for
   * the hub. What it throws ends the connection.
   */
  readonly onMessage: (type: number, message: Message, send: Connection['send']) => void;
  /** Called for a message that is none; it is skipped. */
  readonly onUnreadable: () => void;
};

const DEFAULT_PORT = 6_053;
const OPEN_MS = 5_000;
const HANDSHAKE_MS = 10_000;
/** A node that says nothing for this long is asked; one that does not answer is lost. */
const PING_MS = 15_000;
const SILENCE_MS = 10_000;

const DISCONNECT = 5;
const DISCONNECT_DONE = 6;
const PING = 7;
const PONG = 8;

/** Connects, and proves the key if there is one. Rejects with PeerFault and leaves nothing behind then. */
export async function openConnection(deps: ConnectionDeps) {
  const { host, openTcp, startTimer, signal } = deps;
  const life = createConnectionLife(signal, nodeFaultFrom);
  const pings: (() => void)[] = [];
  let heard = 0;
  let tcp: LanTcp | undefined;
  const ready = createEvent();
  const takeMessage = (type: number, body: Uint8Array): void => {
    if (life.isOver()) return;
    heard += 1;
    if (type === PONG) return pings.shift()?.();
    if (type === PING) return framing.send(PONG, NOTHING);
    if (type === DISCONNECT) {
      framing.send(DISCONNECT_DONE, NOTHING);
      return life.end(nodeFault('NODE_UNREACHABLE'));
    }
    const message = readMessage(body);
    if (message === undefined) deps.onUnreadable();
    else deps.onMessage(type, message, send);
  };
  const framing = createFraming(deps, {
    write: (bytes) => tcp?.send(bytes),
    onReady: ready.happen,
    onMessage: takeMessage,
  });
  const send = (type: number, body: Uint8Array = NOTHING): void => {
    if (life.isOver()) throw nodeFault('NODE_UNREACHABLE');
    try {
      framing.send(type, body);
    } catch (cause) {
      throw nodeFaultFrom(cause);
    }
  };
  const ping = async (): Promise<void> => {
    const answer = createEvent();
    pings.push(answer.happen);
    send(PING);
    const stop = startTimer(SILENCE_MS, () => life.end(nodeFault('NODE_SILENT')));
    await Promise.race([answer.happened, life.ended]).finally(stop);
    if (life.isOver()) throw nodeFault('NODE_UNREACHABLE');
  };
  try {
    tcp = await openTcp({
      host,
      defaultPort: DEFAULT_PORT,
      timeoutMs: OPEN_MS,
      onData: (bytes) => life.during(() => framing.take(bytes)),
      signal: life.signal,
    });
    void tcp.ended.then(() => life.end(nodeFault('NODE_UNREACHABLE')));
    const stopLimit = startTimer(HANDSHAKE_MS, () => life.end(nodeFault('BAD_ANSWER')));
    life.during(framing.begin);
    await Promise.race([ready.happened, life.ended]).finally(stopLimit);
  } catch (cause) {
    life.end(cause);
    await life.ended;
  }
  if (!life.isOver()) {
    // The reason of a failure is that of the whole connection.
    const stop = watch({ startTimer, heard: () => heard, ping: () => void ping().catch(() => undefined) });
    void life.ended.catch(() => undefined).finally(stop);
  }
  return {
    /** Rejects with the reason once the connection has ended; resolves if its signal ended it. */
    ended: life.ended,
    /** Resolves once the node has taken all that was sent before: it takes one message after the other. */
    ping,
    /** Ends the connection for this reason; anything but a PeerFault is a bug. */
    fail: life.end,
    send,
  };
}

const NOTHING = new Uint8Array();

function createEvent() {
  let happen = (): void => undefined;
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return {
    happened,
    happen: (): void => happen(),
  };
}

function createFraming({ key, mac }: ConnectionDeps, framing: FramingDeps): Framing {
  if (key === null) return createPlainFraming(framing);
  const onHello = (hello: NodeHello): void => {
    if (mac !== null && hello.mac !== null && hello.mac !== mac) throw nodeFault('OTHER_NODE');
  };
  return createNoiseFraming({ ...framing, key, onHello });
}

type Watch = { readonly startTimer: StartTimer; readonly heard: () => number; readonly ping: () => void };

/** Asks a node that says nothing any more, though nobody has ended the connection: its power may be gone. */
function watch({ startTimer, heard, ping }: Watch): () => void {
  let before = heard();
  return repeat(startTimer, PING_MS, () => {
    const isSilent = heard() === before;
    before = heard();
    if (isSilent) ping();
  });
}
