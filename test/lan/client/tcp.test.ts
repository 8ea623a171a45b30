import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import type { OpenTcp } from '#base/network/lan-ports.ts';
import { readPlace } from '#lan/client/lan-url.ts';
import { createTestClient, reasonOf, serveTcp } from '#test/support/lan/lan-world.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const SOON = { interval: 5 };

function listener(port: number) {
  const heard: Uint8Array[] = [];
  const ending = new AbortController();
  const options: Parameters<OpenTcp>[0] = {
    host: '127.0.0.1',
    defaultPort: port,
    onData: (data) => void heard.push(data),
    signal: ending.signal,
  };
  return { text: () => Buffer.concat(heard).toString(), ending, options };
}

test('bytes go both ways, and the end sends what waits', async () => {
  const got: Buffer[] = [];
  const { port, sockets } = await serveTcp((socket) => {
    socket.write('hello');
    socket.on('data', (data) => void got.push(data));
  });
  const { text, options } = listener(9);
  const tcp = await createTestClient().openTcp({ ...options, host: `127.0.0.1:${port}` });
  await vi.waitFor(() => expect(text()).toBe('hello'), SOON);
  tcp.send(Buffer.alloc(900_000));
  tcp.close();
  tcp.close();
  await tcp.ended;
  await vi.waitFor(() => expect(Buffer.concat(got)).toHaveLength(900_000), SOON);
  expect(sockets).toHaveLength(1);
  expect(() => tcp.send(Buffer.alloc(1))).toThrow(expect.objectContaining({ code: 'CONNECTION_FAILED' }));
});

describe('a connection ends', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['closes', (socket) => void socket.end('bye')],
    ['resets it', (socket) => void socket.resetAndDestroy()],
  ])('when its peer %s', async (_how, act) => {
    const { port } = await serveTcp((socket) => void socket.once('data', () => act(socket)));
    const tcp = await createTestClient().openTcp(listener(port).options);
    tcp.send(Buffer.from('x'));
    await tcp.ended;
    expect(() => tcp.send(Buffer.from('y'))).toThrow(expect.objectContaining({ code: 'CONNECTION_FAILED' }));
  });

  test('when its signal aborts, and nothing is left', async () => {
    const time = createManualTime();
    const { port, sockets } = await serveTcp(() => undefined);
    const { ending, options } = listener(port);
    const tcp = await createTestClient({ startTimer: time.startTimer }).openTcp(options);
    ending.abort();
    await tcp.ended;
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
    expect(time.pendingMs()).toEqual([]);
  });

  test('when its peer does not close its side within a second', async () => {
    const time = createManualTime();
    const { port } = await serveTcp((socket) => {
      socket.allowHalfOpen = true;
      socket.resume();
    });
    const tcp = await createTestClient({ startTimer: time.startTimer }).openTcp(listener(port).options);
    tcp.close();
    await time.advance(1_000);
    await tcp.ended;
    expect(time.pendingMs()).toEqual([]);
  });

  test('when its peer does not read and 1 MiB waits', async () => {
    const { port } = await serveTcp((socket) => void socket.pause());
    const tcp = await createTestClient().openTcp(listener(port).options);
    const fill = (): void => {
      for (let sent = 0; sent < 1_000; sent += 1) tcp.send(Buffer.alloc(100_000));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'CONNECTION_FAILED' }));
    await tcp.ended;
  });
});

test('a connection that fails has its reason', async () => {
  const { openTcp } = createTestClient();
  expect(await reasonOf(openTcp(listener(9).options))).toBe('refused');
  expect(await reasonOf(openTcp({ ...listener(9).options, host: '203.0.113.7' }))).toBe('address_refused');
  expect(await reasonOf(openTcp({ ...listener(9).options, signal: AbortSignal.abort() }))).toBe('aborted');
});

describe('a host', () => {
  test.each([
    ['lamp', 'lamp', 6053],
    ['lamp.local:80', 'lamp.local', 80],
    ['192.168.1.5', '192.168.1.5', 6053],
    ['192.168.1.5:80', '192.168.1.5', 80],
    ['fe80::1%eth0', 'fe80::1%eth0', 6053],
    ['[fe80::1%eth0]', 'fe80::1%eth0', 6053],
    ['[fd00::5]:80', 'fd00::5', 80],
    ['::1', '::1', 6053],
  ])('%s is read', (text, host, port) => {
    expect(readPlace(text, 6053)).toEqual({ host, port });
  });

  test.each(['', ':80', 'lamp:', 'lamp:0', 'lamp:65536', 'a b', 'a/b', 'u@lamp', '[fd00::5', 'x'.repeat(254)])(
    '"%s" is refused',
    (text) => {
      expect(() => readPlace(text, 6053)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
    },
  );
});
