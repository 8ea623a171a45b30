import type { Server } from 'node:http';
import type { HubError } from '#base/hub-error.ts';
import { systemClock } from '#base/clock.ts';
import { createWallHubClock } from '#base/hub-clock.ts';
import type { Log } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { createStopList, type StopList } from '#base/stop-list.ts';
import { startSystemTimer } from '#base/timer.ts';
import { type Config, controlSocketPath } from '#config/config.ts';
import { listenControl } from '#control/control-server.ts';
import { createLocalAdmin } from '#control/local-admin.ts';
import type { HubAdmin, HubStatus } from '#control/hub-admin.ts';
import { createHomeApp } from '#home/home-app.ts';
import { type HomeKeeper, openHomeKeeper, restarting } from '#home/home-keeper.ts';
import { type Home, openHome } from '#home/home.ts';
import type { App } from '#http/app.ts';
import { type ProblemAnswer, problemAnswer } from '#http/problem.ts';
import { createHttpServer } from '#http/server.ts';
import { startStorageWorker } from '#storage/storage-client.ts';
import type { Storage } from '#storage/storage.ts';

export type DaemonDeps = {
  readonly config: Config;
  readonly version: string;
  /** The program itself, which the storage's thread runs as well. */
  readonly bundleUrl: URL;
  readonly log: Log;
};

/** A running hub. */
export type Daemon = {
  /** Base addresses under which the API is served at the moment. */
  readonly addresses: () => readonly string[];
  /** Looks at the network anew. */
  readonly reload: () => Promise<void>;
  /** Resolves when everything is on disk and closed. */
  readonly stop: () => Promise<void>;
};

/** Starts the hub; when it resolves the API is served. What prevents that is thrown, and nothing is left running. */
export async function startDaemon({ config, version, bundleUrl, log }: DaemonDeps): Promise<Daemon> {
  const stops = createStopList(log);
  const shared = { config, clock: systemClock, startTimer: startSystemTimer, random: systemRandom, log };
  const folders = { state: config.stateDir, runtime: config.runtimeDir };
  const servers: Server[] = [];
  const addresses = (): string[] => servers.map(baseAddress);

  const openServedHome = async (storage: Storage, homeStops: StopList): Promise<ServedHome> => {
    const home = await openHome({ ...shared, storage, hubClock: createWallHubClock(systemClock) }, homeStops);
    const app = createHomeApp(home, {
      ...shared,
      version,
      addresses,
      networkGuards: [],
      cors: { answerHeaders: () => ({}), preflightHeaders: () => undefined },
      restore: (content, keep) => keeper.restore(content, keep),
    });
    return { home, app, admin: adminOf(home, (content) => keeper.restore(content, null), status) };
  };
  const status = (): HubStatus => ({
    version,
    pid: process.pid,
    addresses: addresses(),
    integrations: keeper
      .home()
      .home.supervisor.reports()
      .map(({ id, status: { state, error } }) => ({ id, state, error: error?.message ?? null })),
  });
  const keeper: HomeKeeper<ServedHome> = await openHomeKeeper({
    openStorage: (onFailure) => startStorageWorker({ bundleUrl, folders, log: log.part('storage'), onFailure }),
    openHome: openServedHome,
    startTimer: startSystemTimer,
    random: () => systemRandom(4).readUInt32BE() / 2 ** 32,
    log,
  });
  stops.add('the home', keeper.stop);
  try {
    const control = await listenControl({
      admin: currentAdmin(keeper),
      path: controlSocketPath(config),
      log: log.part('control'),
    });
    stops.add('the control socket', control.close);
    const server = createHttpServer(currentApp(keeper), log.part('http'));
    await listen(server, config.port);
    servers.push(server);
    stops.add('the listeners', () => close(server));
  } catch (cause) {
    await stops.stop();
    throw cause;
  }
  return { addresses, reload: async () => undefined, stop: stops.stop };
}

type ServedHome = { readonly home: Home; readonly app: App; readonly admin: HubAdmin };

/** The app of the home of the moment; between two homes everything is answered 503. */
function currentApp({ find }: HomeKeeper<ServedHome>): App {
  const problem = (error: HubError): ProblemAnswer =>
    find()?.app.problem(error) ?? problemAnswer(error, '/', systemRandom(12).toString('base64url'));
  return {
    problem,
    refuse: (facts) => {
      const open = find();
      return open === undefined ? problem(restarting()) : open.app.refuse(facts);
    },
    fetch: (request, env) => {
      const open = find();
      if (open !== undefined) return open.app.fetch(request, env);
      const { status, headers, body } = problem(restarting());
      return new Response(body, { status, headers });
    },
  };
}

function currentAdmin({ home }: HomeKeeper<ServedHome>): HubAdmin {
  return {
    claim: () => home().admin.claim(),
    listUsers: () => home().admin.listUsers(),
    addUser: (user) => home().admin.addUser(user),
    setPassword: (change) => home().admin.setPassword(change),
    removeUser: (user) => home().admin.removeUser(user),
    makeBackup: () => home().admin.makeBackup(),
    restoreBackup: (content) => home().admin.restoreBackup(content),
    checkDatabase: () => home().admin.checkDatabase(),
    status: () => home().admin.status(),
  };
}

function adminOf(home: Home, restoreBackup: HubAdmin['restoreBackup'], status: () => HubStatus): HubAdmin {
  const { accounts, claim, storage } = home;
  return createLocalAdmin({
    accounts,
    claimCode: claim.code,
    storageHealth: storage.health,
    makeBackup: async () => {
      const { id } = await storage.backups.make();
      return { id, path: (await storage.backups.findPath(id)) ?? '' };
    },
    restoreBackup,
    status,
  });
}

function baseAddress(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? `http://${address.address}:${address.port}` : '';
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
