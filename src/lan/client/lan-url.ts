import { ConnectionFault } from '#base/network/connection-failure.ts';
import { readHostPort } from '#base/network/host-port.ts';

/** Where a connection goes. */
export type Place = {
  /** A name or an address, as sockets take it: without brackets, a link-local one with its zone. */
  readonly host: string;
  readonly port: number;
};

type LanUrl = Place & {
  readonly isTls: boolean;
  /** Without the zone, which means nothing to the other machine (RFC 6874 §1). */
  readonly url: URL;
};

const MAX_LENGTH = 2_000;
/** Node's reader of URLs refuses a zone, with `%25` (RFC 6874) or with the bare `%` that people write. */
const ZONED = /^([a-z]+:\/\/\[[0-9a-f:.]+)%(?:25)?([^\s%\]/?#]{1,15})\]/i;

/** Reads a URL of one of these schemes (`http:`); the second one has TLS. Throws ConnectionFault. */
export function readLanUrl(text: string, [plain, secure]: readonly [string, string]): LanUrl {
  const zone = text.length > MAX_LENGTH ? undefined : ZONED.exec(text)?.[2];
  const bare = zone === undefined ? text : text.replace(ZONED, '$1]');
  if (text.length > MAX_LENGTH || !URL.canParse(bare)) throw unusable('URL');
  const url = new URL(bare);
  const isTls = url.protocol === secure;
  const isKnown = isTls || url.protocol === plain;
  if (!isKnown || url.hostname === '' || url.username !== '' || url.password !== '') throw unusable('URL');
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  if (port === 0) throw unusable('URL');
  return { host: zone === undefined ? name : `${name}%${zone}`, port, isTls, url };
}

/** Reads `host`, `host:port` or `[IPv6 address]:port`. Throws ConnectionFault. */
export function readPlace(text: string, defaultPort: number): Place {
  const read = readHostPort(text);
  if (read === undefined) throw unusable('host');
  return { host: read.host, port: read.port ?? defaultPort };
}

function unusable(what: string): ConnectionFault {
  return new ConnectionFault('invalid_request', `the ${what} cannot be used`);
}
