import { lookup } from 'node:dns/promises';
import { repeat } from '#base/time/repeat.ts';
import type { Clock } from '#base/time/clock.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import type { StopList } from '#base/stop-list.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createUuidSource } from '#base/uuid.ts';
import type { Config } from '#config/config.ts';
import { createErrands, type Errands } from '#core/command/errands.ts';
import { type CommandWay, USUAL_PACE } from '#core/command/command-way.ts';
import { type CommandService, createCommandService } from '#core/command/command-service.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { type DeviceRegistry, openDeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { type HubIdentity, openHubIdentity } from '#core/hub-identity.ts';
import { openRoomRegistry, type RoomRegistry } from '#core/room/room-registry.ts';
import { type Groups, openGroups } from '#core/group/groups.ts';
import { openSceneRegistry, type SceneRegistry } from '#core/scene/scene-registry.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { Exporters } from '#core/exporter/exporter.ts';
import type { RecordingBudgetDeps } from '#core/past/history/tracks/recording-budget.ts';
import type { Webhooks } from '#core/webhook/webhook.ts';
import type { BrowseMdns, LanPlace } from '#integrations/ports.ts';
import { KINDS } from '#integrations/table.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import type { Storage } from '#storage/storage.ts';
import { type Integrations, startIntegrations } from '#hub/integration/hub-integrations.ts';
import type { StartProgram } from '#hub/integration/program-watch.ts';
import { type Energy, type EnergyDeps, openEnergy } from '#core/energy/energy.ts';
import { startEnergyDevice } from '#core/energy/energy-device.ts';
import { tellPast } from '#hub/history/told-history.ts';
import { type HubHistory, openHubHistory, startHistoryUpkeep } from '#hub/history/hub-history.ts';
import { openEvents, reviewAfterRevocations } from './hub-events.ts';
import { type Household, openHousehold } from './hub-household.ts';
import { openPeople, type People, type PeopleDeps } from './hub-people.ts';
import { openSettingUp, type SettingUp } from '#hub/integration/hub-setups.ts';
import { openHubExporters } from '#hub/exporter/hub-exporters.ts';
import { type HubNotifications, openHubNotifications } from '#hub/notification/hub-notifications.ts';
import { openSimulations, type SimulateWork } from '#hub/automation/hub-simulations.ts';
import type { Simulations } from '#core/automation-replay/simulations.ts';
import { openAutomations } from '#hub/automation/automation-home.ts';
import { type RunningAutomations, startAutomations } from '#hub/automation/hub-automations.ts';
import { startUpkeep } from './hub-upkeep.ts';
import { openHubWebhooks } from './hub-webhooks.ts';

const STALE_CHECK_MS = 10_000;

/** Everything that lives on one opened state: people, devices, integrations. A restore ends it and makes a new one. */
export type Hub = People &
  Devices &
  Household &
  Integrations &
  SettingUp &
  HubNotifications &
  RunningAutomations &
  HubHistory & {
    /** Names this run in event cursors and entity tags. */
    readonly epoch: string;
    readonly identity: HubIdentity;
    readonly events: EventLog;
    readonly commands: CommandService;
    readonly groups: Groups;
    readonly scenes: SceneRegistry;
    readonly automations: AutomationRegistry;
    readonly simulations: Simulations;
    readonly webhooks: Webhooks;
    readonly exporters: Exporters;
    readonly energy: Energy;
    readonly storage: Storage;
    readonly safeMode: SafeMode;
  };

type Devices = { readonly devices: DeviceRegistry; readonly rooms: RoomRegistry };

export type HubDeps = {
  readonly version: string;
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly hubClock: Omit<OpenHubClock, 'stop'>;
  readonly safeMode: SafeMode;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  /** True for the text of an address in the LAN: the hub itself may connect there. */
  readonly isLanAddress: (address: string) => boolean;
  /** True for the text of an address of this machine: only where an owner says so may the hub connect there. */
  readonly isOwnAddress: (address: string) => boolean;
  /** Where machines of the LAN reach this one; without loopback. */
  readonly lanAddresses: () => readonly LanPlace[];
  /** Starts a program of the hub beside it. */
  readonly startProgram: StartProgram;
  /** Finds services in the network by mDNS. */
  readonly browse: BrowseMdns;
  /** Base addresses under which the API is served at the moment. */
  readonly addresses: () => readonly string[];
  /** Replays the past in a thread of its own. */
  readonly simulate: SimulateWork;
  /** Shows the code on the console and in the journal, at every log level. */
  readonly announceClaimCode: (code: string) => void;
};

