import { lookup } from 'node:dns/promises';
import { repeat } from '#base/time/repeat.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createUuidSource } from '#base/uuid.ts';
import { createSentValues, type SentValues } from '#core/command/sent-values.ts';
import { type CommandWay, USUAL_PACE } from '#core/command/command-way.ts';
import { type CommandService, createCommandService } from '#core/command/command-service.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { type DeviceRegistry, openDeviceRegistry } from '#core/device/device-registry.ts';
import { createEventLog, type EventLog } from '#core/event/event-log.ts';
import { openHubIdentity } from '#core/hub-identity.ts';
import type { Room } from '#core/room/room.ts';
import { openRoomRegistry, type RoomRegistry } from '#core/room/room-registry.ts';
import { type Groups, openGroups } from '#core/group/groups.ts';
import { openSceneRegistry, type SceneRegistry } from '#core/scene/scene-registry.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { RunHistory } from '#core/automation-run/trace/run-history.ts';
import type { Simulations } from '#core/automation-replay/simulations.ts';
import { type Energy, openEnergy } from '#core/energy/energy.ts';
import { startEnergyDevice } from '#core/energy/energy-device.ts';
import type { Exporters } from '#core/exporter/exporter.ts';
import type { Webhooks } from '#core/webhook/webhook.ts';
import { rightOfEvent } from '#http/answer/home-events.ts';
import { createEventEncoder } from '#http/event/json.ts';
import { openAutomations } from '#hub/automation/automation-home.ts';
import { type RunningAutomations, startAutomations } from '#hub/automation/hub-automations.ts';
import { openSimulations } from '#hub/automation/hub-simulations.ts';
import { openHubExporters } from '#hub/exporter/hub-exporters.ts';
import { openPast, type Past, startPastUpkeep } from '#hub/history/hub-history.ts';
import { tellPast } from './told-history.ts';
import { type Integrations, openIntegrations } from '#hub/integration/hub-integrations.ts';
import { openSettingUp, type SettingUp } from '#hub/integration/hub-setups.ts';
import { type HubNotifications, openHubNotifications } from '#hub/notification/hub-notifications.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import { createConnector } from './connector.ts';
import type { HubContext, HubDeps } from './hub-context.ts';
import { type Household, openHousehold } from './hub-household.ts';
import { openPeople, type People } from './hub-people.ts';
import { openHubWebhooks } from './hub-webhooks.ts';

/** Everything that lives on one opened state: people, devices, integrations. A restore ends it and makes a new one. */
export type Hub = HubContext &
  Devices &
  Commands & {
    readonly people: People;
    readonly groups: Groups;
    readonly household: Household;
    readonly integrations: Integrations;
    readonly settingUp: SettingUp;
    readonly past: Past;
    readonly automations: AutomationRegistry;
    readonly runningAutomations: RunningAutomations;
    readonly simulations: Simulations;
    readonly notification: HubNotifications;
    readonly webhooks: Webhooks;
    readonly exporters: Exporters;
    readonly energy: Energy;
  };

type Devices = { readonly devices: DeviceRegistry; readonly rooms: RoomRegistry };
/** Commands, and the scenes that are made of them, change devices on request. */
type Commands = { readonly commands: CommandService; readonly scenes: SceneRegistry };

const STALE_CHECK_MS = 10_000;
const MIB = 1024 * 1024;
/** So many events are kept for clients that reconnect: of each kind as many as are promised of all kinds together. */
const KEPT_EVENTS = {
  feature: { capacity: 16_384, maxBytes: 12 * MIB },
  inventory: { capacity: 10_240, maxBytes: 14 * MIB },
  passing: { capacity: 10_240, maxBytes: 6 * MIB },
  asked: { capacity: 1_024, maxBytes: MIB / 2 },
};

