import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type BrokerAddress = { readonly host: string; readonly port: number; readonly isTls: boolean };

/** Reads `mqtt://host[:port]` or `mqtts://host[:port]`; `undefined` for anything else, credentials in it included. */
export function readBrokerAddress(url: string): BrokerAddress | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  if (protocol !== 'mqtt:' && protocol !== 'mqtts:') return undefined;
  if (hostname === '' || username !== '' || password !== '' || pathname.length > 1 || port === '0') return undefined;
  const isTls = protocol === 'mqtts:';
  // The URL has IPv6 addresses in brackets, sockets want them without.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: port === '' ? (isTls ? 8883 : 1883) : Number(port), isTls };
}

/** The address as people write it. */
export function placeOfBroker({ host, port }: BrokerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export function openBrokerSocket({ host, port, isTls }: BrokerAddress): Socket {
  const socket = isTls
    ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connectTcp({ host, port });
  return socket.setNoDelay(true);
}