/** Builds the hub in boot order, and adds the undo of each started part to the stop list. */
export async function openHub(given: HubDeps, stops: StopList): Promise<Hub> {
  const { deps, ...told } = tellPast(given);
  const { storage, clock, random } = deps;
  const newId = createUuidSource(clock.wallMs, random);
  const findAddresses = createAddressFinder({ ...deps, lookup });
  // Short, because each list of devices contains it twice.
  const epoch = random(5).readUIntBE(0, 5).toString(36).padStart(8, '0');
  // Earlier parts refer to these; no event names a room, no command runs, and no account goes, before they are there.
  const late: Late = {};
  const events = openEvents(deps, epoch, late);
  const identity = await openHubIdentity(storage.meta, { version: deps.version, newId, log: deps.log });
  // The storage's thread reads the devices while this one prepares the people. A failure is thrown where it is awaited.
  const errands = createErrands(clock);
  const opening = openDevices({ ...deps, events, newId, findCause: errands.findCause });
  opening.catch(() => undefined);
  const people = await openPeople({ ...deps, identity, events, newId, ...lateCalls(late) }, stops);
  const { devices, rooms } = await opening;
  late.rooms = rooms;
  const groups = openGroups({ ...deps, devices, newId, subscribe: events.subscribe, log: deps.log.part('groups') });
  stops.add('the values of groups', groups.stop);
  const household = await openHousehold({ ...deps, ...people, identity, devices, events }, stops);
  const commandDeps = { ...deps, errands, devices, events, newId };
  const { commands, scenes } = await openCommands(commandDeps, (id) => late.findWay?.(id));
  stops.add('the watch over scenes', scenes.stop);
  const recorded = { ...household, devices, events, commands, identity, ...lateCalls(late) };
  const { history: past, started } = await openHubHistory(deps, recorded);
  const reaching = { ...deps, ...people, identity, findAddresses, devices, rooms, events, commands };
  const integrations = await startIntegrations(reaching, stops);
  late.kindOf = integrations.instances.kindOf;
  late.findWay = (id) => wayFrom(integrations.supervisor, id);
  stops.add('the recording of history', started.stop);
  const settingUp = await openSettingUp({ ...reaching, ...integrations, kinds: KINDS, newId }, stops);
  reviewAfterRevocations(events, late);
  stops.add('commands', commands.stop);
  const known = { ...deps, ...people, ...integrations, findAddresses, identity, devices, rooms, events, newId };
  const automations = await openAutomations(known, { ...known, ...household, ...past, scenes }, stops);
  late.reviewRights = () => {
    commands.reviewRights();
    settingUp.setups.reviewRights();
    automations.review();
  };
  const webhooks = await openHubWebhooks(known);
  stops.add('webhooks', webhooks.stop);
  const notifying = await openHubNotifications(known, stops);
  late.notePaused = notifying.builtIns.notePaused;
  const home = { ...known, ...household, ...notifying, commands, scenes, automations };
  const running = await startAutomations(known, { ...home, past: { ...told, heard: started.heard } }, stops);
  late.runHistory = running.runHistory;
  const exporters = await openHubExporters(known, stops);
  stops.add('the watch for stale values', repeat(deps.startTimer, STALE_CHECK_MS, devices.markStale));
  const energy = await startEnergy({ ...deps, identity, devices, events, settleSamples: started.heard.settle }, stops);
  const upkept = { ...past, ...people, ...identity, ...devices, ...lateCalls(late), energy, stops };
  startHistoryUpkeep(deps, upkept, [{ name: 'energy', takeHour: energy.settle }]);
  stops.add('the hourly upkeep', startUpkeep({ ...deps, ...people, ...notifying, automations, energy }));
  return {
    epoch,
    identity,
    ...people,
    devices,
    rooms,
    ...household,
    events,
    commands,
    groups,
    scenes,
    automations,
    ...running,
    simulations: openSimulations(known, { ...home, ...past, runs: running.runHistory.runs }, stops),
    ...past,
    ...integrations,
    ...settingUp,
    ...notifying,
    webhooks,
    exporters,
    energy,
    storage,
    safeMode: deps.safeMode,
  };
}

