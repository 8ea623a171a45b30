import { lookup } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { StartTimer } from '#base/time/timer.ts';
import type { BrokerAddress } from '#base/broker-url.ts';
import { createPacketFrames } from './packet-frames.ts';

type BrokerStreamDeps = {
  readonly address: BrokerAddress;
  /** True for an IP address that the hub may connect to. */
  readonly mayConnect: (address: string) => boolean;
  /** Called before bytes of the broker are read. */
  readonly noteServed: () => void;
  readonly monotonicMs: () => number;
  readonly startTimer: StartTimer;
};

/** Limit per turn of the event loop, for each of the two connections. */
const TURN_MS = 5;
/** A home of 4,478 devices sends 17 MB at once when the hub connects, and again when one device changes. */
const BURST_BYTES = 64 * 1024 * 1024;
const BYTES_PER_MS = 32 * 1024;

/**
 * The connection to a broker as the MQTT client sees it: whole packets of the allowed kinds, one at a time, limited per
 * turn of the event loop and per second. Excess data waits at the broker, by the flow control of TCP. Fails with
 * BrokerFault if the broker sends a packet that it must not send.
 */
export function openBrokerStream(deps: BrokerStreamDeps): Duplex {
  const isTurnLeft = createTurnBudget(deps.monotonicMs);
  const socket = openBrokerSocket(deps);
  const frames = createPacketFrames();
  const debtMs = createByteDebt(deps.monotonicMs);
  /** The client has taken the last packet and waits for the next. */
  let isClientReady = true;
  let stopWait: (() => void) | undefined;

  const wait = (start: (run: () => void) => () => void): void => {
    socket.pause();
    stopWait = start(() => {
      stopWait = undefined;
      handOver();
    });
  };
  const handOver = (): void => {
    if (stopWait !== undefined) return;
    try {
      while (isClientReady && !stream.destroyed) {
        deps.noteServed();
        const packet = frames.next();
        if (packet === undefined) return void socket.resume();
        isClientReady = stream.push(packet);
        if (!isTurnLeft()) return wait(startTurn);
      }
    } catch (fault) {
      stream.destroy(fault as Error);
      return;
    }
    socket.pause();
  };

  const stream = new Duplex({
    // 1: the client takes nothing in advance, so the time of a packet is known when the next one is handed over.
    readableHighWaterMark: 1,
    read: () => {
      if (isClientReady) return;
      isClientReady = true;
      process.nextTick(handOver);
    },
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    writev: (chunks, done) => {
      socket.cork();
      for (const [index, { chunk }] of chunks.entries()) {
        socket.write(chunk as Buffer, index === chunks.length - 1 ? done : undefined);
      }
      socket.uncork();
    },
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      stopWait?.();
      if (socket.closed) return done(error);
      socket.once('close', () => done(error)).destroy();
    },
  });
  socket.on('data', (chunk: Buffer) => {
    frames.take(chunk);
    const ms = debtMs(chunk.length);
    if (ms > 0) wait((run) => deps.startTimer(ms, run));
    else handOver();
  });
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => stream.destroy());
  return stream;
}

function openBrokerSocket({ address: { host, port, isTls }, mayConnect }: BrokerStreamDeps): Socket {
  if (isIP(host) !== 0 && !mayConnect(host)) return new Socket().destroy(addressRefused());
  const place = { host, port, lookup: lookUpAmong(mayConnect) };
  const socket = isTls
    ? connectTls({ ...place, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connectTcp(place);
  return socket.setNoDelay(true);
}

/** As the system's resolver, without the addresses to which the hub may not connect. */
function lookUpAmong(mayConnect: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const allowed = found.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (first === undefined) done(addressRefused(), []);
      else if (options.all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
}

function addressRefused(): Error {
  return Object.assign(new Error('the broker is the hub itself'), { code: 'ADDRESS_REFUSED' });
}

/** Returns a test whether time is left in this turn of the event loop. */
function createTurnBudget(monotonicMs: () => number): () => boolean {
  let endMs: number | undefined;
  return () => {
    const nowMs = monotonicMs();
    if (endMs === undefined) {
      endMs = nowMs + TURN_MS;
      setImmediate(() => {
        endMs = undefined;
      });
    }
    return nowMs < endMs;
  };
}

function startTurn(run: () => void): () => void {
  const turn = setImmediate(run);
  return () => clearImmediate(turn);
}

/** Returns how long to wait after receiving so many bytes, to stay below the bytes per second. */
function createByteDebt(monotonicMs: () => number): (bytes: number) => number {
  let credit = BURST_BYTES;
  let sinceMs = monotonicMs();
  return (bytes) => {
    const nowMs = monotonicMs();
    credit = Math.min(BURST_BYTES, credit + (nowMs - sinceMs) * BYTES_PER_MS) - bytes;
    sinceMs = nowMs;
    return -credit / BYTES_PER_MS;
  };
}
