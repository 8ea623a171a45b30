import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { ConnectionFault } from '#base/network/connection-failure.ts';
import type { TlsTrust } from '#base/network/lan-ports.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { FindAddresses } from './find-addresses.ts';
import type { Place } from './lan-url.ts';
import { readFault } from './read-fault.ts';

export type SocketOpener = (target: SocketTarget, signal: AbortSignal) => Promise<OpenedSocket>;

export type SocketTarget = Place & {
  /** `authority`: a public authority must have signed the certificate for this host. */
  readonly trust: TlsTrust | 'authority' | 'no_tls';
};

type OpenedSocket = {
  readonly socket: Socket;
  /** The fingerprint of the peer's certificate; `null` without TLS. */
  readonly fingerprint: string | null;
};

type SocketOpenerDeps = {
  readonly findAddresses: FindAddresses;
  /** True for a host that an owner entered. */
  readonly mayReachHub: (host: string) => boolean;
  readonly startTimer: StartTimer;
};

/** An address that does not answer must leave time for the next one of the same name. */
const ATTEMPT_MS = 2_000;
/** With ten probes a second apart, the kernel ends a connection to a peer that is gone after some 42 s. */
export const PROBE_AFTER_MS = 30_000;

/**
 * The one way of the ports to a socket: name, address, connection, certificate, in this order, and not a byte is sent
 * before all of them are right. TLS sessions are never resumed, so each connection shows its certificate. Throws
 * ConnectionFault. An abort leaves no socket.
 */
export function createSocketOpener({ findAddresses, mayReachHub, startTimer }: SocketOpenerDeps): SocketOpener {
  return async (target, signal) => {
    const addresses = await findAddresses(target.host, mayReachHub(target.host), signal);
    let fault: ConnectionFault | undefined;
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      try {
        return await connect(target, address, { signal, startTimer, attemptMs: isLast ? null : ATTEMPT_MS });
      } catch (cause) {
        fault = readFault(cause);
        // Another address of the same machine would have the same certificate.
        if (signal.aborted || fault.reason === 'certificate_refused') throw fault;
      }
    }
    throw fault ?? new ConnectionFault('unreachable', 'the host has no address');
  };
}

type Attempt = {
  readonly signal: AbortSignal;
  readonly startTimer: StartTimer;
  /** `null`: as long as the signal lets it. */
  readonly attemptMs: number | null;
};

function connect(target: SocketTarget, address: string, attempt: Attempt): Promise<OpenedSocket> {
  const { signal } = attempt;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const socket = openSocket(target, address);
    const giveUp = (): void => void socket.destroy(new ConnectionFault('timeout', 'the address does not answer'));
    const stopTimer = attempt.attemptMs === null ? undefined : attempt.startTimer(attempt.attemptMs, giveUp);
    const abort = (): void => void socket.destroy(signal.reason as Error);
    const leave = (): void => {
      stopTimer?.();
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', fail);
      socket.removeListener('close', end);
    };
    const fail = (cause: Error): void => {
      leave();
      socket.destroy();
      reject(cause);
    };
    const end = (): void => fail(new ConnectionFault('closed', 'the other side closed the connection'));
    const open = (): void => {
      const fingerprint = fingerprintOf(socket);
      const refusal = refusalOf(target.trust, fingerprint);
      if (refusal !== undefined) return fail(refusal);
      leave();
      resolve({ socket, fingerprint });
    };
    signal.addEventListener('abort', abort, { once: true });
    // Stays: a failure between two owners of the socket must not end the process. Each owner sees its `close`.
    socket.on('error', () => undefined);
    socket.once('error', fail).once('close', end);
    socket.once('connect', () => stopTimer?.());
    socket.once(target.trust === 'no_tls' ? 'connect' : 'secureConnect', open);
  });
}

function openSocket({ host, port, trust }: SocketTarget, address: string): Socket {
  // `host` is an address here, so nothing is resolved a second time.
  const options = { host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: PROBE_AFTER_MS };
  if (trust === 'no_tls') return connectTcp(options);
  return connectTls({
    ...options,
    // The certificate must be for the name, not for the address.
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // `open` checks the pin.
    rejectUnauthorized: trust === 'authority',
  });
}

function fingerprintOf(socket: Socket): string | null {
  if (!(socket instanceof TLSSocket)) return null;
  return bareHex(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
}

function refusalOf(trust: SocketTarget['trust'], fingerprint: string | null): ConnectionFault | undefined {
  if (typeof trust !== 'object') return undefined;
  // An empty pin is no pin.
  if (fingerprint !== '' && bareHex(trust.pin) === fingerprint) return undefined;
  return new ConnectionFault('certificate_refused', 'the certificate is not the one that was seen at set-up');
}

function bareHex(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}
