import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { StopList } from '#base/stop-list.ts';
import { apiRoutes, type App, createApp } from '#http/app.ts';
import { auditedRoutes } from '#http/routing/audited-routes.ts';
import { createDeviceList } from '#http/device/list.ts';
import { createEventStreams } from '#http/event/streams.ts';
import { createRations } from '#http/routing/rations.ts';
import { createGuardChain, createCorsRule } from '#http/edge/guards.ts';
import { createRequestIds } from '#http/edge/request-facts.ts';
import type { HealthState } from '#http/system/json.ts';
import type { Device } from '#core/device/device.ts';
import { ENERGY } from '#core/energy/settings.ts';
import type { RunHistory } from '#core/automation-run/trace/run-history.ts';
import type { HistoryDeletion } from '#core/past/history/history-deletion.ts';
import { houseSeriesOf } from '#core/past/history/house-series.ts';
import type { BackupRoutesDeps } from '#http/system/backup.ts';
import type { DeviceSocket } from '#http/device-socket/routes.ts';
import type { DeviceRemoval } from '#http/device/routes.ts';
import type { ListedKind } from '#http/integration-kind/json.ts';
import { type WebFile, webNotFound, webUiRoutes } from '#http/page/web-ui.ts';
import { KINDS } from '#integrations/table.ts';
import type { Storage } from '#storage/storage.ts';
import { withRecentAnswers, withRecentPresence } from '#core/past/answer/presence-history.ts';
import type { Hub, HubDeps } from './hub.ts';
import type { Restore } from './hub-keeper.ts';
import { createHubHealth } from './hub-health.ts';
import type { Network } from './hub-network.ts';
import { createProviderDirectory } from '#hub/integration/hub-providers.ts';
import { createTryStart } from '#hub/automation/hub-dry-runs.ts';
import { createNextFirings } from '#hub/automation/next-times.ts';
import { canSetUp } from '#hub/integration/hub-setups.ts';
import { createIntegrationDirectory } from '#hub/integration/integration-directory.ts';
import { sunOfDay } from './hub-place.ts';
import { createSystemInfo } from './system-info.ts';

type HubAppDeps = Pick<
  HubDeps,
  'config' | 'clock' | 'hubClock' | 'startTimer' | 'random' | 'log' | 'isLanAddress' | 'isOwnAddress'
> & {
  /** Takes the undo of what is started here. */
  readonly stops: StopList;
  readonly version: string;
  /** Base addresses under which the API is served at the moment. */
  readonly addresses: () => readonly string[];
  /** The files of the page. */
  readonly webFiles: readonly WebFile[];
  readonly network: Pick<Network, 'rule' | 'advertised'>;
  /** Replaces the state of this hub by a checked backup. */
  readonly restore: Restore;
};

export type HubApp = {
  readonly app: App;
  /** Ends the streams and the calls of devices, so that the end of the hub need not wait for them. */
  readonly stopStreams: () => void;
  /** As of the last check. */
  readonly healthStatus: () => HealthState;
};

