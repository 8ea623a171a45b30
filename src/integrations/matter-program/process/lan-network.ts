import { networkInterfaces } from 'node:os';
import {
  Network,
  type NetworkInterface,
  type NetworkInterfaceDetails,
  type UdpSocket,
  type UdpSocketOptions,
} from '@matter/main';
import type { LanPlace } from '#integrations/ports.ts';
import { isNotYetThere, LanSocket, type Note } from './lan-socket.ts';
import { createNameGuard } from './name-guard.ts';

/**
 * Sockets on the addresses of the LAN alone, so that the node cannot be reached through any other interface, also where
 * the firewall of the unit is missing. Those of mDNS are bound to its group.
 */
export class LanNetwork extends Network {
  #addresses: readonly LanPlace[];
  readonly #sockets = new Set<LanSocket>();
  readonly #note: Note;
  readonly #guard = createNameGuard(() => performance.now());

  constructor(addresses: readonly LanPlace[], note: Note) {
    super();
    this.#addresses = addresses;
    this.#note = note;
  }

  /** Follows the network: sockets come and go with their addresses. */
  async setAddresses(addresses: readonly LanPlace[]): Promise<void> {
    this.#addresses = addresses;
    await Promise.all([...this.#sockets].map((socket) => socket.follow(addresses)));
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
    const onClose = (): void => void this.#sockets.delete(socket);
    const socket = new LanSocket(options, { note: this.#note, guard: this.#guard, onClose });
    this.#sockets.add(socket);
    const failures = await socket.follow(this.#addresses);
    const fatal = failures.find((cause) => !isNotYetThere(cause));
    if (fatal !== undefined) {
      await socket.close();
      throw fatal;
    }
    return socket;
  }
}
