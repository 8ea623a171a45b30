import { connect, createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TlsTrust } from '#base/network/lan-ports.ts';
import {
  createTestClient,
  readCertificate,
  reasonOf,
  serveHttp,
  serveHttps,
  serveTcp,
} from '#test/support/lan/lan-world.ts';

const PIN = readCertificate('lamp').pin;

test('the first contact takes any certificate and reports its fingerprint', async () => {
  const { url } = await serveHttps('lamp', (_request, response) => void response.end('ok'));
  const { http } = createTestClient();
  expect(await http.request({ url, tls: 'any' })).toMatchObject({ status: 200, fingerprint: PIN });
});

test.each([
  ['as it is reported', PIN],
  ['as openssl prints it', (PIN.match(/../g) ?? []).join(':').toUpperCase()],
])('a pin %s lets its certificate in, also on a connection that is used again', async (_how, pin) => {
  const { url, sockets } = await serveHttps('lamp', (_request, response) => void response.end('ok'));
  const { http } = createTestClient();
  for (let count = 0; count < 2; count += 1) {
    expect(await http.request({ url, tls: { pin } })).toMatchObject({ status: 200, fingerprint: PIN });
    await new Promise(setImmediate);
  }
  expect(sockets).toHaveLength(1);
});

test.each<[string, TlsTrust | undefined]>([
  ['another pin', { pin: readCertificate('stranger').pin }],
  ['an empty pin', { pin: '' }],
  ['a public authority that did not sign it', undefined],
])('with %s not a byte of the request is sent', async (_what, tls) => {
  const heard: number[] = [];
  const server = createServer(readCertificate('lamp'), (socket) => {
    socket.on('error', () => undefined).on('data', (data) => void heard.push(data.length));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const ended = new Promise((resolve) => void server.once('connection', (socket) => socket.once('close', resolve)));
  const { http, openWebSocket } = createTestClient();
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const trust = tls === undefined ? {} : { tls };
  expect(await reasonOf(http.request({ url: `https://${place}/`, ...trust }))).toBe('certificate_refused');
  await ended;
  const options = { ...trust, onMessage: () => undefined, signal: new AbortController().signal };
  expect(await reasonOf(openWebSocket({ url: `wss://${place}/`, ...options }))).toBe('certificate_refused');
  expect(heard).toEqual([]);
});

test('a connection of the first contact is not used again under a pin, nor under another one', async () => {
  const { url, sockets } = await serveHttps('lamp', (_request, response) => void response.end('ok'));
  const { http } = createTestClient();
  await http.request({ url, tls: 'any' });
  await new Promise(setImmediate);
  expect(await reasonOf(http.request({ url, tls: { pin: readCertificate('stranger').pin } }))).toBe(
    'certificate_refused',
  );
  expect(sockets).toHaveLength(2);
});

test('another certificate after a reconnect is refused, though the server would resume the session', async () => {
  const served = await serveHttps('lamp', (_request, response) => void response.end('ok'));
  const resumed: boolean[] = [];
  served.tls.on('secureConnection', (socket) => void resumed.push(socket.isSessionReused()));
  const { http } = createTestClient({ keepAlive: false });
  const tls = { pin: PIN };
  await http.request({ url: served.url, tls });
  await http.request({ url: served.url, tls });
  // The keys of its session tickets stay, so a client that asked for it would resume without a certificate.
  served.tls.setSecureContext(readCertificate('stranger'));
  expect(await reasonOf(http.request({ url: served.url, tls }))).toBe('certificate_refused');
  expect(resumed.slice(0, 2)).toEqual([false, false]);
  expect(await resumes(served.port)).toBe(true);
});

test('the peer learns under which name it was called, but no address', async () => {
  const { tls, url } = await serveHttps('lamp', (_request, response) => void response.end());
  const names: unknown[] = [];
  tls.on('secureConnection', ({ servername }) => void names.push(servername));
  const { http } = createTestClient();
  for (const host of ['lamp.test', '127.0.0.1'])
    await http.request({ url: url.replace('127.0.0.1', host), tls: 'any' });
  expect(names).toEqual(['lamp.test', false]);
});

test('a wrong certificate at the first address of a name is the answer, whatever the next address is', async () => {
  const { url } = await serveHttps('stranger', (_request, response) => void response.end());
  const { http } = createTestClient({ names: () => ['127.0.0.1', '127.0.0.2'] });
  const call = http.request({ url: url.replace('127.0.0.1', 'lamp.test'), tls: { pin: PIN } });
  expect(await reasonOf(call)).toBe('certificate_refused');
});

describe('a peer that speaks no TLS', () => {
  test.each([
    ['but HTTP', async () => (await serveHttp((_request, response) => void response.end())).port, 'not_tls'],
    ['and closes', async () => (await serveTcp((socket) => void socket.end())).port, 'closed'],
  ])('%s is refused', async (_what, serve, reason) => {
    const url = `https://127.0.0.1:${await serve()}/`;
    expect(await reasonOf(createTestClient().http.request({ url, tls: 'any' }))).toBe(reason);
  });
});

/** Whether a client that keeps its session gets it resumed: else the test above would prove nothing. */
async function resumes(port: number): Promise<boolean> {
  const open = (session?: Buffer): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...(session && { session }) });
      socket.on('error', reject).once('secureConnect', () => resolve(socket));
    });
  const first = await open();
  const session = await new Promise<Buffer>((resolve) => void first.once('session', resolve));
  first.destroy();
  const second = await open(session);
  const isReused = second.isSessionReused();
  second.destroy();
  return isReused;
}
