import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import {
  AddressInUseError,
  BindError,
  type Bytes,
  ChannelType,
  NetworkUnreachableError,
  type UdpSocket,
  type UdpSocketOptions,
} from '@matter/main';
import { createTokenBuckets, type TokenBuckets } from '#base/token-buckets.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { errnoOf } from '#base/errno.ts';
import { type IpAddress, isInSubnet, readIpAddress, readSubnet, type Subnet } from '#base/ip-address.ts';
import type { LanPlace } from '#integrations/ports.ts';
import type { NameGuard } from './name-guard.ts';

/** For what the node lives on without. */
export type Note = (what: string, cause: unknown) => void;
type Received = Parameters<UdpSocket['onData']>[0];
/** Where a socket is, and for which interface. */
type Spot = { readonly key: string; readonly bind: string; readonly at: LanPlace };

const MDNS_PORT = 5353;
const GROUPS = { 4: '224.0.0.251', 6: 'ff02::fb' } as const;
/** Addresses of groups: 224.0.0.0/4 and ff00::/8. */
const GROUP = /^(?:22[4-9]|23\d)\.|^ff/i;
/**
 * Limits for messages without a session of Matter, which anybody may send. The library keeps something of each for a
 * while. A home that joins or comes back sends about ten of them.
 */
const OF_MATTER = {
  peer: { capacity: 120, refillMs: 50, maxNames: 64 },
  all: { capacity: 1_000, refillMs: 10, maxNames: 1 },
};
/** Limits for records of mDNS: a border router answers for all of its devices at once. */
const OF_MDNS = {
  peer: { capacity: 2_000, refillMs: 20, maxNames: 64 },
  all: { capacity: 6_000, refillMs: 5, maxNames: 1 },
};
/** RFC 6762, section 17. */
const MAX_MDNS_BYTES = 9_000;
const MDNS_HEADER_BYTES = 12;
/** A message costs as much as it has records, and not less than it could have. */
const BYTES_OF_RECORD = 100;
const RETRY_MS = 2_000;
/** An address that comes is usable within a second or two. */
const TENTATIVE_TRIES = 5;
/** The limit of 1,280 bytes is that of IPv6 with its header, as Matter has it. */
const MAX_PAYLOAD = 1280 - 48;

type LanSocketDeps = { readonly note: Note; readonly guard: NameGuard; readonly onClose: () => void };

/** One socket for the library, which is one on each address. */
export class LanSocket implements UdpSocket {
  readonly maxPayloadSize = MAX_PAYLOAD;
  readonly #family: 4 | 6;
  readonly #isMdns: boolean;
  readonly #options: UdpSocketOptions;
  readonly #note: Note;
  readonly #onClose: () => void;
  readonly #open = new Map<string, { readonly spot: Spot; readonly socket: Socket }>();
  readonly #listeners = new Set<Received>();
  readonly #guard: NameGuard;
  readonly #ofPeer: TokenBuckets;
  readonly #ofAll: TokenBuckets;
  readonly #groups = new Set<string>();
  #addresses: readonly LanPlace[] = [];
  #wanted: ReadonlyMap<string, Spot> = new Map();
  readonly #inTurn = createTurnQueue();
  #retry: NodeJS.Timeout | undefined;
  #tries = 0;
  #isClosed = false;

  constructor(options: UdpSocketOptions, { note, guard, onClose }: LanSocketDeps) {
    this.#note = note;
    this.#guard = guard;
    this.#options = options;
    this.#family = options.type === 'udp4' ? 4 : 6;
    this.#isMdns = options.listeningPort === MDNS_PORT;
    const { peer, all } = this.#isMdns ? OF_MDNS : OF_MATTER;
    this.#ofPeer = createTokenBuckets({ ...peer, monotonicMs: () => performance.now() });
    this.#ofAll = createTokenBuckets({ ...all, monotonicMs: () => performance.now() });
    this.#onClose = onClose;
  }

