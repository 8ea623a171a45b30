import { isIP } from 'node:net';

/** A name or address, with the port if one was written. */
type HostPort = {
  /** A name in lower case, or an IP address without brackets. */
  readonly host: string;
  readonly port: number | null;
};

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
/** `127.1`, `0x7f.1` and `2130706433` are addresses to some resolvers, though not written as one. */
const NUMERIC = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;
/** An interface name, or a number. */
const ZONE = /^[^\s/%\]]{1,15}$/u;

/** Reads `host`, `host:port`, `192.168.1.2:80`, `fe80::1%eth0` or `[fe80::1]:80`; `undefined` for anything else. */
export function readHostPort(text: string): HostPort | undefined {
  const [, bracketed, bare, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (bracketed === undefined && bare === undefined) {
    const host = readHost(text);
    return host?.includes(':') ? { host, port: null } : undefined;
  }
  const host = readHost(bracketed ?? bare ?? '');
  if (host === undefined || (bracketed !== undefined && !host.includes(':'))) return undefined;
  const port = digits === undefined ? null : Number(digits);
  return port === 0 || (port !== null && port > 65_535) ? undefined : { host, port };
}

/** The beginning of a URL, from a checked `host` or `host:port`. */
export function originFrom(scheme: 'http' | 'https' | 'ws' | 'wss', text: string): string {
  const { host, port } = readHostPort(text) ?? { host: text, port: null };
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;
}

/** A host name in lower case without a final dot, or an IP address as written; `undefined` for anything else. */
export function readHost(text: string): string | undefined {
  const [address = '', zone] = text.split(/%(.*)/su);
  if (isIP(address) === 6) return zone === undefined || ZONE.test(zone) ? text.toLowerCase() : undefined;
  if (isIP(text) === 4) return text;
  const name = text.toLowerCase().replace(/\.$/, '');
  const isName = name.length <= 253 && name.split('.').every((label) => LABEL.test(label)) && !NUMERIC.test(name);
  return isName ? name : undefined;
}

/** True for the names that stand for this machine everywhere. */
export function isLocalhostName(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host);
}
