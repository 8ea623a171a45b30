export type BrokerAddress = {
  /** A name or an IP address, without the brackets that a URL puts around an IPv6 one. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The URL as it is kept and shown: scheme, host and the port if one was written. */
  readonly url: string;
};

/** Reads `mqtt://host[:port]` or `mqtts://host[:port]`; `undefined` for anything else, credentials in it included. */
export function readBrokerUrl(text: string): BrokerAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (protocol !== 'mqtt:' && protocol !== 'mqtts:') return undefined;
  if (hostname === '' || username !== '' || password !== '') return undefined;
  if (pathname.length > 1 || search !== '' || hash !== '') return undefined;
  const isTls = protocol === 'mqtts:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 8883 : 1883) : Number(port),
    isTls,
    url: `${protocol}//${url.host}`,
  };
}

/** The address as people write it. */
export function placeOfBroker({ host, port }: BrokerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