/** Parts of the hub that earlier parts call. */
type Late = {
  rooms?: RoomRegistry;
  reviewRights?: () => void;
  runHistory?: Hub['runHistory'];
  kindOf?: Integrations['instances']['kindOf'];
  findWay?: (integration: string) => CommandWay | undefined;
  notePaused?: HubNotifications['builtIns']['notePaused'];
};

function lateCalls(
  late: Late,
): Pick<PeopleDeps, 'forgetTraces' | 'onRightsChanged'> & Pick<RecordingBudgetDeps, 'isScript' | 'onPaused'> {
  return {
    forgetTraces: async (range) => late.runHistory?.forgetPresence(range),
    onRightsChanged: () => late.reviewRights?.(),
    isScript: (id) => late.kindOf?.(id)?.comesByItself === true,
    onPaused: (...told) => late.notePaused?.(...told),
  };
}

type EnergyParts = Pick<HubDeps, 'storage' | 'hubClock' | 'startTimer' | 'log'> &
  Pick<Hub, 'identity' | 'devices' | 'events'> &
  Pick<EnergyDeps, 'settleSamples'>;

async function startEnergy(deps: EnergyParts, stops: StopList): Promise<Energy> {
  const { storage, identity } = deps;
  const log = deps.log.part('energy');
  const energy = await openEnergy({
    ...deps,
    store: storage.energy,
    history: storage.history,
    meta: storage.meta,
    timeZone: identity.timeZone,
    log,
  });
  stops.add('the accounts of energy', energy.stop);
  stops.add('the device of energy', await startEnergyDevice({ ...deps, energy, log }));
  return energy;
}

type CommandsDeps = Pick<HubDeps, 'storage' | 'clock' | 'startTimer' | 'log'> & {
  readonly errands: Errands;
  readonly devices: DeviceRegistry;
  readonly events: EventLog;
  readonly newId: () => string;
};

/** What changes devices on request: commands, and the scenes that are made of them. */
async function openCommands(
  { storage, events, devices, ...deps }: CommandsDeps,
  findWay: (integration: string) => CommandWay | undefined,
): Promise<{ readonly commands: CommandService; readonly scenes: SceneRegistry }> {
  const shared = { ...deps, emit: events.append };
  const commands = createCommandService({ ...shared, registry: devices, findWay, log: deps.log.part('commands') });
  const scenes = await openSceneRegistry({ ...shared, store: storage.scenes, devices, subscribe: events.subscribe });
  return { commands, scenes };
}

type DevicesDeps = Pick<HubDeps, 'storage' | 'clock' | 'log'> & {
  readonly events: Pick<EventLog, 'append'>;
  readonly newId: () => string;
  readonly findCause: Errands['findCause'];
};

async function openDevices({ storage, clock, log, events, newId, findCause }: DevicesDeps): Promise<Devices> {
  const turn = createTurnQueue();
  const shared = { clock, newId, emit: events.append, turn };
  const rooms = await openRoomRegistry({ ...shared, store: storage.rooms, devices: () => devices });
  const roomExists = (id: string): boolean => rooms.findRoom(id) !== undefined;
  const devices: DeviceRegistry = await openDeviceRegistry({
    ...shared,
    store: storage.devices,
    roomExists,
    findCause,
    limits: DEVICE_LIMITS,
    log: log.part('devices'),
  });
  return { devices, rooms };
}

function wayFrom({ findIntegration, statusOf }: Supervisor, id: string): CommandWay | undefined {
  const integration = findIntegration(id);
  if (integration === undefined) return undefined;
  const { sendCommand: send, sendGroup, findGroups, answersLater, pace = USUAL_PACE } = integration;
  const way = { isUp: () => statusOf(id).state === 'connected', send, answersLater };
  if (sendGroup === undefined) return { ...way, pace };
  return findGroups === undefined ? { ...way, sendGroup } : { ...way, sendGroup, findGroups, pace };
}
