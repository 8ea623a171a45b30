import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startSystemTimer, type StartTimer } from '#base/time/timer.ts';
import type { MqttFailure } from '#integrations/mqtt/mqtt-failure.ts';
import type { MqttLink, MqttMessage } from '#integrations/ports.ts';
import { startBroker, type TestBroker, type TestBrokerOptions } from '#test/support/peers/broker.ts';
import { type BrokerSettings, createBrokerInstance } from '#test/support/kinds/mqtt-broker-instance.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { expectBelow, startStopwatch, watchStalls } from '#test/support/machine/bounds.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Running = {
  readonly connection: MqttLink;
  readonly ups: () => number;
  readonly failures: MqttFailure[];
  readonly messages: MqttMessage[];
  readonly stop: () => Promise<void>;
};

type Further = { readonly onMessage?: (message: MqttMessage) => void; readonly startTimer?: StartTimer };

function connect(
  settings: Partial<BrokerSettings>,
  { onMessage, startTimer = startSystemTimer }: Further = {},
): Running {
  const { log } = createRecordingLog();
  const broker = createBrokerInstance({ url: 'mqtt://127.0.0.1:1', ...settings }, { log, startTimer });
  const connection = broker.link();
  const failures: MqttFailure[] = [];
  const messages: MqttMessage[] = [];
  let ups = 0;
  const abort = new AbortController();
  const running = Promise.all([
    broker.integration.run(createRecordingSink(), abort.signal),
    connection.run(
      {
        onUp: () => {
          ups += 1;
        },
        onDown: (failure) => void failures.push(failure),
        onMessage: (message) => {
          messages.push(message);
          onMessage?.(message);
        },
      },
      abort.signal,
    ),
  ]);
  const stop = async (): Promise<void> => {
    abort.abort();
    await running;
  };
  cleanups.push(stop);
  return { connection, ups: () => ups, failures, messages, stop };
}

function writePassword(content: string): string {
  const passwordFile = join(mkdtempSync(join(tmpdir(), 'hearthd-')), 'password');
  writeFileSync(passwordFile, content);
  return passwordFile;
}

async function openBroker(options?: TestBrokerOptions): Promise<TestBroker> {
  const broker = await startBroker(options);
  cleanups.push(broker.close);
  return broker;
}

/** A server whose connections the test handles. */
async function openServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const SUBSCRIBE = 0x82;
const UNSUBSCRIBE = 0xa2;
const CONNACK = Buffer.from([0x20, 0x02, 0x00, 0x00]);

/** Notes who connects to the hub's own machine. */
async function startListener(): Promise<{ readonly port: number; readonly heard: readonly string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push(socket.remoteAddress ?? '');
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  cleanups.push(() => new Promise((resolve) => void server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, heard };
}

describe('the failure says in words why there is no connection:', () => {
  test('no broker listens', async () => {
    const { failures } = connect({ url: 'mqtt://127.0.0.1:1' });
    await vi.waitFor(() => expect(failures[0]?.code).toBe('CONNECTION_REFUSED'));
    expect(failures[0]?.message).toContain('127.0.0.1:1');
  });

  test('the name is unknown', async () => {
    const { failures } = connect({ url: 'mqtt://no-such-broker.invalid' });
    await vi.waitFor(() => expect(failures[0]?.code).toBe('UNKNOWN_HOST'));
  });

  test.each(['127.0.0.1', '[::1]', 'localhost'])('%s is the hub, and no owner entered it', async (host) => {
    const { port, heard } = await startListener();
    const isHub = (address: string): boolean => address === '::1' || address.startsWith('127.');
    const { failures } = connect({ url: `mqtt://${host}:${port}`, mayConnect: (address) => !isHub(address) });
    await vi.waitFor(() => expect(failures[0]?.code).toBe('ADDRESS_REFUSED'));
    expect(heard).toEqual([]);
  });

  test.each(['', 'http://127.0.0.1', 'mqtt://', 'mqtt://user:secret@127.0.0.1', '127.0.0.1:1883'])(
    'the address %j is none',
    async (url) => {
      const { failures } = connect({ url });
      await vi.waitFor(() => expect(failures[0]?.code).toBe('INVALID_ADDRESS'));
      expect(JSON.stringify(failures)).not.toContain('secret');
    },
  );

  test('the password is wrong, and the message does not repeat it', async () => {
    const broker = await openBroker({ user: 'hub', password: 'right' });
    const { failures } = connect({ url: broker.url, user: 'hub', passwordFile: writePassword('a-wrong-one') });
    await vi.waitFor(() => expect(failures[0]?.code).toBe('WRONG_PASSWORD'));
    expect(JSON.stringify(failures)).not.toContain('a-wrong-one');
  });

  test('the password file is missing', async () => {
    const { failures } = connect({ passwordFile: '/nowhere/password' });
    await vi.waitFor(() => expect(failures[0]?.code).toBe('PASSWORD_UNREADABLE'));
    expect(JSON.stringify(failures)).not.toContain('/nowhere');
  });

  test.each([
    ['HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['noise', Buffer.alloc(512, 0xff)],
    ['a packet with an impossible length', Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff])],
    // Framed well, so that the parser of the mqtt package refuses it, with an error that has no code.
    ['a topic longer than its packet', Buffer.from([0x30, 0x02, 0x00, 0x05])],
  ])('the peer speaks %s', async (_name, bytes) => {
    const url = await openServer((socket) => socket.write(bytes));
    const { failures } = connect({ url });
    await vi.waitFor(() => expect(failures[0]?.code).toBe('NOT_MQTT'));
  });
});

