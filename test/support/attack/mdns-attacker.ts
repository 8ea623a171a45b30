import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { systemClock } from '#base/time/clock.ts';
import { hostilePacket, liarsPackets } from './hostile-mdns.ts';

/*
 * Runs inside a network namespace until SIGTERM. `flood INTERFACE KIND PER_SECOND` sends hostile packets from each IPv4
 * address there in turn; `squat INTERFACE` claims the names of the hub, and answers every question for them.
 */
const GROUP = '224.0.0.251';

const [command, interfaceName = '', kind = '', perSecond = '1'] = process.argv.slice(2);
const addresses = (networkInterfaces()[interfaceName] ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => address);
if (command === 'flood')
  await flood(kind === 'services' ? liarsPackets('_http._tcp') : [hostilePacket(kind)], Number(perSecond));
else await squat();

async function open(address: string, isMember: boolean): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.bind(5353, isMember ? GROUP : address);
  await once(socket, 'listening');
  socket.setMulticastInterface(address);
  if (isMember) socket.addMembership(GROUP, address);
  return socket;
}

async function flood(packets: readonly Buffer[], packetsPerS: number): Promise<void> {
  const sockets = await Promise.all(addresses.map((address) => open(address, false)));
  const startMs = systemClock.monotonicMs();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((systemClock.monotonicMs() - startMs) / 1_000) * packetsPerS; sent < due; sent += 1)
      sockets[sent % sockets.length]?.send(packets[sent % packets.length] ?? '', 5353, GROUP);
  }, 5);
  await once(process, 'SIGTERM');
  clearInterval(timer);
  for (const socket of sockets) socket.close();
}

async function squat(): Promise<void> {
  const [address = ''] = addresses;
  const socket = await open(address, true);
  const say = (): void => socket.send(hostilePacket('claims'), 5353, GROUP);
  socket.on('message', say);
  const timer = setInterval(say, 100);
  await once(process, 'SIGTERM');
  clearInterval(timer);
  socket.close();
}
