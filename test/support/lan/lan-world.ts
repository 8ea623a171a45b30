import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { faultOf } from '#base/network/connection-failure.ts';
import { systemRandom } from '#base/random.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { type AddressRules, createAddressFinder } from '#lan/client/find-addresses.ts';
import { createLanClient, type LanClient, type LanClientDeps } from '#lan/client/lan-client.ts';

/** In these tests, loopback addresses count as the LAN, and this one as the hub itself. */
export const OWN_ADDRESS = '127.0.0.99';

export type LanWorld = Partial<LanClientDeps & AddressRules> & {
  /** What the name server answers, by name. */
  readonly names?: (name: string) => readonly string[];
};

/** A client with real sockets; the test closes it. */
export function createTestClient(world: LanWorld = {}): LanClient {
  const { names = () => ['127.0.0.1'] } = world;
  const client = createLanClient({
    findAddresses: createAddressFinder({
      isLanAddress: (address) => address.startsWith('127.') || address === '::1',
      isOwnAddress: (address) => address === OWN_ADDRESS,
      lookup: async (name) => names(name).map((address) => ({ address })),
      ...world,
    }),
    mayReachHub: () => false,
    startTimer: startSystemTimer,
    random: systemRandom,
    keepAlive: true,
    ...world,
  });
  onTestFinished(client.close);
  return client;
}

/** The reason of a call that must fail; fails itself if the call does not, or fails otherwise. */
export async function reasonOf(call: Promise<unknown>): Promise<string> {
  const outcome = await call.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  const fault = faultOf(outcome);
  if (fault === undefined) throw new Error('it did not fail as a connection does', { cause: outcome });
  return fault.reason;
}

/** Serves HTTP on loopback until the test ends. */
export async function serveHttp(listener: RequestListener): Promise<Served> {
  return listen(createServer(listener), 'http');
}

export type CertificateName = 'lamp' | 'stranger';

export function readCertificate(name: CertificateName): { key: string; cert: string; pin: string } {
  const read = (kind: string): string =>
    readFileSync(join(import.meta.dirname, `../../fixtures/certificates/${name}.${kind}.pem`), 'utf8');
  const cert = read('cert');
  return { key: read('key'), cert, pin: new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase() };
}

/** Serves HTTPS with one of the certificates of the fixtures. */
export async function serveHttps(
  name: CertificateName,
  listener: RequestListener,
): Promise<Served & { readonly tls: ReturnType<typeof createTlsServer> }> {
  const tls = createTlsServer(readCertificate(name), listener);
  return { ...(await listen(tls, 'https')), tls };
}

export type Served = {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Connections so far. */
  readonly sockets: readonly Socket[];
};

async function listen(server: Server, scheme: string): Promise<Served> {
  const { port, sockets } = await listenTcp(server);
  return { url: `${scheme}://127.0.0.1:${port}`, port, server, sockets };
}

/** A server that says over TCP what it likes, HTTP or not. */
export async function serveTcp(
  onConnection: (socket: Socket) => void,
): Promise<{ readonly port: number; readonly url: string; readonly sockets: readonly Socket[] }> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  const { port, sockets } = await listenTcp(server);
  return { port, url: `http://127.0.0.1:${port}`, sockets };
}

async function listenTcp(server: TcpServer): Promise<{ port: number; sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}
