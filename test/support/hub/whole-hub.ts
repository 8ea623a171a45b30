import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { NewApiToken } from '#auth/token/api-tokens.ts';
import { type Clock, systemClock } from '#base/time/clock.ts';
import { systemRandom } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import { createStopList } from '#base/stop-list.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { loadConfig } from '#config/load-config.ts';
import type { Role, User } from '#core/person/user.ts';
import { createHubApp } from '#hub/hub-app.ts';
import { type Hub, openHub } from '#hub/hub.ts';
import type { BrowseMdns } from '#integrations/ports.ts';
import { createHttpServer } from '#http/server/server.ts';
import { storageInProcess, type Storage } from '#storage/storage.ts';
import { type Bench, createBench } from '#test/storage/storage-harness.ts';
import type { createFastTime } from '#test/support/machine/fast-time.ts';
import { createTestClock, PEER } from './auth-harness.ts';
import { listenOnLoopback } from '#test/support/daemon/http-wire.ts';
import { simulateInProcess } from '#test/support/automation/replay-in-process.ts';
import { createRecordingLog } from './recording-log.ts';

export type Person = { readonly user: User; readonly token: string; readonly sessionId: string };
export type WholeAnswer = { readonly status: number; readonly json: Record<string, unknown> };
export type Asking = { readonly token?: string | undefined; readonly body?: unknown; readonly type?: string };

/** A request whose head the hub has checked and whose body it waits for. */
export type HeldRequest = {
  /** The answer that came before the hub asked for a body. */
  readonly early: WholeAnswer | undefined;
  /** Sends the body and reads the answer. */
  readonly finish: () => Promise<WholeAnswer>;
};

export const PASSWORD = 'pebble window 9';
/** The hub runs in the process of the test, whose end is no one's fault. */
const NO_SAFE_MODE: SafeMode = {
  holds: () => false,
  note: () => null,
  during: (_what, work) => work(),
  release: async () => false,
  stop: () => undefined,
};
const WRITES = /^(insert|update|delete|save(?!Value)|put|make|restore)/;

/** The hub as the daemon puts it together, with the simulated home, over a real database, on a real socket. */
export async function openWholeHub(
  given: {
    readonly browse?: BrowseMdns;
    readonly clock?: Clock;
    readonly time?: ReturnType<typeof createFastTime>;
    readonly simulate?: typeof simulateInProcess;
    readonly safeMode?: SafeMode;
    /** With what the hub kept before; the devices of the simulation may not have their rooms yet. */
    readonly bench?: Bench;
    /** Without the simulated home, so that nothing moves by itself. */
    readonly isEmpty?: boolean;
  } = {},
) {
  const { time } = given;
  const bench = given.bench ?? createBench();
  const writes: string[] = [];
  const held = new Map<string, Promise<void>>();
  const engine = await bench.openOwned();
  const storage = recordWrites(storageInProcess(engine), writes, held);
  const loaded = loadConfig({
    environment: { HEARTHD_MQTT_URL: 'mqtt://127.0.0.1:1', HEARTHD_SIMULATE: given.isEmpty === true ? '0' : '1' },
    stateDir: bench.folders.state,
    installed: false,
  });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  const { log, lines } = createRecordingLog();
  const stops = createStopList(log);
  onTestFinished(() => stops.stop());
  const hubClock = {
    ...createTestClock(Date.now()),
    ...(time && { nowMs: time.clock.wallMs, nowInEpochMs: time.clock.wallMs }),
    isSynced: () => true,
    learnedShiftMs: () => null,
    toldForMs: () => null,
    source: () => 'synced' as const,
    tell: async () => 'synced' as const,
    subscribe: () => () => undefined,
  };
  const shared = {
    version: '1.2.3',
    config: loaded.config,
    clock: given.clock ?? time?.clock ?? systemClock,
    hubClock,
    safeMode: given.safeMode ?? NO_SAFE_MODE,
    startTimer: time?.startTimer ?? startSystemTimer,
    random: systemRandom,
    log,
    isLanAddress: () => true,
    browse: given.browse ?? (() => undefined),
    isOwnAddress: (address: string) => address === '127.0.0.1',
    lanAddresses: () => [],
    startProgram: () => {
      throw new Error('this hub has no programs beside it');
    },
    simulate: given.simulate ?? simulateInProcess,
    addresses: (): readonly string[] => (port === 0 ? [] : [`http://127.0.0.1:${port}`]),
  };
  let port = 0;
  const hub = await openHub({ ...shared, storage, stops, announceClaimCode: () => undefined });
  const home = flatten(hub);
  const restored: string[] = [];
  const { app } = createHubApp(hub, {
    webFiles: [],
    network: {
      rule: { isLanLiteral: () => true, names: () => new Set(['hub.local']), origins: [] },
      advertised: () => ({ host: null, conflict: null }),
    },
    restore: async (content) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      restored.push(Buffer.concat(chunks).toString());
    },
  });
  const server = createHttpServer(app, log);
  port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const call = async (line: string, asking: Asking = {}): Promise<WholeAnswer> => {
    const held = await holdRequest(port, line, asking);
    return held.early ?? held.finish();
  };
  if (given.bench === undefined && given.isEmpty !== true) await settled(home);
  return {
    home,
    hubClock,
    /** Answers without a socket. */
    fetch: app.fetch,
    /** Writes since then, by table and operation. */
    writes,
    restored,
    /** Holds all writes to this table, and the reads of the history, until the test calls the result. */
    holdWrites: (table: keyof Storage): (() => void) => {
      let release = (): void => undefined;
      held.set(table, new Promise((resolve) => (release = resolve)));
      return () => {
        held.delete(table);
        release();
      };
    },
    call,
    addresses: shared.addresses,
    /** What the hub logged. */
    lines: () => lines,
    stop: stops.stop,
    /** As the process ends, so that another hub may open the same bench. */
    end: async (): Promise<void> => {
      await stops.stop();
      await engine.close();
    },
    /** Sends the head, and the body's first byte once the hub asks for it. */
    hold: (line: string, asking: Asking): Promise<HeldRequest> => holdRequest(port, line, asking),
    addPerson: (name: string, role: Role): Promise<Person> => addPerson(home, name, role),
    logIn: (email: string): Promise<Person> => logIn(home, email),
    addToken: async (user: User, token: Pick<NewApiToken, 'scopes'> & Partial<NewApiToken>): Promise<string> => {
      const rest = { name: 'script', roomIds: null, deviceIds: null, networks: null, provider: null, expiresInS: null };
      return (await home.apiTokens.addToken({ ...rest, ...token, userId: user.id })).text;
    },
  };
}

