import { isInSubnet, readIpAddress, readSubnet, type Subnet } from '#base/ip-address.ts';

/** Whether a socket address is in one of the networks of an API token. */
export type IsInNetworks = (address: string) => boolean;

/** `10.0.0.0/8` or `fd00::/8`; an address without a length is a subnet of one. */
export function isNetwork(text: string): boolean {
  return readNetwork(text) !== undefined;
}

/** Compares addresses, not texts. An IPv4 address written as an IPv6 one counts as the IPv4 address. */
export function createNetworkMatcher(networks: readonly string[]): IsInNetworks {
  const subnets = networks.map(readNetwork).filter((subnet) => subnet !== undefined);
  return (text) => {
    const address = readIpAddress(text);
    return address !== undefined && subnets.some((subnet) => isInSubnet(address, subnet));
  };
}

function readNetwork(text: string): Subnet | undefined {
  // A zone names an interface of this machine, which may be a different one after a restart.
  if (text.includes('%')) return undefined;
  if (text.includes('/')) return readSubnet(text);
  return readSubnet(`${text}/${text.includes(':') ? 128 : 32}`);
}