/** Serves the hub: its routes, event streams and health. */
export function createHubApp(hub: Hub, deps: HubAppDeps): HubApp {
  const { accounts, authenticate, devices, events, rooms, storage } = hub;
  const { clock, log, random } = deps;
  const list = createDeviceList({
    registry: devices,
    findRoom: rooms.findRoom,
    monotonicMs: clock.monotonicMs,
    epoch: hub.epoch,
  });
  const eventStreams = createEventStreams({
    events,
    devices: devices.devices,
    rooms: rooms.rooms,
    scenes: () => hub.scenes.scenes().map((scene) => [scene, hub.scenes.activityOf(scene)] as const),
    deviceBytes: list.deviceBytes,
    clock,
    startTimer: deps.startTimer,
    log,
  });
  deps.stops.add('event streams', eventStreams.stop);
  const eventClients = eventStreams.count;
  const health = createHubHealth({ ...deps, ...deps.network, hub, eventClients, onLook: hub.builtIns.noteStorage });
  deps.stops.add('the look at health', health.watch(deps.startTimer, log.part('health')));
  const routes = apiRoutes({
    ...hub,
    isBroker: (id) => hub.instances.kindOf(id)?.isBroker === true,
    deviceSockets: deviceSocketsOf(hub.calls),
    hub: hub.identity.identity,
    hubIdentity: hub.identity,
    ...storagePorts(storage, deps.hubClock.nowMs),
    timeZone: hub.identity.timeZone,
    nowMs: deps.hubClock.nowMs,
    isClockSet: () => deps.hubClock.source() !== 'none',
    hubClock: deps.hubClock,
    sunOfDay: (atMs) => sunOfDay(hub.locationRecord.location(), hub.identity.timeZone, atMs),
    nextFirings: createNextFirings({ ...hub, hubClock: deps.hubClock, timeZone: hub.identity.timeZone }),
    version: deps.version,
    isClaimed: accounts.hasOwner,
    registry: devices,
    list,
    findRoom: rooms.findRoom,
    eventCursor: events.cursor,
    eventStreams,
    isLanAddress: deps.isLanAddress,
    isOwnAddress: deps.isOwnAddress,
    removeDevice: createRemoval(hub, log),
    ...pastPorts(hub),
    integrations: createIntegrationDirectory(hub),
    integrationKinds: () => listedKinds(hub),
    integrationsFound: hub.discoveries,
    integrationSetups: hub.setups,
    providers: createProviderDirectory({ ...hub, startTimer: deps.startTimer }),
    ...clock,
    startTimer: deps.startTimer,
    backups: { ...backupPorts(storage), ...clock, startTimer: deps.startTimer, restore: deps.restore },
    healthStatus: health.status,
    healthDetails: health.details,
    hubVitals: health.vitals,
    systemInfo: createSystemInfo({
      version: deps.version,
      stateDir: deps.config.stateDir,
      addresses: deps.addresses,
      wallMs: clock.wallMs,
      isClockSynced: deps.hubClock.isSynced,
    }),
  });
  const app = createApp({
    routes: [...auditedRoutes(routes, hub.audit), ...webUiRoutes(deps.webFiles, hub.identity)],
    notFoundPage: webNotFound(deps.webFiles, hub.identity),
    guards: createGuardChain({ rule: deps.network.rule, audit: hub.audit, log: log.part('http'), clock }),
    cors: createCorsRule(deps.network.rule),
    takeRation: createRations(clock),
    isClaimed: accounts.hasOwner,
    deviceSockets: deviceSocketsOf(hub.calls),
    authenticate,
    log: log.part('http'),
    newRequestId: createRequestIds(random),
  });
  return { app, stopStreams: bothOf(hub.calls.stop, eventStreams.stop), healthStatus: health.status };
}

function bothOf(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}

function listedKinds({ instances }: Pick<Hub, 'instances'>): readonly ListedKind[] {
  return KINDS.map((kind) => ({
    ...kind,
    isDiscovered: kind.discovery !== undefined,
    canSetUp: canSetUp(kind, instances),
  }));
}

/** Where devices of each kind call the hub. */
function deviceSocketsOf({ admit, open }: Hub['calls']): readonly DeviceSocket[] {
  return KINDS.flatMap(({ id, calls }) =>
    calls === undefined
      ? []
      : [{ ...calls, path: `/api/v1/${id}/socket`, admit, open: (upgrade, peer) => open(upgrade, peer, calls) }],
  );
}

function createRemoval(hub: Hub, log: Log): (device: Device, given: DeviceRemoval) => Promise<void> {
  return (device, given) => {
    const remove = (): Promise<void> => removeDevice({ ...hub, log }, device, given);
    return given.forgets === true ? hub.forgetting.removeForgetting(device.id, remove, hub) : remove();
  };
}