/** All registries of a hub side by side: tests look into many. */
function flatten(hub: Hub) {
  const { people, household, integrations, settingUp, past, runningAutomations, notification, ...nouns } = hub;
  return {
    ...nouns,
    ...people,
    ...household,
    ...integrations,
    ...settingUp,
    ...past,
    ...runningAutomations,
    ...notification,
  };
}

export type Home = ReturnType<typeof flatten>;
export type WholeHub = Awaited<ReturnType<typeof openWholeHub>>;

/** Every device is in its room. */
async function settled({ devices }: Home): Promise<void> {
  const isDone = (): boolean =>
    devices.devices().length > 0 && devices.devices().every(({ roomId }) => roomId !== null);
  if (isDone()) return;
  await new Promise<void>((resolve) => {
    const stop = devices.onChange(() => {
      if (!isDone()) return;
      stop();
      resolve();
    });
  });
}

async function addPerson(home: Home, name: string, role: Role): Promise<Person> {
  const email = `${name}@home.test`;
  await home.accounts.addUser({ email, name, role, password: PASSWORD }, { peer: PEER, pointer: '' });
  return logIn(home, email);
}

async function logIn({ signIn }: Home, email: string): Promise<Person> {
  const given = { email, password: PASSWORD, clientName: null, rotating: false, clientToken: null };
  const { user, session, accessToken } = await signIn.logIn(given, PEER);
  return { user, token: accessToken, sessionId: session.id };
}

/** The same storage, but it notes the name of each write and delays writes to a table that is held. */
function recordWrites(storage: Storage, writes: string[], held: ReadonlyMap<string, Promise<void>>): Storage {
  const noted = Object.entries(storage).map(([table, port]) => {
    if (typeof port === 'function') {
      if (table !== 'answerHistory') return [table, port];
      const answer = port as (...args: unknown[]) => Promise<unknown>;
      return [table, async (...args: unknown[]) => held.get('history')?.then(() => answer(...args)) ?? answer(...args)];
    }
    const calls = Object.entries(port as Record<string, (...args: unknown[]) => unknown>).map(([name, run]) => [
      name,
      (...args: unknown[]) => {
        if (WRITES.test(name)) writes.push(`${table}.${name}`);
        else if (table !== 'history') return run(...args);
        const wait = held.get(table);
        return wait === undefined ? run(...args) : wait.then(() => run(...args));
      },
    ]);
    return [table, Object.fromEntries(calls)];
  });
  return Object.fromEntries(noted) as Storage;
}

async function holdRequest(port: number, line: string, { token, body, type }: Asking): Promise<HeldRequest> {
  const [method, path] = line.split(' ');
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const fields = [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: hub.local',
    'Connection: close',
    'Prefer: wait=0',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(text === '' ? [] : [`Content-Type: ${type ?? 'application/json'}`, 'Expect: 100-continue']),
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  const socket = connect(port, '127.0.0.1');
  socket.write(`${fields.join('\r\n')}\r\n\r\n`);
  const reader = readAnswers(socket);
  const first = await reader.next();
  if (first.status !== 100) {
    socket.destroy();
    return { early: first, finish: () => Promise.reject(new Error('it was answered already')) };
  }
  socket.write(text.slice(0, 1));
  return {
    early: undefined,
    finish: async () => {
      socket.write(text.slice(1));
      const answer = await reader.next();
      socket.destroy();
      return answer;
    },
  };
}

function readJson(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** The answers on a connection as they come, interim ones included. */
function readAnswers(socket: Socket): { readonly next: () => Promise<WholeAnswer> } {
  let raw = '';
  socket.on('data', (chunk: Buffer) => void (raw += chunk.toString('latin1')));
  const take = (): WholeAnswer | undefined => {
    const end = raw.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const head = raw.slice(0, end);
    const status = Number(head.split(' ')[1]);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    const text = raw.slice(end + 4, end + 4 + length);
    if (text.length < length) return undefined;
    raw = raw.slice(end + 4 + length);
    return { status, json: /^content-type: application\/(problem\+)?json/im.test(head) ? readJson(text) : {} };
  };
  return {
    next: async () => {
      for (;;) {
        const answer = take();
        if (answer !== undefined) return answer;
        await once(socket, 'data');
      }
    },
  };
}
