import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { RunHistory } from '#core/automation-run/trace/run-history.ts';
import type { Device } from '#core/device/device.ts';
import { ENERGY } from '#core/energy/settings.ts';
import { withRecentAnswers, withRecentPresence } from '#core/past/answer/presence-history.ts';
import type { HistoryDeletion } from '#core/past/history/history-deletion.ts';
import { houseSeriesOf } from '#core/past/history/house-series.ts';
import type { apiRoutes } from '#http/app.ts';
import type { DeviceSocket } from '#http/device-socket/routes.ts';
import type { DeviceList } from '#http/device/list.ts';
import type { DeviceRemoval } from '#http/device/routes.ts';
import type { EventStreams } from '#http/event/streams.ts';
import type { BackupRoutesDeps } from '#http/system/backup.ts';
import type { ListedKind } from '#http/integration-kind/json.ts';
import { createTryStart } from '#hub/automation/hub-dry-runs.ts';
import { createNextFirings } from '#hub/automation/next-times.ts';
import { createProviderDirectory } from '#hub/integration/hub-providers.ts';
import { canSetUp } from '#hub/integration/hub-setups.ts';
import { createIntegrationDirectory } from '#hub/integration/integration-directory.ts';
import { KINDS } from '#integrations/table.ts';
import type { Storage } from '#storage/storage.ts';
import type { Hub } from './hub.ts';
import type { HubHealth } from './hub-health.ts';
import type { Restore } from './hub-keeper.ts';
import { sunOfDay } from './hub-place.ts';

type ApiDeps = Parameters<typeof apiRoutes>[0];

/** The API needs these parts beside the hub. */
type ApiParts = {
  readonly list: DeviceList;
  readonly eventStreams: EventStreams;
  readonly health: HubHealth;
  readonly systemInfo: () => Promise<JsonObject>;
  readonly deviceSockets: readonly DeviceSocket[];
  /** Replaces the state of this hub by a checked backup. */
  readonly restore: Restore;
};

/** Hands the parts of the hub to the nouns of the API. */
export function apiPorts(hub: Hub, { list, eventStreams, health, ...parts }: ApiParts): ApiDeps {
  const { people, household, past, runningAutomations, notification, integrations, settingUp } = hub;
  const { storage, identity, devices, rooms, events, automations, clock, hubClock, startTimer } = hub;
  const { accounts } = people;
  const { instances, supervisor } = integrations;
  const { timeZone } = identity;
  return {
    ...household,
    version: hub.version,
    hub: identity.identity,
    hubIdentity: identity,
    timeZone,
    hubClock,
    nowMs: hubClock.nowMs,
    isClockSet: () => hubClock.source() !== 'none',
    wallMs: clock.wallMs,
    monotonicMs: clock.monotonicMs,
    startTimer,
    isLanAddress: hub.isLanAddress,
    isOwnAddress: hub.isOwnAddress,
    accounts,
    isClaimed: accounts.hasOwner,
    authenticate: people.authenticate,
    sessions: people.sessions,
    apiTokens: people.apiTokens,
    wallRequests: people.wallRequests,
    signIn: people.signIn,
    signInGuard: people.signInGuard,
    homeViews: people.homeViews,
    audit: people.audit,
    auditHistory: people.auditHistory,
    registry: devices,
    list,
    removeDevice: createRemoval(hub),
    rooms,
    findRoom: rooms.findRoom,
    groups: hub.groups,
    scenes: hub.scenes,
    commands: hub.commands,
    events,
    eventCursor: events.cursor,
    eventStreams,
    sunOfDay: (atMs) => sunOfDay(household.locationRecord.location(), timeZone, atMs),
    history: withRecentPresence(storage, hubClock.nowMs).history,
    answerHistory: withRecentAnswers(storage.answerHistory, hubClock.nowMs),
    recording: past.recording,
    historySettings: past.historySettings,
    deletion: withTraces(past.deletion, runningAutomations.runHistory, accounts.users),
    importTurn: past.importTurn,
    energy: hub.energy,
    automations,
    saveReplaced: storage.automations.saveReplaced,
    automationEngine: runningAutomations.automationEngine,
    hooks: runningAutomations.hooks,
    runHistory: runningAutomations.runHistory,
    resumeAutomations: runningAutomations.resumeAutomations,
    nextFirings: createNextFirings({ ...household, hubClock, timeZone }),
    tryStart: createTryStart(hub),
    simulations: hub.simulations,
    replayWindow: createWindowReplay(hub.simulations),
    notifications: notification.notifications,
    builtIns: notification.builtIns,
    quietHours: notification.quietHours,
    channels: notification.channels,
    isBroker: (id) => instances.kindOf(id)?.isBroker === true,
    webhooks: hub.webhooks,
    exporters: hub.exporters,
    integrations: createIntegrationDirectory({ ...integrations, devices, safeMode: hub.safeMode }),
    integrationKinds: () => KINDS.map((kind) => listedKind(kind, instances)),
    integrationsFound: settingUp.discoveries,
    integrationSetups: settingUp.setups,
    deviceSockets: parts.deviceSockets,
    providers: createProviderDirectory({ instances, supervisor, devices, startTimer }),
    backups: { ...backupPorts(storage), monotonicMs: clock.monotonicMs, startTimer, restore: parts.restore },
    healthStatus: health.status,
    healthDetails: health.details,
    hubVitals: health.vitals,
    systemInfo: parts.systemInfo,
  };
}

