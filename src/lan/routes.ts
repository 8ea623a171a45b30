import type { IpAddress, Subnet } from '#base/ip-address.ts';
import { isSameAddress, readIpAddress } from '#base/ip-address.ts';
import { isLinkLocal, isSiteSubnet } from './lan-range.ts';

/** A default gateway, a subnet whose hosts are on the link itself, or one behind another router. */
export type Route = { readonly interface: string; readonly family: 4 | 6; readonly metric: number } & (
  | { readonly kind: 'gateway'; readonly gateway: IpAddress }
  | { readonly kind: 'default_link' }
  | { readonly kind: 'on_link'; readonly subnet: Subnet }
  | { readonly kind: 'routed'; readonly subnet: Subnet; readonly gateway: IpAddress }
);

const RTF_UP = 0x1;
const RTF_GATEWAY = 0x2;
const RTF_REJECT = 0x200;
const RTF_LOCAL = 0x80000000;
/** A home has one for each network of Thread. Anybody on the link may announce more. */
const MOST_BEHIND = 32;

/** Reads `/proc/net/route`. Its addresses are hexadecimal in the byte order of the machine: here little-endian. */
export function readIpv4Routes(text: string): readonly Route[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [name, destination, gateway, flagText = '', , , metricText, mask] = line.trim().split(/\s+/);
      const flags = Number.parseInt(flagText, 16);
      if (name === undefined || mask === undefined || !isUsable(flags)) return [];
      const prefix = Number.parseInt(mask, 16).toString(2).replaceAll('0', '').length;
      const subnet = { address: ipv4FromHex(destination ?? ''), prefix };
      const via = (flags & RTF_GATEWAY) === 0 ? undefined : ipv4FromHex(gateway ?? '');
      return routeOf({ interface: name, subnet, via, metric: Number(metricText) });
    });
}

/** Reads `/proc/net/ipv6_route`, which has the routes of all tables, the local and the multicast one among them. */
export function readIpv6Routes(text: string): readonly Route[] {
  return text.split('\n').flatMap((line) => {
    const [destination, prefixText = '', , , gateway, metricText = '', , , flagText = '', name] = line
      .trim()
      .split(/\s+/);
    const flags = Number.parseInt(flagText, 16);
    const address = ipv6FromHex(destination ?? '');
    const nextHop = ipv6FromHex(gateway ?? '');
    if (name === undefined || address === undefined || nextHop === undefined || !isUsable(flags)) return [];
    const isMulticast = (address.words[0] ^ 0xff000000) >>> 24 === 0;
    if (isMulticast || (flags & RTF_LOCAL) !== 0) return [];
    const via = (flags & RTF_GATEWAY) === 0 ? undefined : nextHop;
    const subnet = { address, prefix: Number.parseInt(prefixText, 16) };
    return routeOf({ interface: name, subnet, via, metric: Number.parseInt(metricText, 16) });
  });
}

type RawRoute = { interface: string; subnet: Subnet; via: IpAddress | undefined; metric: number };

function routeOf({ interface: name, subnet, via, metric }: RawRoute): Route[] {
  const start = { interface: name, family: subnet.address.family, metric };
  if (subnet.prefix !== 0) {
    return [
      via === undefined ? { ...start, kind: 'on_link', subnet } : { ...start, kind: 'routed', subnet, gateway: via },
    ];
  }
  return [via === undefined ? { ...start, kind: 'default_link' } : { ...start, kind: 'gateway', gateway: via }];
}

function isUsable(flags: number): boolean {
  return (flags & RTF_UP) !== 0 && (flags & RTF_REJECT) === 0;
}

function ipv4FromHex(hex: string): IpAddress {
  const word = Number.parseInt(hex, 16);
  const swapped = ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
  return { family: 4, words: [0, 0, 0xffff, swapped >>> 0], zone: '' };
}

function ipv6FromHex(hex: string): IpAddress | undefined {
  return hex.length === 32 ? readIpAddress((hex.match(/.{4}/g) ?? []).join(':')) : undefined;
}

/** Name of the interface that packets to the internet take; IPv4 decides where both families have one. */
export function defaultInterface(routes: readonly Route[]): string | undefined {
  const defaults = routes.filter(({ kind }) => kind === 'gateway' || kind === 'default_link');
  const ofIpv4 = defaults.filter((route) => route.family === 4);
  const candidates = ofIpv4.length > 0 ? ofIpv4 : defaults;
  return [...candidates].sort((left, right) => left.metric - right.metric)[0]?.interface;
}

export function gatewaysOn(name: string, routes: readonly Route[]): readonly IpAddress[] {
  return routes.flatMap((route) => (route.kind === 'gateway' && route.interface === name ? [route.gateway] : []));
}

/** Subnets whose hosts are reached through this interface without a gateway. */
export function subnetsOn(name: string, routes: readonly Route[]): readonly Subnet[] {
  return routes.flatMap((route) => (route.kind === 'on_link' && route.interface === name ? [route.subnet] : []));
}

/**
 * Subnets of the home behind its border routers, as those of Thread, which they announce on the link (RFC 4191): private
 * ones, each of one site at most, and none behind a router that leads to the internet too.
 */
export function borderSubnetsOn(name: string, routes: readonly Route[]): readonly Subnet[] {
  const outward = gatewaysOn(name, routes);
  const found = routes.flatMap((route) => {
    if (route.kind !== 'routed' || route.interface !== name || !isSiteSubnet(route.subnet)) return [];
    const { gateway } = route;
    const isInside = isLinkLocal(gateway) && !outward.some((one) => isSameAddress(one, gateway));
    return isInside ? [route.subnet] : [];
  });
  return found.slice(0, MOST_BEHIND);
}
