import type { RemoteInfo, Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export const MDNS_PORT = 5353;
const GROUP = { 4: '224.0.0.251', 6: 'ff02::fb' } as const;

export type MdnsPlace = {
  readonly interface: string;
  readonly family: 4 | 6;
  /** An address of this machine there, of this family. */
  readonly address: string;
};

export type MdnsSocket = Awaited<ReturnType<typeof openMdnsSocket>>;

type MdnsEvents = {
  readonly onMessage: (bytes: Buffer, from: Pick<RemoteInfo, 'address' | 'port'>) => void;
  readonly onFailure: (cause: unknown) => void;
};

/**
 * Joins the group on one link. The socket is bound to the group's address, not to the wildcard: the kernel then gives it
 * only multicast, which no router forwards, and leaves unicast to the machine's own responder on the same port.
 */
export async function openMdnsSocket(place: MdnsPlace, events: MdnsEvents) {
  const { family, interface: name } = place;
  const socket = createSocket({ type: family === 4 ? 'udp4' : 'udp6', reuseAddr: true });
  const group = GROUP[family];
  const ownInterface = family === 4 ? place.address : `::%${name}`;
  try {
    socket.bind(MDNS_PORT, family === 4 ? group : `${group}%${name}`);
    await once(socket, 'listening');
    socket.addMembership(group, ownInterface);
    socket.setMulticastInterface(ownInterface);
    socket.setMulticastTTL(255);
    socket.setTTL(255);
    // For programs on this machine that look the hub up.
    socket.setMulticastLoopback(true);
  } catch (cause) {
    socket.close();
    throw cause;
  }
  socket.on('message', events.onMessage);
  socket.on('error', events.onFailure);
  const everyone = { address: family === 4 ? group : `${group}%${name}`, port: MDNS_PORT };
  return {
    /** Sends to all hosts on the link, or to one peer. Reports what the network refuses and never throws. */
    send: (bytes: Buffer, to: { readonly address: string; readonly port: number } = everyone): void =>
      sendSafely(socket, { bytes, to, onFailure: events.onFailure }),
    close: (): void => void socket.removeAllListeners('message').close(),
  };
}

type Sending = { bytes: Buffer; to: { address: string; port: number }; onFailure: (cause: unknown) => void };

function sendSafely(socket: Socket, { bytes, to, onFailure }: Sending): void {
  try {
    socket.send(bytes, to.port, to.address, (cause) => {
      if (cause !== null) onFailure(cause);
    });
  } catch (cause) {
    // Node throws for port 0, which any packet may name as its source.
    onFailure(cause);
  }
}