/** Removes the device upstream first, then at the hub; with `force` at the hub even if upstream fails. */
async function removeDevice(
  { supervisor, instances, devices, log }: Pick<Hub, 'supervisor' | 'instances' | 'devices'> & { readonly log: Log },
  device: Device,
  { force, authorize }: DeviceRemoval,
): Promise<void> {
  const { integration, externalId } = device;
  if (integration === ENERGY) {
    authorize(device);
    throw new HubError('NOT_SUPPORTED', 'The hub makes this device of the settings of energy: change those.');
  }
  const upstream = supervisor.findIntegration(integration);
  const isGone = instances.find(integration) === undefined;
  if (isGone || (upstream !== undefined && upstream.removeDevice === undefined)) {
    return devices.removeDevice(device.id, { authorize });
  }
  authorize(device);
  try {
    if (upstream?.removeDevice === undefined) throw new HubError('INTEGRATION_DOWN', 'The integration does not run.');
    await upstream.removeDevice(externalId, force);
  } catch (cause) {
    if (!force) throw cause;
    log.warn('a device was removed only at the hub', { device: device.selector, cause });
  }
  // Not by its id: the integration may have reported the removal in the meantime, and then nothing is left to do.
  await devices.reportsOf(integration).removeDevice(externalId);
}

/** The backup was deleted for a newer one after it was found. */
function asGone(cause: unknown): { readonly size?: never } {
  if (errnoOf(cause) !== 'ENOENT') throw cause;
  return {};
}

/** What callers do with the past, and with what did not happen. */
function pastPorts(hub: Hub): Pick<Parameters<typeof apiRoutes>[0], 'deletion' | 'replayWindow' | 'tryStart'> {
  const deletion = withTraces(hub.deletion, hub.runHistory, hub.accounts.users);
  return {
    deletion,
    replayWindow: async (replayed, window) => {
      const found = await hub.simulations.replay(replayed, window);
      return found && { ...found, isComplete: found.fidelity.isComplete };
    },
    tryStart: createTryStart(hub),
  };
}

/** The same deletion; who was at home is deleted from the traces too, and first, so that a scrub overwrites that as well. */
function withTraces(
  deletion: HistoryDeletion,
  runHistory: Pick<RunHistory, 'forgetPresence'>,
  people: () => readonly { readonly id: string }[],
): HistoryDeletion {
  return {
    ...deletion,
    deleteHistory: async (wanted) => {
      const { isWanted, isTrial, fromMs, toMs } = wanted;
      // No person has the empty name: it stands for all series.
      const isOfPeople = ['', ...people().map(({ id }) => id)].some((id) => isWanted(houseSeriesOf('presence', id)));
      if (isOfPeople && !isTrial) {
        wanted.authorize();
        await runHistory.forgetPresence({ fromMs: fromMs ?? -Infinity, toMs });
      }
      return deletion.deleteHistory(wanted);
    },
  };
}

/** What callers read of the past. */
function storagePorts(storage: Storage, nowMs: () => number) {
  const { history } = withRecentPresence(storage, nowMs);
  const answerHistory = withRecentAnswers(storage.answerHistory, nowMs);
  return { history, answerHistory, saveReplaced: storage.automations.saveReplaced };
}

function backupPorts({ backups }: Storage): Pick<BackupRoutesDeps, 'list' | 'make' | 'look' | 'open'> {
  return {
    list: backups.list,
    make: backups.make,
    look: async (id) => {
      const [path, all] = await Promise.all([backups.findPath(id), backups.list()]);
      const backup = all.find((one) => one.id === id);
      return path === undefined || backup === undefined ? undefined : { ...backup, content: await backups.check(path) };
    },
    open: async (id) => {
      const path = await backups.findPath(id);
      if (path === undefined) return undefined;
      const { size } = await stat(path).catch(asGone);
      if (size === undefined) return undefined;
      return { size, content: Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array> };
    },
  };
}
