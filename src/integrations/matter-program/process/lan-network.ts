import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import {
  AddressInUseError,
  BindError,
  type Bytes,
  ChannelType,
  Network,
  type NetworkInterface,
  type NetworkInterfaceDetails,
  NetworkUnreachableError,
  type UdpSocket,
  type UdpSocketOptions,
} from '@matter/main';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { isInSubnet, readIpAddress, readSubnet } from '#base/ip-address.ts';
import type { LanPlace } from '#integrations/ports.ts';

/** For what the node lives on without. */
type Note = (what: string, cause: unknown) => void;
type Received = Parameters<UdpSocket['onData']>[0];
/** Where a socket is, and for which interface. */
type Spot = { readonly key: string; readonly bind: string; readonly at: LanPlace };

const MDNS_PORT = 5353;
const GROUPS = { 4: '224.0.0.251', 6: 'ff02::fb' } as const;
/** Addresses of groups: 224.0.0.0/4 and ff00::/8. */
const GROUP = /^(?:22[4-9]|23\d)\.|^ff/i;
/**
 * Of messages that anybody may send: those without a session of Matter, and those of mDNS. The library keeps something of
 * each for a while. A home that joins or comes back sends about ten of them.
 */
const OF_PEER = { capacity: 120, refillMs: 50, maxNames: 64 };
const OF_ALL = { capacity: 1_000, refillMs: 10, maxNames: 1 };
/** Of IPv6 with its header, as Matter has it. */
const MAX_PAYLOAD = 1280 - 48;

/**
 * Sockets on the addresses of the LAN alone, so that the node cannot be reached through any other interface, also where
 * the firewall of the unit is missing. Those of mDNS are bound to its group.
 */
export class LanNetwork extends Network {
  #addresses: readonly LanPlace[];
  readonly #sockets = new Set<LanSocket>();
  readonly #note: Note;

  constructor(addresses: readonly LanPlace[], note: Note) {
    super();
    this.#addresses = addresses;
    this.#note = note;
  }