test('the first line of the password file is the password', async () => {
  const broker = await openBroker({ user: 'hub', password: 'right' });
  const { ups } = connect({ url: broker.url, user: 'hub', passwordFile: writePassword('right\nnot this\n') });
  await vi.waitFor(() => expect(ups()).toBe(1));
});

const HURRY = 10;

/** The mqtt package has timers of its own, which no test can turn: they pass ten times faster. */
function hurryPackages(): void {
  const { setTimeout: wait, setInterval: repeat } = globalThis;
  type Run = (...args: unknown[]) => void;
  vi.stubGlobal('setTimeout', (run: Run, ms = 0, ...args: unknown[]) => wait(run, ms / HURRY, ...args));
  vi.stubGlobal('setInterval', (run: Run, ms = 0, ...args: unknown[]) => repeat(run, ms / HURRY, ...args));
  cleanups.push(() => void vi.unstubAllGlobals());
}

describe('I2: a broker that comes and goes', () => {
  test('after a reconnect the topics are subscribed again and messages come again', async () => {
    const broker = await openBroker();
    const running = connect({ url: broker.url });
    running.connection.subscribe(['a', 'b']);
    await vi.waitFor(() => expect(broker.subscriptions()).toEqual(new Set(['a', 'b'])));
    running.connection.subscribe(['c'], ['b']);
    await vi.waitFor(() => expect(broker.subscriptions()).toEqual(new Set(['a', 'c'])));
    await broker.stop();
    await vi.waitFor(() => expect(running.failures.length).toBeGreaterThan(0));
    await vi.waitFor(() => expect(broker.subscriptions().size).toBe(0));
    await broker.start();
    await vi.waitFor(() => expect(broker.subscriptions()).toEqual(new Set(['a', 'c'])));
    await broker.publish('c', 'again');
    await vi.waitFor(() => expect(running.messages.at(-1)?.payload.toString()).toBe('again'));
  });

  test('a message that cannot be sent fails at once and is not sent later', async () => {
    const broker = await openBroker();
    const { connection, failures, ups } = connect({ url: broker.url });
    await expect(connection.publish('early', '1')).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    await vi.waitFor(() => expect(ups()).toBe(1));
    await connection.publish('now', '2');
    await broker.stop();
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0));
    await expect(connection.publish('late', '3')).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    await broker.start();
    await vi.waitFor(() => expect(ups()).toBe(2));
    await connection.publish('after', '4');
    expect(broker.received.map(({ topic }) => topic)).toEqual(['now', 'after']);
  });

  test('a command fails if the broker does not acknowledge it, and if the connection is lost', async () => {
    let last: Socket | undefined;
    const url = await openServer((socket) => {
      last = socket;
      socket.once('data', () => socket.write(CONNACK));
    });
    const { connection, ups } = connect({ url });
    await vi.waitFor(() => expect(ups()).toBe(1));
    const publishing = connection.publish('a', '1');
    last?.destroy();
    await expect(publishing).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  });

  // The mqtt package has no codes for its two timeouts, only messages: these provoke both with the installed version.
  test('a broker that falls silent is lost, and so is one that never accepts', async () => {
    hurryPackages();
    const tookMs = startStopwatch();
    const halfOpen = connect({ url: await openServer((socket) => socket.once('data', () => socket.write(CONNACK))) });
    const silent = connect({ url: await openServer((socket) => void socket.resume()) });
    await vi.waitFor(() => expect(halfOpen.ups()).toBe(1));
    await vi.waitFor(() => expect(silent.failures[0]?.code).toBe('TIMEOUT'));
    expectBelow('a broker that never accepts is found, s', (tookMs() * HURRY) / 1_000, 11);
    await vi.waitFor(() => expect(halfOpen.failures[0]?.code).toBe('TIMEOUT'));
    expectBelow('a broker that falls silent is found, s', (tookMs() * HURRY) / 1_000, 16);
    expect([halfOpen.ups(), silent.ups()]).toEqual([1, 0]);
  });

  test('a refused subscription leaves the others', async () => {
    const url = await openServer((socket) => {
      socket.once('data', () => socket.write(CONNACK));
      socket.on('data', (bytes) => {
        if (bytes[0] !== SUBSCRIBE) return;
        const isRefused = bytes.includes('forbidden');
        socket.write(Buffer.from([0x90, 0x03, bytes[2] ?? 0, bytes[3] ?? 0, isRefused ? 0x80 : 0x00]));
        if (!isRefused) socket.write(publishOf('1', false));
      });
    });
    const { connection, ups, failures, messages } = connect({ url });
    connection.subscribe(['forbidden']);
    await vi.waitFor(() => expect(ups()).toBe(1));
    connection.subscribe(['a']);
    await vi.waitFor(() => expect(messages.map(({ topic }) => topic)).toEqual(['a']));
    expect(failures).toEqual([]);
  });
});

