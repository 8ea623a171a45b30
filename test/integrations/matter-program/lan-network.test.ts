import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { DnsCodec, DnsMessageType, TxtRecord } from '@matter/main';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LanNetwork } from '#integrations/matter-program/process/lan-network.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';

const HOME = { interface: 'lo', address: '127.0.0.1', prefix: 32, family: 4, beside: ['127.0.0.8/31'] } as const;
const PORT = await findFreePort();

test('N: hears and answers only who is in a network that its interface leads to', async () => {
  const network = new LanNetwork([HOME], () => undefined);
  const socket = await network.createUdpSocket({ type: 'udp4', listeningPort: PORT });
  onTestFinished(() => socket.close());
  const heard: string[] = [];
  socket.onData((_interface, from) => void heard.push(from));
  // The one from elsewhere comes first: had it been taken, it would stand before the neighbour.
  for (const from of ['127.0.0.2', '127.0.0.10', '127.0.0.9', '127.0.0.1']) {
    const peer = createSocket('udp4');
    onTestFinished(() => void peer.close());
    peer.bind(0, from);
    await once(peer, 'listening');
    peer.send('hello', PORT, '127.0.0.1');
  }
  await vi.waitFor(() => expect(heard).toEqual(['127.0.0.9', '127.0.0.1']));
  const peer = createSocket('udp4');
  onTestFinished(() => void peer.close());
  peer.bind(0, '127.0.0.8');
  await once(peer, 'listening');
  const answered = once(peer, 'message');
  await socket.send('127.0.0.8', peer.address().port, new Uint8Array([7]));
  expect(await answered).toMatchObject([Buffer.from([7]), { address: '127.0.0.1' }]);
  await expect(socket.send('127.0.0.10', 9, new Uint8Array(1))).rejects.toThrow('is in no network of the LAN');
  await expect(socket.send('127.0.0.2', 9, new Uint8Array(1))).rejects.toThrow('is in no network of the LAN');
});

/** Has the port at this address until it is closed. */
async function occupy(address: string): Promise<Socket> {
  const other = createSocket('udp4');
  other.bind(PORT, address);
  await once(other, 'listening');
  return other;
}

test('an address that cannot be used yet holds up no other, and is tried again as long as it stands in the list', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const notes: string[] = [];
  const network = new LanNetwork([{ ...HOME, address: '192.0.2.7' }, HOME], (_what, cause) => {
    notes.push(cause instanceof Error ? cause.message : '');
  });
  const socket = await network.createUdpSocket({ type: 'udp4', listeningPort: PORT });
  onTestFinished(() => socket.close());
  const heard: string[] = [];
  socket.onData((_interface, from, port) => void heard.push(`${from} ${port === PORT}`));
  const second = { ...HOME, address: '127.0.0.2' };
  const other = await occupy(second.address);
  await network.setAddresses([second, HOME]);
  await socket.send(HOME.address, PORT, new Uint8Array(1));
  await vi.waitFor(() => expect(heard).toEqual([`${HOME.address} true`]));
  expect(notes).toEqual([`127.0.0.2 port ${PORT} is in use`]);
  other.close();
  await once(other, 'close');
  vi.advanceTimersByTime(2_000);
  await vi.waitFor(() => socket.send(second.address, PORT, new Uint8Array(1)));
  await vi.waitFor(() => expect(heard).toContain(`${second.address} true`));
  expect(vi.getTimerCount()).toBe(0);
  await network.setAddresses([{ ...HOME, address: '192.0.2.7' }, HOME]);
  expect(vi.getTimerCount()).toBe(1);
  await network.setAddresses([HOME]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a port that another program has ends the start', async () => {
  const other = await occupy(HOME.address);
  onTestFinished(() => void other.close());
  const network = new LanNetwork([HOME], () => undefined);
  await expect(network.createUdpSocket({ type: 'udp4', listeningPort: PORT })).rejects.toThrow('is in use');
});

/** Sends to the group of mDNS on the loopback interface, as a neighbour does. */
async function openNeighbour(): Promise<(data: Uint8Array) => Promise<void>> {
  const peer = createSocket({ type: 'udp4', reuseAddr: true });
  onTestFinished(() => void peer.close());
  peer.bind(0, '127.0.0.1');
  await once(peer, 'listening');
  peer.setMulticastInterface('127.0.0.1');
  return (data) => new Promise((resolve) => peer.send(data, 5_353, '224.0.0.251', () => resolve()));
}

test('X: of mDNS it takes no more records of a neighbour than the ration has, and none of what no neighbour may send', async () => {
  const network = new LanNetwork([HOME], () => undefined);
  const socket = await network.createUdpSocket({ type: 'udp4', listeningPort: 5_353, reuseAddress: true });
  onTestFinished(() => socket.close());
  socket.addMembership('224.0.0.251');
  const heard: string[] = [];
  socket.onData((...given) => {
    for (const { name } of DnsCodec.decode(given[3])?.answers ?? []) heard.push(name.split('-')[0] ?? '');
  });
  const send = await openNeighbour();
  const say = (what: string, count: number): Buffer =>
    Buffer.from(
      DnsCodec.encode({
        messageType: DnsMessageType.Response,
        answers: Array.from({ length: count }, (_none, number) =>
          TxtRecord(`${what}-${number}._matterc._udp.local`, ['CM=1']),
        ),
      }) as Uint8Array,
    );
  await send(say('long', 250));
  const many = say('many', 2);
  many.writeUInt16BE(60_000, 6);
  await send(many);
  for (let message = 0; message < 60; message += 1) await send(say(`flood${message}`, 100));
  await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(1_900));
  expect(heard.length).toBeLessThan(2_200);
  expect(heard.every((what) => what.startsWith('flood'))).toBe(true);
});
