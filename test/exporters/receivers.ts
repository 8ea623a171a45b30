import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '#test/support/daemon/http-wire.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';
import { endOf, untilListening } from '#test/support/peers/mosquitto.ts';

/** A point as a receiver gives it back: `device|key|field|ms`, and its value as JSON. */
export type Points = ReadonlyMap<string, string>;

export type Receiver = {
  readonly port: number;
  readonly path: string;
  /** As a power cut would. What the receiver has acknowledged is on its disk, if `settle` was called. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly readBack: () => Promise<Points>;
};

/** Debian's InfluxDB 1.6 with the database `home`. */
export async function startInflux(): Promise<Receiver> {
  const [port, rpcPort] = [await findFreePort(), await findFreePort()];
  const folder = createFolder('influx');
  const config = `reporting-disabled = true
bind-address = "127.0.0.1:${rpcPort}"
[meta]
dir = "${folder}/meta"
logging-enabled = false
[data]
dir = "${folder}/data"
wal-dir = "${folder}/wal"
query-log-enabled = false
[monitor]
store-enabled = false
[http]
bind-address = "127.0.0.1:${port}"
log-enabled = false
`;
  writeFileSync(join(folder, 'influx.conf'), config);
  const server = createServerProcess(port, () =>
    spawn('influxd', ['run', '-config', join(folder, 'influx.conf')], { stdio: 'ignore' }),
  );
  await server.start();
  const query = async (q: string): Promise<InfluxAnswer> => {
    const answer = await fetch(`http://127.0.0.1:${port}/query?db=home&epoch=ms`, {
      method: 'POST',
      body: new URLSearchParams({ q }),
    });
    return (await answer.json()) as InfluxAnswer;
  };
  await query('CREATE DATABASE home');
  return {
    ...server,
    port,
    path: '/write?db=home',
    settle: async () => undefined,
    readBack: async () => {
      const [series] = (await query('SELECT * FROM hearthd_feature')).results[0]?.series ?? [];
      const points = new Map<string, string>();
      for (const row of series?.values ?? []) {
        const cell = (name: string) => row[series?.columns.indexOf(name) ?? -1] ?? null;
        for (const field of ['value', 'state', 'text', 'gap']) {
          const value = cell(field);
          if (value !== null)
            points.set(`${cell('device')}|${cell('key')}|${field}|${cell('time')}`, JSON.stringify(value));
        }
      }
      return points;
    },
  };
}

type Cell = string | number | boolean | null;
type InfluxAnswer = {
  readonly results: readonly {
    readonly series?: readonly { readonly columns: readonly string[]; readonly values: readonly (readonly Cell[])[] }[];
  }[];
};

/** Debian's VictoriaMetrics. It keeps numbers only. */
export async function startVictoria(): Promise<Receiver> {
  const port = await findFreePort();
  const folder = createFolder('victoria');
  const options = [
    `-storageDataPath=${folder}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-retentionPeriod=100y',
    '-loggerLevel=ERROR',
  ];
  const server = createServerProcess(port, () =>
    spawn('victoria-metrics', [...options, '-memory.allowedBytes=64MB'], { stdio: 'ignore' }),
  );
  await server.start();
  const settle = async (): Promise<void> => void (await fetch(`http://127.0.0.1:${port}/internal/force_flush`));
  return {
    ...server,
    port,
    path: '/write',
    settle,
    readBack: async () => {
      await settle();
      const match = encodeURIComponent('{__name__=~"hearthd_feature.*"}');
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/export?start=0&match[]=${match}`);
      const points = new Map<string, string>();
      for (const line of (await answer.text()).split('\n').filter((text) => text !== '')) {
        const { metric, values, timestamps } = JSON.parse(line) as VictoriaLine;
        const field = (metric['__name__'] ?? '').replace('hearthd_feature_', '');
        for (const [index, value] of values.entries()) {
          points.set(`${metric['device']}|${metric['key']}|${field}|${timestamps[index]}`, JSON.stringify(value));
        }
      }
      return points;
    },
  };
}

type VictoriaLine = {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  readonly timestamps: readonly number[];
};

function createFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `hearthd-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function createServerProcess(port: number, begin: () => ChildProcess): Pick<Receiver, 'kill' | 'start'> {
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const dying = child;
    child = undefined;
    if (dying !== undefined) await endOf(dying, 'SIGKILL');
  };
  onTestFinished(kill);
  return {
    kill,
    start: async () => {
      child = begin();
      await untilListening(port);
    },
  };
}

/** What becomes of one request. `cut`: the receiver takes it, and the hub never learns that. */
export type Fate = 'pass' | 'cut' | number | (() => Promise<void>);

/** Stands between the hub and a receiver, and notes what reaches the receiver. */
export async function startRelay(target: Pick<Receiver, 'port'>, fateOf: (request: number) => Fate) {
  const seen = { requests: 0, open: 0, mostOpen: 0, mostLines: 0, mostBytes: 0 };
  /** In the order in which the receiver took them. */
  const lines: string[] = [];
  const serve = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const fate = fateOf(seen.requests);
    const body = await bodyOf(incoming);
    seen.mostBytes = Math.max(seen.mostBytes, body.length);
    if (typeof fate === 'number') {
      answer.writeHead(fate).end('{"error":"not now"}');
      return;
    }
    if (typeof fate === 'function') await fate();
    const taken = await forward(target.port, incoming, body);
    if (taken !== undefined && taken.status < 300) {
      const texts = body.toString('utf8').split('\n');
      seen.mostLines = Math.max(seen.mostLines, texts.length);
      lines.push(...texts);
    }
    if (taken === undefined || fate === 'cut') answer.destroy();
    else answer.writeHead(taken.status).end(taken.body);
  };
  const server = createServer((incoming, answer) => {
    seen.requests += 1;
    seen.open += 1;
    seen.mostOpen = Math.max(seen.mostOpen, seen.open);
    // The hub may send the next one before the server closes this one.
    let isOpen = 1;
    const end = (): void => {
      seen.open -= isOpen;
      isOpen = 0;
    };
    answer.once('finish', end).once('close', end);
    serve(incoming, answer).catch(() => answer.destroy());
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, seen, lines };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** `undefined` if the receiver is not there. */
function forward(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<{ readonly status: number; readonly body: Buffer } | undefined> {
  return new Promise((resolve) => {
    const { host: _, ...kept } = headers;
    const sent = request({ port, host: '127.0.0.1', method, path: url, headers: kept, agent: false }, (answer) => {
      bodyOf(answer).then(
        (text) => resolve({ status: answer.statusCode ?? 0, body: text }),
        () => resolve(undefined),
      );
    });
    sent.once('error', () => resolve(undefined));
    sent.end(body);
  });
}

/** Follows all messages of a broker. */
export async function listen(url: string, onMessage: (topic: string, payload: string) => void) {
  const client = await connectAsync(url);
  client.on('message', (topic, payload) => onMessage(topic, payload.toString()));
  await client.subscribeAsync('hearthd/#', { qos: 1 });
  return client;
}

/** Stands between the hub and a broker, and breaks connections. */
export async function startCutter(port: number) {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createTcpServer((client) => {
    const broker = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.on('error', () => socket.destroy());
      socket.pipe(other);
    }
    if (!isOpen) client.destroy();
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    port: own,
    cut,
    close: () => {
      isOpen = false;
      cut();
    },
    open: () => {
      isOpen = true;
    },
  };
}
