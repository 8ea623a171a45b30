import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';

/** Whether an interface belongs to the home's network, with the reason in words: `doctor` prints it. */
export type InterfaceNature = { readonly name: string; readonly isLan: boolean; readonly why: string };

export type InterfaceOptions = {
  /** These always count as the LAN. */
  readonly interfaces: readonly string[];
  /** These never do. */
  readonly exclude: readonly string[];
};

/** Link types of the kernel's if_arp.h; `doctor` names all others except Ethernet by their number. */
const LINK_TYPES: Readonly<Record<number, string>> = {
  512: 'a point-to-point link (ppp)',
  768: 'an IP-in-IP tunnel',
  769: 'an IPv6 tunnel',
  772: 'the loopback interface',
  776: 'an IPv6-in-IPv4 tunnel',
  778: 'a GRE tunnel',
  823: 'a GRE tunnel over IPv6',
  65534: 'a tunnel (tun, WireGuard, Tailscale)',
};
const ETHERNET = 1;
/** Virtual interfaces that send through the interfaces below them. VXLAN has such links too, but is a tunnel. */
const STACKED = new Set(['vlan', 'bond', 'macvlan', 'macvtap', 'ipvlan', 'macsec', 'dsa']);
const MAX_DEPTH = 8;

/**
 * Judges each interface under `/sys/class/net` by its nature, never by its name. Where none is physical, as in a
 * container, the interface of the default route counts as the LAN, unless it is a tunnel.
 */
export function readInterfaces(
  root: string,
  options: InterfaceOptions,
  defaultRouteInterface: string | undefined,
): readonly InterfaceNature[] {
  const names = readNames(root);
  const natures = names.map((name) => describeInterface(root, name, options));
  if (natures.some(({ isLan }) => isLan) || names.some((name) => existsSync(join(root, name, 'device'))))
    return natures;
  return natures.map((nature) => {
    const isCandidate = nature.name === defaultRouteInterface && !options.exclude.includes(nature.name);
    if (!isCandidate || refuseTunnel(root, nature.name) !== undefined) return nature;
    return { ...nature, isLan: true, why: 'has the default route, and no interface is physical (a container?)' };
  });
}

function readNames(root: string): string[] {
  try {
    // A file there is a setting of the kernel's bonding module, not an interface.
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => !entry.isFile())
      .map(({ name }) => name)
      .sort();
  } catch (cause) {
    // Without /sys, as in some sandboxes, nothing is known about any interface: only those named are served.
    if (errnoOf(cause) === 'ENOENT') return [];
    throw cause;
  }
}

function describeInterface(root: string, name: string, { interfaces, exclude }: InterfaceOptions): InterfaceNature {
  if (exclude.includes(name)) return { name, isLan: false, why: 'excluded by the configuration' };
  if (interfaces.includes(name)) return { name, isLan: true, why: 'named in the configuration' };
  return { name, ...describeNature(root, name, 0) };
}

function describeNature(root: string, name: string, depth: number): Omit<InterfaceNature, 'name'> {
  const tunnel = refuseTunnel(root, name);
  if (tunnel !== undefined) return { isLan: false, why: tunnel };
  const folder = join(root, name);
  if (existsSync(join(folder, 'device'))) return { isLan: true, why: 'a physical network interface' };
  if (depth >= MAX_DEPTH) return { isLan: false, why: 'is stacked too deep' };
  const isPhysicalBelow = (below: string): boolean => describeNature(root, below, depth + 1).isLan;
  if (existsSync(join(folder, 'bridge'))) {
    const port = listFolder(join(folder, 'brif')).find(isPhysicalBelow);
    if (port === undefined)
      return { isLan: false, why: 'a bridge without a physical port (containers, virtual machines)' };
    return { isLan: true, why: `a bridge with the physical port ${port}` };
  }
  const type = readUevent(folder).get('DEVTYPE');
  if (type === undefined || !STACKED.has(type)) return { isLan: false, why: 'a virtual interface (veth, dummy)' };
  const lower = listFolder(folder)
    .filter((entry) => entry.startsWith('lower_'))
    .map((entry) => entry.slice('lower_'.length))
    .find(isPhysicalBelow);
  if (lower === undefined) return { isLan: false, why: `a ${type} on no physical interface` };
  return { isLan: true, why: `a ${type} on the physical interface ${lower}` };
}

/** Why an interface leads away from the home; `undefined` if it does not. */
function refuseTunnel(root: string, name: string): string | undefined {
  const folder = join(root, name);
  const type = Number(readText(join(folder, 'type')).trim());
  if (type !== ETHERNET) return LINK_TYPES[type] ?? `no Ethernet (link type ${Number.isNaN(type) ? 'unknown' : type})`;
  if (existsSync(join(folder, 'tun_flags'))) return 'a tunnel (tap)';
  const kind = readUevent(folder).get('DEVTYPE');
  if (kind === 'wwan') return 'a mobile network (wwan)';
  return undefined;
}

function readUevent(folder: string): ReadonlyMap<string, string> {
  const pairs = readText(join(folder, 'uevent')).split('\n');
  return new Map(pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Empty if the file is missing: the interface may have gone since it was listed. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isGone(cause)) return '';
    throw cause;
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch (cause) {
    if (isGone(cause)) return [];
    throw cause;
  }
}

function isGone(cause: unknown): boolean {
  const code = errnoOf(cause);
  return code === 'ENOENT' || code === 'ENODEV' || code === 'ENOTDIR' || code === 'EINVAL';
}