const publishOf = (payload: string, isRetained: boolean): Buffer =>
  Buffer.concat([Buffer.from([isRetained ? 0x31 : 0x30, payload.length + 3, 0, 1]), Buffer.from(`a${payload}`)]);

test('a kept message that comes after the one that replaced it is ignored, and accepted after a new subscription', async () => {
  let isUnsubscribed = false;
  const url = await openServer((socket) => {
    socket.once('data', () => socket.write(CONNACK));
    socket.on('data', (bytes) => {
      if (bytes[0] === UNSUBSCRIBE) isUnsubscribed = true;
      if (bytes[0] !== SUBSCRIBE) return;
      socket.write(Buffer.from([0x90, 0x03, bytes[2] ?? 0, bytes[3] ?? 0, 0x00]));
      for (const [payload, isRetained] of [
        ['kept', true],
        ['live', false],
        ['late', true],
      ] as const) {
        socket.write(publishOf(payload, isRetained));
      }
    });
  });
  const { connection, messages, ups } = connect({ url });
  await vi.waitFor(() => expect(ups()).toBe(1));
  const heard = (): string[] => messages.map(({ payload }) => String(payload));
  connection.subscribe(['a']);
  await vi.waitFor(() => expect(heard()).toEqual(['kept', 'live']));
  connection.subscribe([], ['a']);
  await vi.waitFor(() => expect(isUnsubscribed).toBe(true));
  connection.subscribe(['a']);
  await vi.waitFor(() => expect(heard()).toEqual(['kept', 'live', 'kept', 'live']));
});

