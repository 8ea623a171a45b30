import type { HubError } from '#base/hub-error.ts';
import { systemClock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import { createMachine } from '#base/machine.ts';
import { systemRandom } from '#base/random.ts';
import { createStopList, type StopList } from '#base/stop-list.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { type Config, controlSocketPath } from '#config/config.ts';
import { createAuditedAdmin } from '#control/audited-admin.ts';
import { listenControl } from '#control/control-server.ts';
import { createLocalAdmin } from '#control/local-admin.ts';
import type { HubAdmin, HubStatus } from '#control/hub-admin.ts';
import { createHomeApp, type HomeApp } from '#hub/hub-app.ts';
import { openHomeClock } from '#hub/hub-clock.ts';
import { type HomeKeeper, openHomeKeeper, type Restore, restarting } from '#hub/hub-keeper.ts';
import { type Home, openHome } from '#hub/hub.ts';
import type { App } from '#http/app.ts';
import { type ProblemAnswer, problemAnswer } from '#http/answer/problem.ts';
import type { Listeners } from '#http/server/listeners.ts';
import { loadAdapter } from '#http/server/server.ts';
import { readWebUi, type WebFile } from '#http/page/web-ui.ts';
import { createNetwork, type HomeCard } from '#hub/hub-network.ts';
import { createVitalSigns } from '#hub/vital-signs.ts';
import type { StorageStart } from '#storage/thread/storage-start.ts';
import type { Storage } from '#storage/storage.ts';
import { createTimeSync } from '#systemd/time-sync.ts';

export type DaemonDeps = {
  readonly config: Config;
  readonly version: string;
  /** What a person types before the name of a command; everybody on the network may read it. */
  readonly hubCommand: string;
  /** The program itself: its page lies beside it. */
  readonly bundleUrl: URL;
  /** Opens the storage of the state folder, the first time and again after each failure. */
  readonly openStorage: StorageStart['open'];
  readonly log: Log;
  /** Shows the code on the console and in the journal, whatever the log's level. */
  readonly announceClaimCode: (code: string) => void;
};

/** A running hub. */
export type Daemon = {
  /** Base addresses under which the API is served at the moment. */
  readonly addresses: () => readonly string[];
  /** One line in words: what is served, how many devices, how the integrations are. */
  readonly describe: () => string;
  /** Resolves where the hub works; rejects with what hangs, or does not settle while the storage does not answer. */
  readonly checkAlive: () => Promise<void>;
  /** Looks at the network anew. */
  readonly reload: () => Promise<void>;
  /** Resolves when everything is on disk and closed. */
  readonly stop: () => Promise<void>;
};

/** Starts the hub; when it resolves the API is served. What prevents that is thrown, and nothing is left running. */
export async function startDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { config, version, hubCommand, log, announceClaimCode } = deps;
  const stops = createStopList(log);
  const shared = {
    config,
    clock: systemClock,
    startTimer: startSystemTimer,
    random: systemRandom,
    log,
    announceClaimCode,
  };
  const machine = createMachine({ ...shared, isSynced: createTimeSync({ ...systemClock, log: log.part('clock') }) });
  const network = createNetwork({
    ...shared,
    onRefusedPeer: (peer) => void keeper.find()?.home.audit.record({ type: 'request.refused', peer, detail: 'peer' }),
  });
  const { isLanAddress, isOwnAddress } = network;
  const webFiles = openWebUi(deps);
  let listeners: Listeners | undefined;
  const addresses = (): string[] => (listeners?.bound() ?? []).map(({ url }) => url);
  const vital = createVitalSigns({ ...shared, hubCommand, findHome: () => keeper.find(), listeners: () => listeners });

  const openServedHome = async (storage: Storage, homeStops: StopList): Promise<ServedHome> => {
    const hubClock = await openHomeClock({ ...shared, machine }, storage, homeStops);
    const given = { ...shared, version, isLanAddress, isOwnAddress, bootId: machine.bootId };
    const home = await openHome({ ...given, storage, hubClock }, homeStops);
    const face = createHomeApp(home, {
      ...shared,
      hubClock,
      isLanAddress,
      isOwnAddress,
      stops: homeStops,
      version,
      addresses,
      webFiles,
      network,
      restore: (content, keep, given) => restoreNoted(keeper)(content, keep, given),
    });
    return { home, ...face, admin: adminOf(home, (content) => restoreNoted(keeper)(content, null), status) };
  };
  const status = (): HubStatus => ({
    version,
    pid: process.pid,
    addresses: addresses(),
    ...network.advertised(),
    integrations: integrationsOf(keeper.home().home),
  });
  const keeper: HomeKeeper<ServedHome> = await openHomeKeeper({
    openStorage: (onFailure) => {
      vital.noteOpening();
      return deps.openStorage(onFailure);
    },
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
    const opened = await network.listen(currentApp(keeper));
    listeners = opened;
    stops.add('the listeners', () => opened.close(GRACE_MS));
    stops.add('event streams', () => keeper.find()?.stopEventStreams());
    // Before the streams end: a client that comes back at once finds nobody, and no 503, after which an EventSource gives
    // up for ever (HTML, section 9.2.3).
    stops.add('new connections', opened.stopAccepting);
    stops.add(
      'the advertisement',
      network.advertise(opened, () => cardOf(keeper.find()?.home)),
    );
    stops.add('the warming', warm(log));
    return { ...vital, addresses, reload: opened.reconcile, stop: stops.stop };
  } catch (cause) {
    await stops.stop();
    throw cause;
  }
}

/** Requests under way may take this long to end once the hub stops. */
const GRACE_MS = 1_000;
const WARM_AFTER_MS = 300;

/** What the first answers can do without is read before anybody waits for it. */
function warm(log: Log): () => void {
  return startSystemTimer(WARM_AFTER_MS, () => {
    loadAdapter().catch((cause: unknown) => log.error('reading what answers requests with a body failed', { cause }));
  });
}

/** A hub without its page is still the hub of all other clients. */
function openWebUi({ bundleUrl, hubCommand, log }: DaemonDeps): readonly WebFile[] {
  try {
    return readWebUi(new URL('web/', bundleUrl), hubCommand);
  } catch (cause) {
    log.error('the page cannot be served: install the hub anew', { cause });
    return [];
  }
}

type ServedHome = HomeApp & { readonly home: Home; readonly admin: HubAdmin };

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
    answerPlain: (facts, wire) => find()?.app.answerPlain(facts, wire) ?? false,
    fetch: (request, env) => {
      const open = find();
      if (open !== undefined) return open.app.fetch(request, env);
      const { status, headers, body } = problem(restarting());
      return new Response(body, { status, headers });
    },
  };
}