/** Builds the hub in boot order. Each part adds the undo of what it starts to the stop list. */
export async function openHub(deps: HubDeps): Promise<Hub> {
  const { clock, random, log, stops } = deps;
  const storage = tellPast(deps.storage, log);
  const newId = createUuidSource(clock.wallMs, random);
  // It is short, because each list of devices contains it twice.
  const epoch = random(5).readUIntBE(0, 5).toString(36).padStart(8, '0');
  // What earlier parts ask later ones: no event names a room, no command runs, and no account goes, before these are there.
  const findRoom = createConnector<Parameters<RoomRegistry['findRoom']>, Room | undefined>();
  const findWay = createConnector<[integration: string], CommandWay | undefined>();
  const forgetTraces = createConnector<Parameters<RunHistory['forgetPresence']>, Promise<void>>();
  const events = openEvents({ clock, log, epoch, findRoom: findRoom.call });
  const identity = await openHubIdentity(storage.meta, { version: deps.version, newId, log });
  const findAddresses = createAddressFinder({ ...deps, lookup });
  const context: HubContext = { ...deps, storage, epoch, newId, findAddresses, identity, events };
  const sentValues = createSentValues(clock);
  // The storage's thread reads the devices while this one prepares the people. A failure is thrown where it is awaited.
  const opening = openDevices({ ...context, sentValues });
  opening.catch(() => undefined);
  const people = await openPeople({ ...context, forgetTraces: forgetTraces.call });
  const { devices, rooms } = await opening;
  findRoom.connect(rooms.findRoom);
  const groups = openGroups({ ...context, devices, subscribe: events.subscribe, log: log.part('groups') });
  stops.add('the values of groups', groups.stop);
  const household = await openHousehold({ ...context, people, devices });
  const { commands, scenes } = await openCommands({ ...context, sentValues, devices, findWay: findWay.call });
  const integrations = await openIntegrations({ ...context, people, devices, rooms, commands });
  findWay.connect((id) => wayThrough(integrations.supervisor, id));
  const past = await openPast({ ...context, devices, commands, household, integrations });
  await integrations.start();
  const home = { ...context, people, devices, rooms, groups, household, commands, scenes, integrations, past };
  const settingUp = await openSettingUp(home);
  stops.add('commands', commands.stop);
  const automations = await openAutomations(home);
  for (const review of [commands.reviewRights, settingUp.setups.reviewRights, automations.review]) {
    people.onRightsChanged(review);
  }
  const webhooks = await openHubWebhooks(context);
  const notification = await openHubNotifications(home);
  past.onPaused(notification.builtIns.notePaused);
  const runningAutomations = await startAutomations({ ...home, automations, notification });
  const { forgetPresence, runs } = runningAutomations.runHistory;
  forgetTraces.connect(forgetPresence);
  const exporters = await openHubExporters(home);
  stops.add('the watch for stale values', repeat(deps.startTimer, STALE_CHECK_MS, devices.markStale));
  const energy = await openHubEnergy(home);
  startPastUpkeep({ ...home, energy, forgetTraces: forgetPresence });
  startUpkeep({ ...home, notification, automations, energy });
  return {
    ...home,
    settingUp,
    automations,
    runningAutomations,
    simulations: openSimulations({ ...home, automations, runs }),
    notification,
    webhooks,
    exporters,
    energy,
  };
}

type EventsDeps = Pick<HubContext, 'clock' | 'log' | 'epoch'> & Pick<RoomRegistry, 'findRoom'>;

function openEvents({ clock, log, epoch, findRoom }: EventsDeps): EventLog {
  return createEventLog({
    sizes: KEPT_EVENTS,
    startLater: (run) => void setImmediate(run),
    epoch,
    monotonicMs: clock.monotonicMs,
    log: log.part('events'),
    rightOf: rightOfEvent,
    encode: createEventEncoder({ findRoom, wallMs: clock.wallMs }),
  });
}

type DevicesDeps = HubContext & { readonly sentValues: SentValues };

