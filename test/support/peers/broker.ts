import { createServer, type Server, type Socket } from 'node:net';
import { Aedes, type AedesPublishPacket } from 'aedes';
import { findFreePort } from './free-port.ts';

export type PublishedMessage = { readonly topic: string; readonly payload: string };

/** A real MQTT broker inside this process. */
export type TestBroker = {
  readonly port: number;
  readonly url: string;
  /** What clients (not the test itself) published, in order. */
  readonly received: readonly PublishedMessage[];
  readonly publish: (topic: string, payload: string | Buffer, retain?: boolean) => Promise<void>;
  readonly onPublish: (listener: (message: PublishedMessage & { readonly bytes: Buffer }) => void) => void;
  /** Topics that clients are subscribed to now. */
  readonly subscriptions: () => ReadonlySet<string>;
  readonly connections: () => number;
  /** Closes the port and cuts every connection; retained messages stay. */
  readonly stop: () => Promise<void>;
  /** Listens again on the same port. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type TestBrokerOptions = { readonly user?: string; readonly password?: string };

export async function startBroker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const received: PublishedMessage[] = [];
  const listeners: Parameters<TestBroker['onPublish']>[0][] = [];
  const topics = new Map<string, Set<string>>();
  const sockets = new Set<Socket>();
  let isClosed = false;
  const aedes = await Aedes.createBroker({
    authenticate: (...[, user, password, done]) => {
      const isRight = options.user === undefined || (user === options.user && String(password) === options.password);
      done(isRight ? null : Object.assign(new Error('no'), { returnCode: 4 as const }), isRight);
    },
  });
  aedes.on('publish', (packet: AedesPublishPacket, client) => {
    if (client === null) return;
    const message = { topic: packet.topic, payload: String(packet.payload) };
    received.push(message);
    for (const listener of listeners) listener({ ...message, bytes: Buffer.from(packet.payload) });
  });
  aedes.on('subscribe', (subscriptions, client) => {
    const own = topics.get(client.id) ?? new Set();
    for (const { topic } of subscriptions) own.add(topic);
    topics.set(client.id, own);
  });
  aedes.on('unsubscribe', (names, client) => {
    for (const name of names) topics.get(client.id)?.delete(name);
  });
  aedes.on('clientDisconnect', (client) => void topics.delete(client.id));
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    aedes.handle(socket);
  };
  let server: Server | null = null;
  // The same after a stop, when nobody else may have it.
  const port = await findFreePort();
  const start = async (): Promise<void> => {
    const opened = createServer({ noDelay: true }, accept);
    server = opened;
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(port, '127.0.0.1', resolve);
    });
  };
  const stop = async (): Promise<void> => {
    const closing = server;
    server = null;
    if (closing === null) return;
    const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await start();
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    received,
    publish: (topic, payload, retain = false) =>
      new Promise((resolve, reject) => {
        const packet = { cmd: 'publish', topic, payload, retain, qos: 0, dup: false } as const;
        aedes.publish(packet, (error) => (error && !isClosed ? reject(error) : resolve()));
      }),
    onPublish: (listener) => void listeners.push(listener),
    subscriptions: () => new Set([...topics.values()].flatMap((own) => [...own])),
    connections: () => sockets.size,
    stop,
    start,
    close: async () => {
      // A device that is still talking then is heard by nobody.
      isClosed = true;
      await stop();
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
    },
  };
}
