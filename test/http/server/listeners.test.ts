import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect, createServer as createNetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startSystemTimer } from '#base/time/timer.ts';
import type { ListenAddress, ListenersDeps } from '#http/server/listeners.ts';
import { startListeners } from '#http/server/listeners.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function on(address: string): ListenAddress {
  return { address, family: address.includes(':') ? 6 : 4, scopeId: 0, interface: 'lo' };
}

function createOkServer(): Server {
  return createServer((incoming, outgoing) => {
    if (incoming.url !== '/never') outgoing.end('ok');
  });
}

async function startTest(addresses: ListenAddress[], overrides: Partial<ListenersDeps> = {}) {
  const { log, lines } = createRecordingLog();
  const time = createManualTime();
  const wanted = { now: addresses };
  const listeners = await startListeners({
    createServer: createOkServer,
    addresses: () => wanted.now,
    admit: () => true,
    port: 0,
    startTimer: time.startTimer,
    clock: time.clock,
    log,
    ...overrides,
  });
  undo.push(() => Promise.all([listeners.close(0), time.advance(1)]));
  const portOf = (address: string) => listeners.bound().find((one) => one.address === address)?.port ?? 0;
  return { listeners, wanted, lines, time, portOf };
}

/** Status of a GET, or the error's code. */
function ask(port: number, host: string, path = '/'): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request({ port, host, path, agent: false }, (answer: IncomingMessage) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    asked.end();
  });
}

async function occupy(address: string): Promise<{ port: number; free: () => Promise<unknown> }> {
  const server = createNetServer().listen(0, address);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, free: () => once(server.close(), 'close') };
}

describe('N3: the listeners', () => {
  test('serve each address with its own server', async () => {
    const createServers = vi.fn<() => Server>(createOkServer);
    const { listeners, portOf } = await startTest([on('127.0.0.1'), on('127.0.0.2')], { createServer: createServers });
    expect(listeners.bound().map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(createServers).toHaveBeenCalledTimes(2);
    expect(await ask(portOf('127.0.0.1'), '127.0.0.1')).toBe(200);
    expect(await ask(portOf('127.0.0.2'), '127.0.0.1')).toBe('ECONNREFUSED');
  });

  test('start without any address and find one within two seconds', async () => {
    const { listeners, wanted, time } = await startTest([]);
    expect(listeners.bound()).toEqual([]);
    wanted.now = [on('127.0.0.3')];
    await time.advance(2_000);
    await vi.waitFor(() => expect(listeners.bound()).toHaveLength(1));
    expect(listeners.bound()[0]?.url).toMatch(/^http:\/\/127\.0\.0\.3:\d+$/);
  });

  test('write an IPv6 address in the form that browsers take', async () => {
    const { listeners } = await startTest([on('::1')]);
    expect(listeners.bound()[0]?.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  });

  test('close the server of a vanished address with its connections, and no other', async () => {
    const changes: string[][] = [];
    const { listeners, wanted, portOf } = await startTest([on('127.0.0.1'), on('127.0.0.2')], {
      onChange: (bound) => changes.push(bound.map(({ address }) => address)),
    });
    const kept = connect(portOf('127.0.0.1'), '127.0.0.1');
    const lost = connect(portOf('127.0.0.2'), '127.0.0.2');
    lost.write('GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await Promise.all([once(kept, 'connect'), once(lost, 'connect')]);
    const port = portOf('127.0.0.2');
    const closed = new Promise((resolve) => void lost.on('error', () => undefined).once('close', resolve));
    wanted.now = [on('127.0.0.1')];
    await listeners.reconcile();
    await closed;
    expect(kept.destroyed).toBe(false);
    expect(await ask(port, '127.0.0.2')).toBe('ECONNREFUSED');
    expect(changes).toEqual([['127.0.0.1', '127.0.0.2'], ['127.0.0.1']]);
    kept.destroy();
  });

  test('bind a link-local address again when its interface was created again', async () => {
    const createServers = vi.fn<() => Server>(createOkServer);
    const { listeners, wanted } = await startTest([on('127.0.0.1')], { createServer: createServers });
    wanted.now = [{ ...on('127.0.0.1'), scopeId: 9 }];
    await listeners.reconcile();
    expect(createServers).toHaveBeenCalledTimes(2);
    expect(listeners.bound()).toMatchObject([{ address: '127.0.0.1', scopeId: 9 }]);
  });

  test('try an occupied port again and log it once', async () => {
    const { port, free } = await occupy('127.0.0.4');
    const { listeners, lines, time } = await startTest([on('127.0.0.4'), on('127.0.0.5')], { port });
    expect(listeners.bound().map(({ address }) => address)).toEqual(['127.0.0.5']);
    expect(listeners.unbound()).toMatchObject([{ address: '127.0.0.4', reason: 'EADDRINUSE' }]);
    for (let count = 0; count < 5; count += 1) await listeners.reconcile();
    expect(lines.filter((line) => line.includes('EADDRINUSE'))).toHaveLength(1);
    await free();
    await time.advance(2_000);
    await vi.waitFor(() => expect(listeners.unbound()).toEqual([]));
    expect(lines.at(-1)).toContain('listening');
  });

  test('wait for a tentative address, and log it only if it never becomes usable', async () => {
    const { listeners, lines, time } = await startTest([on('192.0.2.99')]);
    expect(lines).toEqual([]);
    expect(time.pendingMs()).toEqual([400]);
    for (let count = 0; count < 20; count += 1) await listeners.reconcile();
    expect(time.pendingMs()).toEqual([2_000]);
    expect(lines.filter((line) => line.includes('EADDRNOTAVAIL'))).toHaveLength(1);
  });

  test('reset a connection that is not admitted, before the parser sees it', async () => {
    const peers: string[] = [];
    const onRequest = vi.fn<() => void>();
    const { portOf } = await startTest([on('127.0.0.1')], {
      createServer: () => createServer(onRequest),
      admit: (socket: Socket, local) => {
        peers.push(`${socket.remoteAddress} at ${local.address}`);
        return false;
      },
    });
    expect(await ask(portOf('127.0.0.1'), '127.0.0.1')).toBe('ECONNRESET');
    expect(peers).toEqual(['127.0.0.1 at 127.0.0.1']);
    expect(onRequest).not.toHaveBeenCalled();
  });

  test('let a request under way end when they close, and cut it off after the grace period', async () => {
    let answer: (() => void) | undefined;
    const server = (): Server =>
      createServer((incoming, outgoing) => {
        if (incoming.url === '/slow') answer = () => void outgoing.end('late');
      });
    const { listeners, portOf } = await startTest([on('127.0.0.1')], {
      createServer: server,
      startTimer: startSystemTimer,
    });
    const slow = ask(portOf('127.0.0.1'), '127.0.0.1', '/slow');
    const never = ask(portOf('127.0.0.1'), '127.0.0.1', '/never');
    await vi.waitFor(() => expect(answer).toBeDefined());
    const port = portOf('127.0.0.1');
    const closed = listeners.close(300);
    expect(await ask(port, '127.0.0.1')).toBe('ECONNREFUSED');
    answer?.();
    expect(await slow).toBe(200);
    expect(await never).toBe('ECONNRESET');
    await closed;
    expect(listeners.bound()).toEqual([]);
  });
});
