import type { IpAddress, Subnet } from '#base/ip-address.ts';
import { isInSubnet, readSubnet } from '#base/ip-address.ts';

/** These ranges count as local in addition to the private and link-local ones. */
export type LanRangeOptions = {
  /** Global IPv6 addresses, 2000::/3. */
  readonly allowGua: boolean;
  /** Carrier-grade NAT, 100.64.0.0/10: also what Tailscale uses. */
  readonly allowCgnat: boolean;
};

const LAN = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'].map(subnet);
const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(subnet);
const CGNAT = subnet('100.64.0.0/10');
const GUA = subnet('2000::/3');
const UNIQUE_LOCAL = subnet('fc00::/7');
const LINK_LOCAL = subnet('fe80::/10');

/** True in the ranges that no router of the internet forwards, and in those that the options add. */
export function isLanAddress(address: IpAddress, options?: LanRangeOptions): boolean {
  if (LAN.some((range) => isInSubnet(address, range))) return true;
  if (options?.allowCgnat === true && isInSubnet(address, CGNAT)) return true;
  return options?.allowGua === true && isInSubnet(address, GUA);
}

export function isLoopback(address: IpAddress): boolean {
  return LOOPBACK.some((range) => isInSubnet(address, range));
}

/** A connection to it goes to this machine. */
export function isUnspecified({ words }: IpAddress): boolean {
  return words[0] === 0 && words[1] === 0 && (words[2] === 0 || words[2] === 0xffff) && words[3] === 0;
}

/** IPv6 link-local: meaningless without a zone. */
export function isLinkLocal(address: IpAddress): boolean {
  return isInSubnet(address, LINK_LOCAL);
}

/** Whether this means all machines of an IPv4 subnet: its last address, and in old usage its first. */
export function isBroadcastOf(address: IpAddress, subnet: Subnet): boolean {
  // A /31 or /32 has no such address (RFC 3021).
  if (address.family !== 4 || subnet.prefix > 30 || !isInSubnet(address, subnet)) return false;
  const hostBits = 0xffffffff >>> subnet.prefix;
  const host = (address.words[3] & hostBits) >>> 0;
  return host === 0 || host === hostBits;
}

/**
 * Whether this subnet, which an interface has on its link, belongs to the LAN. IPv4 must be inside the ranges of
 * `isLanAddress`. A global IPv6 prefix may belong to it too, because a peer there may pick any of its source addresses;
 * but none shorter than a link's own /64, which only a mistaken route would name.
 */
export function isLanSubnet(candidate: Subnet, options: LanRangeOptions): boolean {
  const ranges = [...LAN, ...(options.allowCgnat ? [CGNAT] : [])];
  if (ranges.some((range) => candidate.prefix >= range.prefix && isInSubnet(candidate.address, range))) return true;
  return candidate.prefix >= 64 && isInSubnet(candidate.address, GUA);
}

/** Whether this is a part of the private IPv6 network of one site, which has a /48 (RFC 4193). */
export function isSiteSubnet(candidate: Subnet): boolean {
  return candidate.prefix >= 48 && isInSubnet(candidate.address, UNIQUE_LOCAL);
}

function subnet(text: string): Subnet {
  const read = readSubnet(text);
  if (read === undefined) throw new Error(`not a subnet: ${text}`);
  return read;
}
