import { createSeriesFinder } from '#core/past/archive/series-finder.ts';
import { withRecentPresence } from '#core/past/answer/presence-history.ts';
import type { HubError } from '#base/hub-error.ts';
import { systemClock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import { createMachine } from '#base/time/machine.ts';
import { systemRandom } from '#base/random.ts';
import { openSafeModeOf, type SafeMode } from '#base/safe-mode/safe-mode.ts';
import { createStopList, type StopList } from '#base/stop-list.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { type Config, controlSocketPath } from '#config/config.ts';
import { createAuditedAdmin } from '#control/audited-admin.ts';
import { listenControl } from '#control/control-server.ts';
import { createLocalAdmin } from '#control/local-admin.ts';
import type { HubAdmin, HubStatus } from '#control/hub-admin.ts';
import { createHubApp, type HubApp } from '#hub/hub-app.ts';
import { type Machine, type OpenHubClock, openHubClock } from '#base/time/hub-clock.ts';
import { createHubKeeper, type HubKeeper, type Restore, restarting } from '#hub/hub-keeper.ts';
import { type Hub, openHub } from '#hub/hub.ts';
import { createProgramStarter } from '#hub/integration/programs.ts';
import type { App } from '#http/app.ts';
import { type ProblemAnswer, problemAnswer } from '#http/answer/problem.ts';
import type { Listeners } from '#http/server/listeners.ts';
import { readWebUi, type WebFile } from '#http/page/web-ui.ts';
import { simulateWith } from '#automations/replay/replay-worker.ts';
import { createNetwork, type HubSummary, type Network } from '#hub/hub-network.ts';
import { createVitalSigns } from '#hub/vital-signs.ts';
import type { StorageStart } from '#storage/thread/storage-start.ts';
import type { Storage } from '#storage/storage.ts';
import { createTimeSync } from '#systemd/time-sync.ts';

export type DaemonDeps = {
  readonly config: Config;
  readonly version: string;
  /** What a person types before the name of a command. Anyone on the network can read it. */
  readonly hubCommand: string;
  /** The program itself; the page lies beside it. */
  readonly bundleUrl: URL;
  /** Opens the storage of the state folder, at the start and again after each failure. */
  readonly openStorage: StorageStart['open'];
  readonly log: Log;
  /** Shows the code on the console and in the journal, at every log level. */
  readonly announceClaimCode: (code: string) => void;
};

export type Daemon = {
  readonly addresses: () => readonly string[];
  /** One line in words: served addresses, number of devices, state of the integrations. */
  readonly describe: () => string;
  /** Resolves if the hub works. Rejects with what hangs; does not settle while the storage does not answer. */
  readonly checkAlive: () => Promise<void>;
  readonly reload: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type ServedHub = HubApp & { readonly hub: Hub; readonly admin: HubAdmin };

/** When the hub stops, requests under way may take this long to end. */
const GRACE_MS = 1_000;

/** Starts the hub, which serves the API when this resolves. If that fails, it throws and leaves nothing running. */
export async function startDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { config, version, hubCommand, log, bundleUrl, announceClaimCode } = deps;
  const stops = createStopList(log);
  const ofSystem = { clock: systemClock, startTimer: startSystemTimer, random: systemRandom };
  const system = { ...ofSystem, config, version, log, announceClaimCode };
  const keeper = createHubKeeper<ServedHub>(system);
  const machine = createMachine({ ...system, isSynced: createTimeSync({ ...systemClock, log: log.part('clock') }) });
  const network = createNetwork({
    ...system,
    onRefusedPeer: (peer) =>
      void keeper.find()?.hub.people.audit.record({ type: 'request.refused', peer, detail: 'peer' }),
  });
  const { isLanAddress, isOwnAddress, lanAddresses, browse } = network;
  const webFiles = openWebUi(deps);
  let listeners: Listeners | undefined;
  const folders = { state: config.stateDir, runtime: config.runtimeDir };
  let safeMode: SafeMode | undefined;
  const addresses = (): string[] => (listeners?.bound() ?? []).map(({ url }) => url);
  const vital = createVitalSigns({ ...system, hubCommand, findHub: keeper.find, listeners: () => listeners });
  const status = (): HubStatus => statusOf({ version, addresses: addresses(), network }, keeper.current().hub);
  const restore = restoreNoted(keeper);

  const openServedHub = async (storage: Storage, hubStops: StopList): Promise<ServedHub> => {
    const hubClock = await openStateClock({ machine, log }, storage, hubStops);
    // It is opened once for the process: the open storage has the lock of the state, so no other hub runs on it.
    safeMode ??= await openSafeModeOf({ ...system, folders, machine, log: log.part('safe mode') });
    const hub = await openHub({
      ...system,
      isLanAddress,
      isOwnAddress,
      lanAddresses,
      browse,
      addresses,
      safeMode,
      simulate: simulateWith(new URL('replay-thread.mjs', bundleUrl)),
      startProgram: createProgramStarter(bundleUrl),
      storage,
      hubClock,
      stops: hubStops,
    });
    const admin = adminOf(hub, (content) => restore(content, null), status);
    return { ...createHubApp(hub, { webFiles, network, restore }), hub, admin };
  };
  const opening = keeper.open({
    openStorage: (onFailure) => {
      vital.noteOpening();
      return deps.openStorage(onFailure);
    },
    openHub: openServedHub,
  });
  // It reads Node's whole fetch, 40 ms of processor time: the storage thread opens the database meanwhile.
  const importing = import('#http/server/server.ts');
  // It may fail while the hub still opens, and a rejection without a handler would end the process.
  importing.catch(() => undefined);
  try {
    await opening;
    stops.add('the hub', keeper.stop);
    const { createHttpServer } = await importing;
    // No integration is to blame for what a question does.
    const noteServed = (): void => void safeMode?.note(null);
    const control = await listenControl({
      admin: currentAdmin(keeper, noteServed),
      path: controlSocketPath(config),
      log: log.part('control'),
    });
    stops.add('the control socket', control.close);
    const opened = await network.listen(currentApp(keeper, noteServed), createHttpServer);
    listeners = opened;
    stops.add('the listeners', () => opened.close(GRACE_MS));
    stops.add('streams', () => keeper.find()?.stopStreams());
    // They end before the streams: a client that reconnects at once is then refused instead of getting a 503, after which
    // an EventSource never tries again (HTML, section 9.2.3).
    stops.add('new connections', opened.stopAccepting);
    stops.add(
      'the advertisement',
      network.advertise(opened, () => cardOf(keeper.find()?.hub)),
    );
    // It ends first of all: what is done while the hub ends is no reason to put anything off.
    stops.add('safe mode', () => safeMode?.stop());
    return { ...vital, addresses, reload: opened.reconcile, stop: stops.stop };
  } catch (cause) {
    safeMode?.stop();
    await stops.stop();
    throw cause;
  }
}

type Process = Pick<HubStatus, 'version' | 'addresses'> & { readonly network: Network };

function statusOf({ version, addresses, network }: Process, hub: Hub): HubStatus {
  const { host, conflict } = network.advertised();
  const mdns = network.reception();
  return {
    version,
    pid: process.pid,
    addresses,
    host,
    conflict,
    integrations: integrationsOf(hub),
    areAutomationsPutOff: hub.runningAutomations.areAutomationsPutOff(),
    ...(mdns !== undefined && { mdns }),
  };
}

/** The hub clock on the state that is open. It is stopped last: every other part may ask for the time until it has ended. */
async function openStateClock(
  { machine, log }: { readonly machine: Machine; readonly log: Log },
  { meta }: Storage,
  stops: StopList,
): Promise<OpenHubClock> {
  const newId = (): string => systemRandom(4).toString('hex');
  const deps = { machine, store: meta, startTimer: startSystemTimer, newId, log: log.part('clock') };
  const hubClock = await openHubClock(deps);
  stops.add('the hub clock', hubClock.stop);
  return hubClock;
}

/** Without its page the hub still serves all other clients. */
function openWebUi({ bundleUrl, hubCommand, log }: DaemonDeps): readonly WebFile[] {
  try {
    return readWebUi(new URL('web/', bundleUrl), hubCommand);
  } catch (cause) {
    log.error('the page cannot be served: install the hub anew', { cause });
    return [];
  }
}

function currentAdmin({ current }: HubKeeper<ServedHub>, noteServed: () => void): () => HubAdmin {
  return () => {
    noteServed();
    return current().admin;
  };
}

/** The app of the open hub. While no hub is open, every answer is a 503. */
function currentApp({ find }: HubKeeper<ServedHub>, noteServed: () => void): App {
  const problem = (error: HubError): ProblemAnswer =>
    find()?.app.problem(error) ?? problemAnswer(error, '/', systemRandom(12).toString('base64url'));
  return {
    problem,
    refuse: (facts) => {
      const open = find();
      return open === undefined ? problem(restarting()) : open.app.refuse(facts);
    },
    // While no hub is open, an upgrade is refused as any request is.
    isSocketPath: (path) => find()?.app.isSocketPath(path) === true,
    takeSocket: (facts, upgrade) => {
      noteServed();
      const open = find();
      return open === undefined ? problem(restarting()) : open.app.takeSocket(facts, upgrade);
    },
    fetch: (request, wire) => {
      noteServed();
      const open = find();
      if (open !== undefined) return open.app.fetch(request, wire);
      const { status, headers, body } = problem(restarting());
      return new Response(body, { status, headers });
    },
  };
}

function integrationsOf({ integrations }: Hub): HubStatus['integrations'] {
  const { supervisor, instances } = integrations;
  return supervisor.reports().map(({ id, status: { state, error } }) => {
    const kind = instances.kindOf(id);
    // Integrations that speak Matter listen on a port of their own.
    const port =
      kind?.isBridge === true || kind?.pairsByCode === true ? instances.find(id)?.settings['port'] : undefined;
    const udpPort = port?.type === 'value' && typeof port.value === 'number' ? { udpPort: port.value } : {};
    return { id, state, code: error?.code ?? null, error: error?.message ?? null, ...udpPort };
  });
}

function cardOf(hub: Hub | undefined): HubSummary | undefined {
  return hub === undefined ? undefined : { ...hub.identity.identity(), claimed: hub.people.accounts.hasOwner() };
}

/** The new hub notes the restore: the old one is closed by then, and its audit log was carried over. */
function restoreNoted(keeper: HubKeeper<ServedHub>): Restore {
  return async (content, keep, change) => {
    const session = keep === null ? undefined : keeper.current().hub.people.sessions.findSession(keep);
    await keeper.restore(content, keep, change);
    const peer = keep === null ? 'console' : (session?.address ?? null);
    const { audit } = keeper.current().hub.people;
    await audit.record({ type: 'backup.restored', peer, userId: session?.userId, sessionId: session?.id });
  };
}

function adminOf(hub: Hub, restoreBackup: HubAdmin['restoreBackup'], status: () => HubStatus): HubAdmin {
  const { storage, hubClock } = hub;
  const { accounts, audit, claim } = hub.people;
  const { house } = hub.household;
  const finder = createSeriesFinder({ registry: hub.devices, house });
  const admin = createLocalAdmin({
    accounts,
    claimCode: claim.code,
    storageHealth: storage.health,
    backups: storage.backups,
    restoreBackup,
    historyCheck: {
      ...storage,
      timeZone: hub.identity.timeZone,
      shownAs: (series) => finder.findStored(series)?.shown ?? series,
    },
    archive: async () => ({
      history: withRecentPresence(storage, hubClock.nowMs).history,
      registry: hub.devices,
      house,
      findRoom: hub.rooms.findRoom,
      nowMs: hubClock.nowMs,
      monotonicMs: systemClock.monotonicMs,
      importTurn: hub.past.importTurn,
    }),
    status,
  });
  return createAuditedAdmin(admin, { audit, accounts });
}