function integrationsOf({ supervisor }: Home): HubStatus['integrations'] {
  return supervisor.reports().map(({ id, status: { state, error } }) => {
    return { id, state, code: error?.code ?? null, error: error?.message ?? null };
  });
}

function cardOf(home: Home | undefined): HomeCard | undefined {
  return home === undefined ? undefined : { ...home.hub.identity(), claimed: home.accounts.hasOwner() };
}

function currentAdmin({ home }: HomeKeeper<ServedHome>): HubAdmin {
  return {
    claim: () => home().admin.claim(),
    listUsers: () => home().admin.listUsers(),
    addUser: (user) => home().admin.addUser(user),
    setPassword: (change) => home().admin.setPassword(change),
    removeUser: (user) => home().admin.removeUser(user),
    makeBackup: () => home().admin.makeBackup(),
    readBackup: (backup) => home().admin.readBackup(backup),
    restoreBackup: (content) => home().admin.restoreBackup(content),
    checkDatabase: () => home().admin.checkDatabase(),
    status: () => home().admin.status(),
  };
}

/** Noted by the home that is there afterwards: a restore closes the old one, whose log it carries over. */
function restoreNoted(keeper: HomeKeeper<ServedHome>): Restore {
  return async (content, keep, given) => {
    const session = keep === null ? undefined : keeper.home().home.sessions.findSession(keep);
    await keeper.restore(content, keep, given);
    const peer = keep === null ? 'console' : (session?.address ?? null);
    const { audit } = keeper.home().home;
    await audit.record({ type: 'backup.restored', peer, userId: session?.userId, sessionId: session?.id });
  };
}

function adminOf(home: Home, restoreBackup: HubAdmin['restoreBackup'], status: () => HubStatus): HubAdmin {
  const { accounts, audit, claim, storage } = home;
  const admin = createLocalAdmin({
    accounts,
    claimCode: claim.code,
    storageHealth: storage.health,
    backups: storage.backups,
    restoreBackup,
    status,
  });
  return createAuditedAdmin(admin, { audit, accounts });
}