describe('I1: a hostile broker', () => {
  test('a packet without an end closes the connection at 33 MiB', async () => {
    const url = await openServer((socket) => {
      socket.once('data', () => {
        socket.write(CONNACK);
        // Announces a message of 200 MiB.
        socket.write(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x64]));
        const chunk = Buffer.alloc(1024 * 1024);
        const more = (): void => {
          while (!socket.destroyed && socket.write(chunk));
          if (!socket.destroyed) socket.once('drain', more);
        };
        more();
      });
    });
    const { failures } = connect({ url });
    await vi.waitFor(() => expect(failures[0]?.code).toBe('NOT_MQTT'));
  });

  test('messages of QoS 2 that are unread when the connection ends do not crash the hub', async () => {
    const uncaught: unknown[] = [];
    const hear = (cause: unknown): void => void uncaught.push(cause);
    process.on('uncaughtException', hear);
    cleanups.push(() => void process.off('uncaughtException', hear));
    const messages = Array.from({ length: 200 }, (_, id) => Buffer.from([0x34, 7, 0, 1, 0x61, 0, id + 1, 0x78, 0x78]));
    const noMqtt = Buffer.of(0xf0, 0xff, 0xff, 0xff, 0xff, 0xff);
    const url = await openServer((socket) => {
      socket.once('data', () => socket.write(Buffer.concat([CONNACK, ...messages, noMqtt])));
    });
    const { failures } = connect({ url });
    await vi.waitFor(() => expect(failures).not.toEqual([]));
    await new Promise((resolve) => void setImmediate(resolve));
    expect(uncaught).toEqual([]);
  });

  test.each([
    ['QoS 1', 0x32],
    ['QoS 2', 0x34],
  ])(
    'messages of %s, which the hub did not request, end the connection before any is buffered',
    async (_qos, first) => {
      const message = Buffer.concat([Buffer.from([first, 0x80, 0x80, 0x04, 0, 1, 0x61, 0, 1]), Buffer.alloc(65_531)]);
      let taken = 0;
      const url = await openServer((socket) => {
        socket.once('data', () => socket.write(CONNACK));
        socket.on('data', ([kind]) => {
          if (kind === SUBSCRIBE) for (let count = 0; count < 1_000; count += 1) socket.write(message);
        });
        socket.on('close', () => (taken += socket.bytesWritten));
      });
      const { connection, failures, messages, ups } = connect({ url });
      connection.subscribe(['a']);
      await vi.waitFor(() => expect(failures[0]).toMatchObject({ code: 'WRONG_QOS' }));
      expect(failures[0]?.message).toContain(url.slice('mqtt://'.length));
      expect([messages, ups()]).toEqual([[], 1]);
      await vi.waitFor(() => expect(taken).toBeGreaterThan(0));
      expect(taken).toBeLessThan(8 * 1024 * 1024);
    },
  );

  test('the hub retries a broker that breaks the protocol ever more seldom, and a lost one soon', async () => {
    const waits: number[] = [];
    // The test shortens the waits between two tries, not those within one.
    const startTimer: StartTimer = (ms, run) => {
      if (ms === 5_000) return startSystemTimer(ms, run);
      waits.push(ms);
      return startSystemTimer(1, run);
    };
    let isHostile = true;
    const url = await openServer((socket) => {
      socket.once('data', () => socket.write(CONNACK));
      socket.on('data', ([kind]) => {
        if (kind === SUBSCRIBE) socket.end(Buffer.from(isHostile ? [0x34] : []));
      });
    });
    const { connection, stop, ups } = connect({ url }, { startTimer });
    connection.subscribe(['a']);
    await vi.waitFor(() => expect(waits.length).toBeGreaterThan(7));
    expect(ups()).toBeGreaterThan(7);
    expect(waits.slice(0, 8)).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    isHostile = false;
    await vi.waitFor(() => expect(waits.at(-1)).toBe(1_000));
    await stop();
  });

  test('the hub does other work while packets come without end', async () => {
    const pings = Buffer.alloc(256 * 1024, Buffer.from([0xd0, 0]));
    let sent = 0;
    const url = await openServer((socket) => {
      socket.once('data', () => {
        socket.write(CONNACK);
        const more = (): void => {
          sent += pings.length;
          socket.write(pings, () => setImmediate(more));
        };
        more();
      });
    });
    const { ups, failures } = connect({ url });
    await vi.waitFor(() => expect(ups()).toBe(1));
    const stalls = watchStalls();
    const begun = sent;
    await vi.waitFor(() => expect(sent - begun).toBeGreaterThan(4 * pings.length));
    expectBelow('longest stall, ms', stalls.stop(), 50);
    expect(failures).toEqual([]);
  });

  test('an error thrown by the listener does not end the connection', async () => {
    const broker = await openBroker();
    const onMessage = ({ topic }: MqttMessage): void => {
      if (topic === 'bad') throw new Error('a fault');
    };
    const running = connect({ url: broker.url }, { onMessage });
    running.connection.subscribe(['bad', 'good']);
    await vi.waitFor(() => expect(broker.subscriptions().size).toBe(2));
    await broker.publish('bad', 'x');
    await broker.publish('good', 'y');
    await vi.waitFor(() => expect(running.messages.map(({ topic }) => topic)).toEqual(['bad', 'good']));
    expect(running.failures).toEqual([]);
  });
});

test.each([
  ['while connecting to a host that is silent', (socket: Socket) => void socket.pause()],
  ['while connected', (socket: Socket) => void socket.once('data', () => socket.write(CONNACK))],
])('abort %s leaves neither of the two sockets', async (_name, onSocket) => {
  let closed = 0;
  let opened = 0;
  const url = await openServer((socket) => {
    opened += 1;
    socket.on('close', () => {
      closed += 1;
    });
    socket.resume();
    onSocket(socket);
    socket.resume();
  });
  const { stop } = connect({ url });
  await vi.waitFor(() => expect(opened).toBe(2));
  await stop();
  await vi.waitFor(() => expect(closed).toBe(2));
});