  /** Opens what can be opened now, and returns why the rest cannot. That is tried again. */
  follow(addresses: readonly LanPlace[]): Promise<readonly BindError[]> {
    const { netInterface } = this.#options;
    this.#addresses = addresses.filter(
      (one) => one.family === this.#family && (netInterface === undefined || one.interface === netInterface),
    );
    this.#wanted = new Map(this.#addresses.map((at) => this.#spotOf(at)).map((spot) => [spot.key, spot]));
    for (const [key, { socket }] of this.#open) {
      if (this.#wanted.has(key)) continue;
      this.#open.delete(key);
      socket.close();
    }
    this.#tries = 0;
    return this.#openMissing();
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
    if (this.#isMdns) this.#guard.noteSent(data);
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
    clearTimeout(this.#retry);
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

  /** One after the other, so that no two want the same place. */
  #openMissing(): Promise<readonly BindError[]> {
    clearTimeout(this.#retry);
    return this.#inTurn(async () => {
      const failures: BindError[] = [];
      for (const spot of this.#wanted.values()) {
        if (this.#open.has(spot.key) || this.#isClosed) continue;
        const socket = await this.#bind(spot).catch((cause: BindError) => void failures.push(cause));
        if (socket === undefined) continue;
        if (this.#isClosed || !this.#wanted.has(spot.key)) socket.close();
        else this.#open.set(spot.key, { spot, socket });
      }
      if (failures.length > 0 && !this.#isClosed) this.#tryAgain(failures);
      return failures;
    });
  }

  #tryAgain(failures: readonly BindError[]): void {
    this.#tries += 1;
    for (const cause of failures) {
      if (this.#tries === (isNotYetThere(cause) ? TENTATIVE_TRIES : 1)) this.#note('a socket', cause);
    }
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#openMissing(), RETRY_MS).unref();
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
    const cost = this.#isMdns ? costOf(data) : Number(isWithoutSession(data));
    if (cost > 0 && !(this.#ofPeer.take(address, cost) && this.#ofAll.take('', cost))) return;
    const admitted = this.#isMdns ? this.#guard.admit(data) : data;
    if (admitted === undefined) return;
    for (const listener of this.#listeners) listener(at.interface, address, port, admitted);
  }

  #isBeside(at: LanPlace, peer: string): boolean {
    if (peer.includes('%')) return true;
    const host = readIpAddress(peer);
    const near = this.#addresses.filter((one) => one.interface === at.interface);
    return near.some((one) => isIn(host, ownSubnets(one)) || isIn(host, besideSubnets(one)));
  }

  #routeTo(host: string): { readonly socket: Socket; readonly spot: Spot } | undefined {
    const open = [...this.#open.values()];
    const zone = host.split('%')[1];
    if (zone !== undefined) return open.find(({ spot }) => spot.at.interface === zone);
    // A group has no prefix; what is not of the LAN gets nothing.
    if (GROUP.test(host)) return open[0];
    const peer = readIpAddress(host);
    const onLink = open.find(({ spot }) => isIn(peer, ownSubnets(spot.at)));
    // No router takes what comes from a link-local address.
    return onLink ?? open.find(({ spot }) => !spot.at.address.includes('%') && isIn(peer, besideSubnets(spot.at)));
  }
}

/** An IPv6 address cannot be bound while the kernel checks whether another host has it. */
export function isNotYetThere({ cause }: BindError): boolean {
  return errnoOf(cause) === 'EADDRNOTAVAIL';
}

/** In records, by the header of the message: what it cannot have or nobody may send costs more than there is. */
function costOf(data: Uint8Array): number {
  if (data.length > MAX_MDNS_BYTES || data.length < MDNS_HEADER_BYTES) return Infinity;
  const header = new DataView(data.buffer, data.byteOffset, MDNS_HEADER_BYTES);
  const records = [4, 6, 8, 10].reduce((sum, at) => sum + header.getUint16(at), 0);
  return Math.max(records, Math.ceil(data.length / BYTES_OF_RECORD));
}

/** By the header of the message: a session has a number. */
function isWithoutSession(data: Uint8Array): boolean {
  return data[1] === 0 && data[2] === 0;
}

/** The interface of a group, in the form of the kernel. */
function memberOf({ address, family, interface: name }: LanPlace): string {
  return family === 4 ? address : `::%${name}`;
}

const ownSubnets = readOnce(({ address, prefix }) => [`${address.split('%')[0] ?? ''}/${prefix}`]);
const besideSubnets = readOnce(({ beside }) => beside);

/** Read once for each place: they are asked for each packet, also of a flood. */
function readOnce(textsOf: (place: LanPlace) => readonly string[]): (place: LanPlace) => readonly Subnet[] {
  const known = new WeakMap<LanPlace, readonly Subnet[]>();
  return (place) => {
    const subnets = known.get(place) ?? textsOf(place).flatMap((text) => readSubnet(text) ?? []);
    known.set(place, subnets);
    return subnets;
  };
}

function isIn(host: IpAddress | undefined, subnets: readonly Subnet[]): boolean {
  return host !== undefined && subnets.some((one) => isInSubnet(host, one));
}
