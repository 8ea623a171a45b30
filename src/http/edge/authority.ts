/** The host in a `Host` field or an origin. */
export type Authority = {
  /** Lower case; a name without its final dot, an IPv6 address without brackets and with a plain `%` before its zone. */
  readonly host: string;
  readonly isIpv6: boolean;
};

const PATTERN = /^(?:\[([0-9a-f:.]+(?:%(?:25)?[\w.~-]+)?)\]|([a-z0-9_.-]+))(?::\d{0,5})?$/;

/** `undefined` if it is not `host[:port]`: a user name or an escape is refused too. */
export function readAuthority(text: string): Authority | undefined {
  if (text.length > 300) return undefined;
  const match = PATTERN.exec(text.toLowerCase());
  if (match === null) return undefined;
  const [, literal, name = ''] = match;
  if (literal !== undefined) return { host: literal.replace('%25', '%'), isIpv6: true };
  const host = name.endsWith('.') ? name.slice(0, -1) : name;
  return host === '' ? undefined : { host, isIpv6: false };
}
