import { isInSubnet, readIpAddress, readSubnet, type Subnet } from '#base/ip-address.ts';

/** Whether a socket address is in one of some subnets. */
export type IsInNetworks = (address: string) => boolean;

/** `10.0.0.0/8` or `fd00::/8`; an address alone is a subnet of one. */
export function isNetwork(text: string): boolean {
  return readNetwork(text) !== undefined;
}

/** Compares addresses, not texts; an IPv4 address that is written as an IPv6 one is the IPv4 address. */
export function createNetworkMatcher(networks: readonly string[]): IsInNetworks {
  const subnets = networks.map(readNetwork).filter((subnet) => subnet !== undefined);
  return (text) => {
    const address = readIpAddress(text);
    return address !== undefined && subnets.some((subnet) => isInSubnet(address, subnet));
  };
}

function readNetwork(text: string): Subnet | undefined {
  // A zone names an interface of this machine, which may be another one tomorrow.
  if (text.includes('%')) return undefined;
  if (text.includes('/')) return readSubnet(text);
  return readSubnet(`${text}/${text.includes(':') ? 128 : 32}`);
}
