import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { BrokerAddress } from '#base/broker-url.ts';

/** A TCP or TLS connection to the broker. */
export function openBrokerSocket({ host, port, isTls }: BrokerAddress): Socket {
  const socket = isTls
    ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connectTcp({ host, port });
  return socket.setNoDelay(true);
}
