import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { LanClient } from '#lan/client/lan-client.ts';
import { createTestClient, reasonOf, serveHttp, serveHttps, serveTcp } from '#test/support/lan/lan-world.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const KINDS = /TCPSocketWrap|TLSWrap|ConnectWrap|GetAddrInfo/;

/** Open sockets of this process, the servers' side of each connection included. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => KINDS.test(kind)).length;
}

/** One call of each kind that ends well, fails or is ended, all with one signal. */
async function useAll(client: LanClient, urls: Urls, signal: AbortSignal): Promise<void> {
  const { http, openWebSocket, openTcp } = client;
  const digest = { user: 'u', password: 'p' };
  await http.request({ url: urls.http, signal });
  await http.request({ url: urls.https, tls: 'any', signal, digest });
  const refused = [
    http.request({ url: urls.https, tls: { pin: 'ab'.repeat(32) }, signal }),
    http.request({ url: urls.broken, signal }),
    http.request({ url: 'http://203.0.113.7/', signal }),
    http.request({ url: 'http://127.0.0.1:9/', signal }),
    openWebSocket({ url: urls.http.replace('http', 'ws'), onMessage: () => undefined, signal }),
    openTcp({ host: '127.0.0.1', defaultPort: 9, onData: () => undefined, signal }),
    http.events({ url: urls.http }, signal)[Symbol.asyncIterator]().next(),
  ];
  for (const reason of await Promise.all(refused.map(reasonOf))) expect(reason).not.toBe('timeout');
  const websocket = await openWebSocket({ url: urls.websocket, onMessage: () => undefined, signal });
  websocket.close();
  const tcp = await openTcp({ host: urls.tcp, defaultPort: 1, onData: () => undefined, signal });
  tcp.close();
  await Promise.all([websocket.ended, tcp.ended]);
}

type Urls = Readonly<Record<'http' | 'https' | 'broken' | 'websocket' | 'tcp', string>>;

test('calls leave no listener on a signal that lives on, no timer, and after the close no socket', async () => {
  const before = countSockets();
  const page = await serveHttp((_request, response) => void response.end('ok'));
  const secure = await serveHttps('lamp', (_request, response) => void response.end('ok'));
  const broken = await serveTcp(
    (socket) => void socket.once('data', () => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na')),
  );
  const echo = await serveHttp(() => undefined);
  const websockets = new WebSocketServer({ server: echo.server });
  const plain = await serveTcp((socket) => void socket.resume());
  const urls = {
    http: page.url,
    https: secure.url,
    broken: broken.url,
    websocket: echo.url.replace('http', 'ws'),
    tcp: `127.0.0.1:${plain.port}`,
  };
  const time = createManualTime();
  const client = createTestClient({ startTimer: time.startTimer });
  const { signal } = new AbortController();
  for (let round = 0; round < 5; round += 1) await useAll(client, urls, signal);
  expect([getEventListeners(signal, 'abort').length, time.pendingMs()]).toEqual([0, []]);

  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const streams = Array.from({ length: 30 }, () => reasonOf(client.http.request({ url: echo.url, signal })));
  const websocket = await client.openWebSocket({ url: urls.websocket, onMessage: () => undefined, signal });
  client.close();
  await Promise.all([...streams, websocket.ended]);
  expect([getEventListeners(signal, 'abort').length, time.pendingMs()]).toEqual([0, []]);
  expect(warnings).toEqual([]);
  websockets.close();
  // The servers themselves still listen: TCPServerWrap.
  await vi.waitFor(() => expect(countSockets()).toBeLessThanOrEqual(before), { interval: 10 });
});
