import type { NetworkInterfaceInfo } from 'node:os';
import type { InterfaceNature, InterfaceOptions } from './interfaces.ts';
import { readInterfaces } from './interfaces.ts';
import type { IpAddress, Subnet } from '#base/ip-address.ts';
import { formatSubnet, isInSubnet, isSameAddress, readIpAddress, readSubnet } from '#base/ip-address.ts';
import type { LanRangeOptions } from './lan-range.ts';
import { isBroadcastOf, isLanAddress, isLanSubnet, isLinkLocal, isLoopback, isUnspecified } from './lan-range.ts';
import type { Route } from './routes.ts';
import { borderSubnetsOn, defaultInterface, gatewaysOn, readIpv4Routes, readIpv6Routes, subnetsOn } from './routes.ts';

export type LanOptions = InterfaceOptions &
  LanRangeOptions & {
    /** Subnets behind a router of the home, as `10.8.0.0/24`. */
    readonly extraSubnets: readonly string[];
  };

/** The machine's network as it is now; parameters so that tests can have another. */
export type NetworkSources = {
  readonly sysClassNet: string;
  readonly networkInterfaces: () => NodeJS.Dict<NetworkInterfaceInfo[]>;
  /** Text of a file of `/proc/net`, empty where there is none (a kernel without IPv6). */
  readonly readProcNet: (name: 'route' | 'ipv6_route') => string;
};

/** An address that the hub may serve. */
type LanAddress = {
  /** With its zone if it is link-local: as sockets and users write it. */
  readonly address: string;
  readonly family: 4 | 6;
  /** Index of the interface if the address is link-local, else 0. */
  readonly scopeId: number;
  readonly interface: string;
  readonly prefix: number;
};

/** `doctor` shows this of an interface. */
type LanInterface = InterfaceNature & { readonly onLink: readonly string[] };

/** `gateway`: on the link too, but it may forward requests of hosts on the internet. */
type PeerPlace = 'on_link' | 'gateway' | 'loopback' | 'stranger';

export type LanView = {
  /** The addresses that may be served, loopback first. */
  readonly addresses: readonly LanAddress[];
  readonly interfaces: readonly LanInterface[];
  /** True for the text of an address of the LAN, of loopback, or of another one that the configuration serves. */
  readonly isLanLiteral: (text: string) => boolean;
  /** True for the text of an address of this machine: of loopback, of any interface, served or not, or of none. */
  readonly isOwnAddress: (text: string) => boolean;
  /** True for the text of an address of one machine of the LAN, or of this one: the hub itself may connect there. */
  readonly isLanMachine: (text: string) => boolean;
  /** What devices of the home may have as their addresses behind this interface. More than those that may call the API. */
  readonly deviceSubnets: (name: string) => readonly string[];
  /** The relation of a peer, given as a socket address, to the link of the served address that it reached. */
  readonly placeOf: (peer: string, local: Pick<LanAddress, 'interface'>) => PeerPlace;
};

type PresentAddress = LanAddress & { readonly parsed: IpAddress; readonly subnet: Subnet };
type Link = { readonly subnets: readonly Subnet[]; readonly gateways: readonly IpAddress[] };

const LOOPBACK = 'lo';
const IPV4_LOOPBACK: LanAddress = { address: '127.0.0.1', family: 4, scopeId: 0, interface: LOOPBACK, prefix: 8 };
const IPV6_LOOPBACK: LanAddress = { address: '::1', family: 6, scopeId: 0, interface: LOOPBACK, prefix: 128 };

