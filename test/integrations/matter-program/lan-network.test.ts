import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';

const HOME = { interface: 'lo', address: '127.0.0.1', prefix: 32, family: 4 } as const;
const PORT = 5_541;

test('N: hears and answers only who is in the network of its interface', async () => {
  const network = new LanNetwork([HOME], () => undefined);
  const socket = await network.createUdpSocket({ type: 'udp4', listeningPort: PORT });
  onTestFinished(() => socket.close());
  const heard: string[] = [];
  socket.onData((_interface, from) => void heard.push(from));
  // The one from elsewhere comes first: had it been taken, it would stand before the neighbour.
  for (const from of ['127.0.0.2', '127.0.0.1']) {
    const peer = createSocket('udp4');
    onTestFinished(() => void peer.close());
    peer.bind(0, from);
    await once(peer, 'listening');
    peer.send('hello', PORT, '127.0.0.1');
  }
  await vi.waitFor(() => expect(heard).toEqual(['127.0.0.1']));
  await expect(socket.send('127.0.0.2', 9, new Uint8Array(1))).rejects.toThrow('is in no network of the LAN');
});