function listedKind(kind: (typeof KINDS)[number], instances: Hub['integrations']['instances']): ListedKind {
  return { ...kind, isDiscovered: kind.discovery !== undefined, canSetUp: canSetUp(kind, instances) };
}

function createWindowReplay({ replay }: Hub['simulations']): ApiDeps['replayWindow'] {
  return async (replayed, window) => {
    const simulation = await replay(replayed, window);
    return simulation && { ...simulation, isComplete: simulation.fidelity.isComplete };
  };
}

function createRemoval(hub: Hub): ApiDeps['removeDevice'] {
  const { energy, past } = hub;
  return (device, removal) => {
    const remove = (): Promise<void> => removeDevice(hub, device, removal);
    if (removal.forgets !== true) return remove();
    return past.forgetting.removeForgetting(device.id, remove, { deletion: past.deletion, energy });
  };
}

/** Removes the device upstream first, then at the hub; with `force` at the hub even if upstream fails. */
async function removeDevice(
  { integrations, devices, log }: Pick<Hub, 'integrations' | 'devices' | 'log'>,
  device: Device,
  { force, authorize }: DeviceRemoval,
): Promise<void> {
  const { supervisor, instances } = integrations;
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
  // It is not removed by its id: the integration may have reported the removal, and then nothing is left to do.
  await devices.reportsOf(integration).removeDevice(externalId);
}

/** The backup was deleted for a newer one after it was found. */
function asGone(cause: unknown): { readonly size?: never } {
  if (errnoOf(cause) !== 'ENOENT') throw cause;
  return {};
}

/** Deletes who was at home from the traces too, and there first, so that a scrub overwrites that as well. */
function withTraces(
  deletion: HistoryDeletion,
  runHistory: Pick<RunHistory, 'forgetPresence'>,
  people: () => readonly { readonly id: string }[],
): HistoryDeletion {
  return {
    ...deletion,
    deleteHistory: async (request) => {
      const { isWanted, isTrial, fromMs, toMs } = request;
      // No person has the empty name: it stands for all series.
      const isOfPeople = ['', ...people().map(({ id }) => id)].some((id) => isWanted(houseSeriesOf('presence', id)));
      if (isOfPeople && !isTrial) {
        request.authorize();
        await runHistory.forgetPresence({ fromMs: fromMs ?? -Infinity, toMs });
      }
      return deletion.deleteHistory(request);
    },
  };
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
