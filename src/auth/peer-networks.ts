import { BlockList, isIP } from 'node:net';

/** Whether a socket address is in one of some subnets. */
export type IsInNetworks = (address: string) => boolean;

/** `10.0.0.0/8` or `fd00::/8`; an address alone is a subnet of one. */
export function isNetwork(text: string): boolean {
  return partsOf(text) !== undefined;
}

const MAPPED_BITS = 96;

/** Compares addresses, not texts; an IPv4 address that is written as an IPv6 one is the IPv4 address. */
export function createNetworkMatcher(networks: readonly string[]): IsInNetworks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const parts = partsOf(network);
    if (parts === undefined) continue;
    const { address, bits, family } = parts;
    lists[family].addSubnet(address, bits, family);
    // To a list every IPv4 address lies in ::ffff:0:0/96, and so in ::/64 too, by which nobody means one.
    if (family === 'ipv6' && bits >= MAPPED_BITS) lists.ipv4.addSubnet(address, bits, family);
  }
  return (address) => {
    const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
    return isIP(bare) !== 0 && lists[familyOf(bare)].check(bare, familyOf(bare));
  };
}

type Family = 'ipv4' | 'ipv6';

function partsOf(text: string): { address: string; bits: number; family: Family } | undefined {
  const [, address = '', written] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  if (isIP(address) === 0) return undefined;
  const family = familyOf(address);
  const most = family === 'ipv4' ? 32 : 128;
  const bits = written === undefined ? most : Number(written);
  return bits <= most ? { address, bits, family } : undefined;
}

function familyOf(address: string): Family {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