export function readLanView(sources: NetworkSources, options: LanOptions): LanView {
  const routes = [
    ...readIpv4Routes(sources.readProcNet('route')),
    ...readIpv6Routes(sources.readProcNet('ipv6_route')),
  ];
  const present = listAddresses(sources.networkInterfaces());
  const natures = readInterfaces(sources.sysClassNet, options, defaultInterface(routes));
  const lan = natures.filter(({ isLan }) => isLan);
  const links = new Map(lan.map(({ name }) => [name, linkOf(name, { present, routes, options })]));
  const extra = options.extraSubnets.map(readSubnet).filter((subnet) => subnet !== undefined);
  const addresses = listServed(present, (one) => links.has(one.interface) && isLanAddress(one.parsed, options));
  const subnets = [...[...links.values()].flatMap(({ subnets }) => subnets), ...extra];
  const view: LanView = {
    addresses,
    isLanMachine: (text) => {
      const address = readIpAddress(text);
      if (address === undefined || subnets.some((subnet) => isBroadcastOf(address, subnet))) return false;
      return addresses.some((local) => view.placeOf(text, local) !== 'stranger');
    },
    isLanLiteral: (text) => {
      const address = readIpAddress(text);
      if (address === undefined) return false;
      return isLanAddress(address) || isLoopback(address) || addresses.some((one) => one.address === text);
    },
    isOwnAddress: (text) => {
      const address = readIpAddress(text);
      if (address === undefined) return false;
      return isLoopback(address) || isUnspecified(address) || present.some((one) => isSameAddress(one.parsed, address));
    },
    interfaces: natures.map((nature) => ({
      ...nature,
      onLink: (links.get(nature.name)?.subnets ?? []).map(formatSubnet),
    })),
    deviceSubnets: (name) => {
      const link = links.get(name);
      if (link === undefined) return [];
      const near = link.subnets.filter(({ address }) => isLanAddress(address, options) && !isLinkLocal(address));
      return [...new Set([...near, ...borderSubnetsOn(name, routes)].map(formatSubnet))].toSorted();
    },
    placeOf: (peer, local) => {
      const address = readIpAddress(peer);
      if (address === undefined) return 'stranger';
      if (local.interface === LOOPBACK) return isLoopback(address) ? 'loopback' : 'stranger';
      const link = links.get(local.interface);
      // A link-local peer of another link could reach this address too: the kernel does not restrict it to its link.
      if (link === undefined || (address.zone !== '' && address.zone !== local.interface)) return 'stranger';
      if (!isOf(address, link.subnets)) return isOf(address, extra) ? 'on_link' : 'stranger';
      return link.gateways.some((gateway) => isSameAddress(gateway, address)) ? 'gateway' : 'on_link';
    },
  };
  return view;
}

function isOf(address: IpAddress, subnets: readonly Subnet[]): boolean {
  return subnets.some((subnet) => isInSubnet(address, subnet));
}

function listAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): readonly PresentAddress[] {
  return Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos.flatMap((info): PresentAddress[] => {
      const parsed = readIpAddress(info.address);
      const subnet = info.cidr === null ? undefined : readSubnet(info.cidr);
      if (parsed === undefined || subnet === undefined) return [];
      const isScoped = info.family === 'IPv6' && isLinkLocal(parsed);
      const address = isScoped ? `${info.address}%${name}` : info.address;
      const scopeId = isScoped ? info.scopeid : 0;
      return [{ address, family: parsed.family, scopeId, interface: name, prefix: subnet.prefix, parsed, subnet }];
    }),
  );
}

/** Serves an address that two interfaces have only once. */
function listServed(
  present: readonly PresentAddress[],
  isServed: (address: PresentAddress) => boolean,
): readonly LanAddress[] {
  const served = new Map<string, LanAddress>([[IPV4_LOOPBACK.address, IPV4_LOOPBACK]]);
  if (present.some(({ address }) => address === '::1')) served.set('::1', IPV6_LOOPBACK);
  for (const one of present) {
    const { address, family, scopeId, interface: name, prefix } = one;
    if (isServed(one) && !served.has(address))
      served.set(address, { address, family, scopeId, interface: name, prefix });
  }
  return [...served.values()];
}

/**
 * Joins the addresses and the routing table. An address of DHCPv6 is a /128, and only the routing table knows the
 * prefix of its link; with `noprefixroute` only the address knows it.
 */
function linkOf(
  name: string,
  from: { present: readonly PresentAddress[]; routes: readonly Route[]; options: LanRangeOptions },
): Link {
  const ofAddresses = from.present.filter((address) => address.interface === name).map(({ subnet }) => subnet);
  const subnets = [...ofAddresses, ...subnetsOn(name, from.routes)].filter((one) => isLanSubnet(one, from.options));
  const byText = new Map(subnets.map((subnet) => [formatSubnet(subnet), subnet]));
  return { subnets: [...byText.values()], gateways: gatewaysOn(name, from.routes) };
}
