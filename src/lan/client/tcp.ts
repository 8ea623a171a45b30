import type { Socket } from 'node:net';
import { ConnectionFault, connectionFailed } from '#base/network/connection-failure.ts';
import type { OpenTcp } from '#base/network/lan-ports.ts';
import { DEFAULT_TIMEOUT_MS, startCallLimit } from './call-limit.ts';
import { readPlace } from './lan-url.ts';
import { readFault } from './read-fault.ts';
import { type ConnectionDeps, MAX_WAITING_BYTES } from './web-socket.ts';

/** How long a peer may take to end its side too. */
const CLOSE_MS = 1_000;

/** Opens TCP connections, over sockets of the one opener. */
export function createTcpOpener({ openSocket, startTimer, closing }: ConnectionDeps): OpenTcp {
  return async (options) => {
    const limit = startCallLimit(startTimer, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, [closing, options.signal]);
    try {
      const place = readPlace(options.host, options.defaultPort);
      const { socket } = await openSocket({ ...place, trust: 'no_tls' }, limit.signal);
      const signals = [closing, options.signal];
      const abort = (): void => void socket.destroy();
      for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
      let stopTimer: (() => void) | undefined;
      const ended = new Promise<void>((resolve) => {
        socket.once('close', () => {
          stopTimer?.();
          for (const signal of signals) signal.removeEventListener('abort', abort);
          resolve();
        });
      });
      socket.on('data', (data: Buffer) => {
        if (!options.signal.aborted) options.onData(data);
      });
      return {
        send: (data) => send(socket, data),
        ended,
        close: () => {
          if (socket.destroyed || stopTimer !== undefined) return;
          stopTimer = startTimer(CLOSE_MS, abort);
          socket.end();
        },
      };
    } catch (cause) {
      throw connectionFailed(readFault(cause));
    } finally {
      limit.end();
    }
  };
}

function send(socket: Socket, data: Uint8Array): void {
  if (!socket.writable) throw connectionFailed(new ConnectionFault('closed', 'the connection has ended'));
  if (socket.writableLength > MAX_WAITING_BYTES) {
    socket.destroy();
    throw connectionFailed(new ConnectionFault('too_large', 'the other side does not read what the hub sends'));
  }
  socket.write(data);
}
