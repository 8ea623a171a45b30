// Speaks mDNS in the LAN of this machine's only interface, which may have no route to the group.
import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';

const GROUP = '224.0.0.251';
const PORT = 5353;

/** `say` rejects what cannot be sent: a neighbour that nobody can hear would prove nothing. */
export async function openMdns() {
  const lan = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal);
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  await new Promise((resolve) => socket.bind(PORT, resolve));
  socket.setMulticastInterface(lan.address);
  socket.addMembership(GROUP, lan.address);
  return {
    socket,
    say: (message) =>
      new Promise((resolve, reject) => {
        socket.send(message, PORT, GROUP, (cause) => (cause ? reject(cause) : resolve()));
      }),
  };
}