async function openDevices({ storage, clock, log, events, newId, sentValues }: DevicesDeps): Promise<Devices> {
  const shared = { clock, newId, emit: events.append, turn: createTurnQueue() };
  const registry = createConnector<[], DeviceRegistry>();
  const rooms = await openRoomRegistry({ ...shared, store: storage.rooms, devices: registry.call });
  const devices = await openDeviceRegistry({
    ...shared,
    store: storage.devices,
    roomExists: (id) => rooms.findRoom(id) !== undefined,
    findCause: sentValues.findCause,
    limits: DEVICE_LIMITS,
    log: log.part('devices'),
  });
  registry.connect(() => devices);
  return { devices, rooms };
}

type CommandsDeps = DevicesDeps &
  Pick<Devices, 'devices'> & { readonly findWay: (integration: string) => CommandWay | undefined };

async function openCommands({ storage, events, devices, stops, ...deps }: CommandsDeps): Promise<Commands> {
  const shared = { ...deps, emit: events.append };
  const commands = createCommandService({ ...shared, registry: devices, log: deps.log.part('commands') });
  const scenes = await openSceneRegistry({ ...shared, store: storage.scenes, devices, subscribe: events.subscribe });
  stops.add('the watch over scenes', scenes.stop);
  return { commands, scenes };
}

type HubEnergyDeps = HubContext & Pick<Devices, 'devices'> & { readonly past: Pick<Past, 'heard'> };

async function openHubEnergy(deps: HubEnergyDeps): Promise<Energy> {
  const { storage, stops } = deps;
  const log = deps.log.part('energy');
  const energy = await openEnergy({
    ...deps,
    store: storage.energy,
    history: storage.history,
    meta: storage.meta,
    timeZone: deps.identity.timeZone,
    settleSamples: deps.past.heard.settle,
    log,
  });
  stops.add('the accounts of energy', energy.stop);
  stops.add('the device of energy', await startEnergyDevice({ ...deps, energy, log }));
  return energy;
}

function wayThrough({ findIntegration, statusOf }: Supervisor, id: string): CommandWay | undefined {
  const integration = findIntegration(id);
  if (integration === undefined) return undefined;
  const { sendCommand: send, sendGroup, findGroups, answersLater, pace = USUAL_PACE } = integration;
  const alone = { isUp: () => statusOf(id).state === 'connected', send, answersLater };
  if (sendGroup === undefined) return { ...alone, pace };
  return findGroups === undefined ? { ...alone, sendGroup } : { ...alone, sendGroup, findGroups, pace };
}

const UPKEEP_MS = 3_600_000;

type UpkeepDeps = Pick<HubContext, 'storage' | 'hubClock' | 'startTimer' | 'log' | 'stops'> & {
  readonly people: Pick<People, 'accounts' | 'sessions' | 'apiTokens' | 'requestKeys'>;
  readonly notification: Pick<HubNotifications, 'notifications'>;
  readonly automations: Pick<AutomationRegistry, 'upkeep' | 'review'>;
  readonly energy: Pick<Energy, 'settle'>;
};

/** Tidies up now and every hour. */
function startUpkeep(deps: UpkeepDeps): void {
  const { storage, hubClock, people, automations, energy, log } = deps;
  const attempt = (what: string, work: Promise<unknown>): void => {
    work.catch((cause: unknown) => log.error(`${what} failed`, { cause }));
  };
  const upkeep = (): void => {
    attempt('writing down sessions', people.sessions.upkeep());
    attempt('writing down uses of API tokens', people.apiTokens.upkeep());
    attempt('forgetting keys of requests', people.requestKeys.upkeep());
    attempt('removing old notifications', deps.notification.notifications.upkeep());
    attempt('removing automations from the trash', automations.upkeep());
    // People may end without an event.
    automations.review();
    // The watch for whole hours says nothing while only a person has set the clock.
    attempt('settling the hours of energy', energy.settle());
    if (hubClock.isSynced()) attempt('removing records that were set aside', storage.aside.forget(hubClock.nowMs()));
    // A backup without an owner could not be restored.
    if (people.accounts.hasOwner()) attempt('the daily backup', storage.backups.makeDailyIfDue(hubClock.nowMs()));
  };
  upkeep();
  deps.stops.add('the hourly upkeep', repeat(deps.startTimer, UPKEEP_MS, upkeep));
}