  /** Follows the network: sockets come and go with their addresses. */
  async setAddresses(addresses: readonly LanPlace[]): Promise<void> {
    this.#addresses = addresses;
    for (const socket of this.#sockets) await socket.follow(addresses);
  }

  override getNetInterfaces(): NetworkInterface[] {
    return [...new Set(this.#addresses.map((one) => one.interface))].map((name) => ({ name, type: 2 }));
  }

  override getIpMac(name: string): NetworkInterfaceDetails | undefined {
    const own = this.#addresses.filter((one) => one.interface === name);
    if (own.length === 0) return undefined;
    const plain = (family: 4 | 6): string[] =>
      own.filter((one) => one.family === family).map(({ address }) => address.split('%')[0] ?? address);
    const mac = networkInterfaces()[name]?.[0]?.mac ?? '00:00:00:00:00:00';
    return { mac, ipV4: plain(4), ipV6: plain(6) };
  }

  override async createUdpSocket(options: UdpSocketOptions): Promise<UdpSocket> {
    const socket = new LanSocket(options, { note: this.#note, onClose: () => this.#sockets.delete(socket) });
    this.#sockets.add(socket);
    try {
      await socket.follow(this.#addresses);
    } catch (cause) {
      await socket.close();
      throw cause;
    }
    return socket;
  }
}

class LanSocket implements UdpSocket {
  readonly maxPayloadSize = MAX_PAYLOAD;
  readonly #family: 4 | 6;
  readonly #isMdns: boolean;
  readonly #options: UdpSocketOptions;
  readonly #note: Note;
  readonly #onClose: () => void;
  readonly #open = new Map<string, { readonly spot: Spot; readonly socket: Socket }>();
  readonly #listeners = new Set<Received>();
  readonly #ofPeer = createTokenBuckets({ ...OF_PEER, monotonicMs: () => performance.now() });
  readonly #ofAll = createTokenBuckets({ ...OF_ALL, monotonicMs: () => performance.now() });
  readonly #groups = new Set<string>();
  #addresses: readonly LanPlace[] = [];
  #isClosed = false;

  constructor(options: UdpSocketOptions, { note, onClose }: { readonly note: Note; readonly onClose: () => void }) {
    this.#note = note;
    this.#options = options;
    this.#family = options.type === 'udp4' ? 4 : 6;
    this.#isMdns = options.listeningPort === MDNS_PORT;
    this.#onClose = onClose;
  }

  async follow(addresses: readonly LanPlace[]): Promise<void> {
    const { netInterface } = this.#options;
    this.#addresses = addresses.filter(
      (one) => one.family === this.#family && (netInterface === undefined || one.interface === netInterface),
    );
    const wanted = new Map(this.#addresses.map((at) => this.#spotOf(at)).map((spot) => [spot.key, spot]));
    for (const [key, { socket }] of this.#open) {
      if (wanted.has(key)) continue;
      this.#open.delete(key);
      socket.close();
    }
    for (const spot of wanted.values()) {
      if (this.#open.has(spot.key) || this.#isClosed) continue;
      const socket = await this.#bind(spot);
      if (this.#isClosed) socket.close();
      else this.#open.set(spot.key, { spot, socket });
    }
  }

  addMembership(group: string): void {
    this.#groups.add(group);
    for (const { spot, socket } of this.#open.values()) this.#join(socket, spot, group);
  }

  dropMembership(group: string): void {
    this.#groups.delete(group);
    for (const { spot, socket } of this.#open.values()) socket.dropMembership(group, memberOf(spot.at));
  }

  onData(listener: Received) {
    this.#listeners.add(listener);
    return { close: async () => void this.#listeners.delete(listener) };
  }

  async send(host: string, port: number, data: Bytes): Promise<void> {
    const found = this.#routeTo(host);
    if (found === undefined) throw new NetworkUnreachableError(`${host} is in no network of the LAN`);
    const { socket, spot } = found;
    const needsZone = this.#family === 6 && /^(?:fe80|ff02)/i.test(host) && !host.includes('%');
    const target = needsZone ? `${host}%${spot.at.interface}` : host;
    await new Promise<void>((resolve, reject) => {
      socket.send(data as Uint8Array, port, target, (cause) => {
        if (cause === null || cause === undefined) resolve();
        else reject(new NetworkUnreachableError(`${target} cannot be reached`, { cause }));
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#onClose();
    for (const { socket } of this.#open.values()) socket.close();
    this.#open.clear();
  }

  get port(): number {
    return this.#options.listeningPort ?? 0;
  }

  supports(type: ChannelType, address?: string): boolean {
    if (type !== ChannelType.UDP) return false;
    return address === undefined || address.includes(':') === (this.#family === 6);
  }

  /** One socket for each address; of mDNS one for each interface. */
  #spotOf(at: LanPlace): Spot {
    if (!this.#isMdns) return { key: at.address, bind: at.address, at };
    const group = GROUPS[this.#family];
    return { key: at.interface, bind: this.#family === 6 ? `${group}%${at.interface}` : group, at };
  }

  #bind(spot: Spot): Promise<Socket> {
    const socket = createSocket({
      type: this.#family === 4 ? 'udp4' : 'udp6',
      ...(this.#family === 6 ? { ipv6Only: true } : {}),
      reuseAddr: this.#isMdns,
    });
    socket.on('message', (data, from) => this.#receive(spot, data, from));
    return new Promise((resolve, reject) => {
      socket.once('error', (cause: NodeJS.ErrnoException) => {
        socket.close();
        const place = `${spot.bind} port ${this.port}`;
        if (cause.code === 'EADDRINUSE') reject(new AddressInUseError(`${place} is in use`, { cause }));
        else reject(new BindError(`${place} cannot be opened`, { cause }));
      });
      socket.bind(this.port, spot.bind, () => {
        socket.removeAllListeners('error');
        // The callback of a packet has what that packet met.
        socket.on('error', (cause) => this.#note(`the socket on ${spot.bind}`, cause));
        if (this.#isMdns) socket.setMulticastInterface(memberOf(spot.at));
        for (const group of this.#groups) this.#join(socket, spot, group);
        resolve(socket);
      });
    });
  }

  #join(socket: Socket, spot: Spot, group: string): void {
    try {
      socket.addMembership(group, memberOf(spot.at));
    } catch (cause) {
      // The interface may just have gone: then the next look at the network closes the socket.
      this.#note(`${group} cannot be joined on ${spot.at.interface}`, cause);
    }
  }

  #receive({ at }: Spot, data: Uint8Array, { address, port }: RemoteInfo): void {
    const zone = address.split('%')[1];
    if (zone !== undefined && zone !== at.interface) return;
    // A router may bring what comes from elsewhere, and the sockets of one group hear what comes over each interface.
    if (!this.#isBeside(at, address)) return;
    if ((this.#isMdns || isWithoutSession(data)) && !(this.#ofPeer.take(address) && this.#ofAll.take(''))) return;
    for (const listener of this.#listeners) listener(at.interface, address, port, data);
  }

  #isBeside(at: LanPlace, peer: string): boolean {
    if (peer.includes('%')) return true;
    return this.#addresses.some((one) => one.interface === at.interface && isInPrefix(peer, one));
  }

  #routeTo(host: string): { readonly socket: Socket; readonly spot: Spot } | undefined {
    const open = [...this.#open.values()];
    const zone = host.split('%')[1];
    if (zone !== undefined) return open.find(({ spot }) => spot.at.interface === zone);
    // A group has no prefix; what is not of the LAN gets nothing.
    return open.find(({ spot }) => isInPrefix(host, spot.at)) ?? (GROUP.test(host) ? open[0] : undefined);
  }
}

/** By the header of the message: a session has a number. */
function isWithoutSession(data: Uint8Array): boolean {
  return data[1] === 0 && data[2] === 0;
}

/** The interface of a group, in the form of the kernel. */
function memberOf({ address, family, interface: name }: LanPlace): string {
  return family === 4 ? address : `::%${name}`;
}

function isInPrefix(host: string, { address, prefix }: LanPlace): boolean {
  const parsed = readIpAddress(host);
  const subnet = readSubnet(`${address.split('%')[0] ?? ''}/${prefix}`);
  return parsed !== undefined && subnet !== undefined && isInSubnet(parsed, subnet);
}
