import { createRandomFractions } from '#base/random.ts';
import { type SafeMode, servedInstance } from '#base/safe-mode/safe-mode.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { type Config, secretsFolder } from '#config/config.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import { createDeviceCalls, type DeviceCalls } from '#integrations/instances/device-calls.ts';
import { createInstanceMaker } from '#integrations/instances/instance-ports.ts';
import type { InstanceEvent } from '#integrations/instances/instance-parts.ts';
import { type Instances, openInstances } from '#integrations/instances/instances.ts';
import { createMqttLinks, type MqttLinks } from '#integrations/mqtt-links.ts';
import type { InstanceGuard } from '#integrations/integration-runner.ts';
import { createSupervisor, type Supervisor, type SupervisorDeps } from '#integrations/supervisor.ts';
import { KINDS } from '#integrations/table.ts';
import { createWebSocketAcceptor } from '#lan/client/accept-web-socket.ts';
import { createConnector } from '#hub/connector.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { People } from '#hub/hub-people.ts';
import { createHomePort, createInstanceTokens, homeRules } from './home-port.ts';
import { createSharedPrograms } from './shared-programs.ts';
import { createHubHosts, createNetworkOpener, type OpenNetwork } from './network-ports.ts';
import { createPairingBoard, type PairingBoard } from './pairing-board.ts';
import { createRoomOffers } from './room-offers.ts';
import { isOptionKey, type OptionKey, optionOf } from '#config/option-table.ts';
import type { JsonValue } from '#base/json.ts';
import type { FixedInstance, FixedValue } from '#integrations/instances/instance-view.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncToDisk, writeDurably } from '#base/durable-file.ts';
import { errnoOf } from '#base/errno.ts';
import type { KeptFile } from '#integrations/ports.ts';

/** The ways to reach devices, with what was set for them. */
export type Integrations = {
  readonly instances: Instances;
  readonly supervisor: Supervisor;
  readonly links: MqttLinks;
  readonly openNetwork: OpenNetwork;
  readonly calls: DeviceCalls;
  readonly pairings: PairingBoard;
  /** Starts every instance that is on. Call it once, when everything that integrations report to is there. */
  readonly start: () => Promise<void>;
};

type IntegrationsDeps = HubContext & {
  readonly people: Pick<People, 'accounts' | 'apiTokens' | 'audit'>;
  readonly devices: DeviceRegistry;
  readonly rooms: RoomRegistry;
  readonly commands: Pick<CommandService, 'accept' | 'reportFailure' | 'reportAcknowledgement'>;
};

/** Ids that devices of the hub itself have as their integration. */
const RESERVED_IDS = ['group', 'energy'];

/** Opens the instances and what they share; none of them runs before `start`. */
export async function openIntegrations(deps: IntegrationsDeps): Promise<Integrations> {
  const { clock, startTimer, config, storage, stops, devices, rooms, people } = deps;
  const { accounts, apiTokens, audit } = people;
  const safeMode = guardOf(deps.safeMode);
  const log = deps.log.part('integrations');
  const random = createRandomFractions(deps.random);
  const openNetwork = createNetworkOpener(deps);
  const links = createMqttLinks(startTimer);
  const calls = createDeviceCalls({ accept: createWebSocketAcceptor(startTimer), clock, startTimer, log });
  const joinProgram = createSharedPrograms({ ...deps, random, log: deps.log });
  const files = createKeptFiles(config.stateDir);
  const pairings = createPairingBoard(deps);
  const statusOf = createConnector<Parameters<Supervisor['statusOf']>, IntegrationStatus>();
  const instances = await openInstances({
    kinds: KINDS,
    store: storage.integrations,
    secrets: createSecretFiles(secretsFolder(config)),
    tokens: createInstanceTokens(people),
    fixed: fixedInstances(config, KINDS),
    rules: { ...deps, home: homeRules({ rooms, devices, apiTokens }) },
    reservedIds: RESERVED_IDS,
    isConnected: (id) => statusOf.call(id).state === 'connected',
    clock,
    log,
  });
  const supervisor = createSupervisor({
    instances: instances.list,
    findInstance: instances.find,
    linksOf: instances.linksOf,
    create: createInstanceMaker({
      instances,
      store: storage.integrations,
      links,
      awaitCalls: calls.awaitCalls,
      openNetwork: (instance, signal) => openNetwork(createHubHosts(instance), signal),
      isOwnAddress: deps.isOwnAddress,
      joinProgram,
      lanAddresses: deps.lanAddresses,
      openFile: files.open,
      home: createHomePort({
        ...deps,
        accounts,
        apiTokens,
        audit,
        kindOf: (id) => instances.kindOf(id)?.id,
        uniqueIdOf: (id) => instances.find(id)?.uniqueId ?? undefined,
        integrationOf: (kind) => instances.list().find((one) => one.kind === kind)?.id,
        log,
      }),
      knownDevices: (id) => devices.devicesOf(id).map(({ externalId }) => externalId),
      knownFeatures: (id, externalId) => devices.findByExternalId(id, externalId)?.features ?? [],
      noteOf: safeMode.noteOf,
      logOf: deps.log.part,
      clock,
      startTimer,
      random,
    }),
    safeMode,
    sinkOf: createSinks({ ...deps, log }),
    devicesOf: devices.devicesOf,
    onStatus: createStatusNote({ ...deps, instances, log }),
    eventVolume: deps.events.volume,
    clock,
    startTimer,
    random,
    log,
  });
  statusOf.connect(supervisor.statusOf);
  stops.add('integrations', supervisor.stop);
  stops.add('calls of devices', calls.stop);
  const parts = { ...deps, instances, supervisor, files };
  const start = async (): Promise<void> => {
    instances.follow((change) => carryOut(parts, change));
    await instances.finishRemovals();
    // From here on clients learn of changes. They know already of removals that an earlier run began.
    instances.follow((change) => carryOutAndSay(parts, change));
    supervisor.start();
  };
  return { instances, supervisor, links, openNetwork, calls, pairings, start };
}

type ChangedParts = Pick<Integrations, 'instances' | 'supervisor'> &
  Pick<IntegrationsDeps, 'devices' | 'events' | 'safeMode'> & { readonly files: KeptFiles };

/** Carries a change of an instance out on its run and its devices. */
async function carryOut(parts: ChangedParts, change: InstanceEvent): Promise<void> {
  const { supervisor, safeMode, devices, files } = parts;
  if (change.type === 'changed' && isTakenRunning(parts, change.id)) return undefined;
  if (change.type !== 'removed') return change.needsRestart ? supervisor.restart(change.id) : undefined;
  await supervisor.restart(change.id);
  await safeMode.release(servedInstance(change.id));
  // A kind with a file has one instance, which has the id of the kind.
  const file = KINDS.find(({ id }) => id === change.id)?.file;
  if (file !== undefined) await files.remove(file);
  await devices.removeDevicesOf(change.id, { forget: change.devices === 'remove' });
}

/** Whether the run that there is takes the change, so that it need not end. */
function isTakenRunning({ instances, supervisor }: ChangedParts, id: string): boolean {
  const shown = instances.find(id);
  const instance = instances.instanceOf(id);
  if (instance === undefined || shown?.enabled.value !== true || shown.problem !== null) return false;
  return supervisor.findIntegration(id)?.takeSettings?.(instance) === true;
}

async function carryOutAndSay(parts: ChangedParts, change: InstanceEvent): Promise<void> {
  const { instances, supervisor, events } = parts;
  const { type, id: integration } = change;
  const added = type === 'added' ? instances.find(integration) : undefined;
  if (added !== undefined) {
    const { kind, name } = added;
    events.append({ type: 'integration.added', integration, kind, name, status: supervisor.statusOf(integration) });
  }
  await carryOut(parts, change);
  if (type === 'removed') events.append({ type: 'integration.removed', integration });
  // Its name or settings changed: the status need not have.
  if (type === 'changed') {
    events.append({ type: 'integration.changed', integration, status: supervisor.statusOf(integration) });
  }
}

/** Makes the place to which an instance reports its devices. */
function createSinks(
  deps: Pick<IntegrationsDeps, 'devices' | 'rooms' | 'events' | 'commands' | 'log'>,
): SupervisorDeps['sinkOf'] {
  const { devices, events, commands } = deps;
  const offerRoom = createRoomOffers(deps);
  return (integration) => ({
    ...devices.reportsOf(integration),
    offerRoom: (externalId, roomName) => offerRoom(integration, externalId, roomName),
    reportCommandFailure: (externalId, keys, reason) =>
      commands.reportFailure(integration, externalId, { keys, reason }),
    reportCommandAcknowledged: (externalId, keys, evidence) =>
      commands.reportAcknowledgement(integration, externalId, { keys, evidence }),
    reportPairing: (progress) => {
      const device =
        progress.externalId === null ? undefined : devices.findByExternalId(integration, progress.externalId);
      events.append({ type: 'pairing.changed', integration, pairing: { ...progress, deviceId: device?.id ?? null } });
    },
  });
}

/** Failures in which nothing at the address answered. */
const NOBODY_THERE = new Set(['BROKER_OFF', 'CONNECTION_REFUSED', 'UNKNOWN_HOST', 'UNREACHABLE', 'TIMEOUT']);

/** Tells clients, and remembers what answered once: only that is reported as missing later. */
function createStatusNote({
  events,
  instances,
  log,
}: Pick<IntegrationsDeps, 'events' | 'log'> & Pick<Integrations, 'instances'>) {
  return (integration: string, status: IntegrationStatus): void => {
    events.append({ type: 'integration.changed', integration, status });
    const { state, error } = status;
    const isAnswer = state === 'error' && !NOBODY_THERE.has(error?.code ?? '');
    // What has been connected is never taken for the instance that waits to be set up, also if only its broker is fixed.
    const isUse = state === 'connected' || (isAnswer && instances.find(integration)?.isChosen === false);
    if (!isUse) return;
    instances.noteUse(integration).catch((cause: unknown) => {
      log.warn('the fact that an integration answered could not be stored', { integration, cause });
    });
  };
}

function guardOf({ holds, note }: SafeMode): InstanceGuard {
  return {
    holds: (id) => holds(servedInstance(id)),
    noteOf: (id) => {
      const served = servedInstance(id);
      return () => note(served);
    },
  };
}

/** Lists what the configuration fixes of the first instance of each kind. */
export function fixedInstances(config: Config, kinds: readonly IntegrationKind[]): readonly FixedInstance[] {
  return kinds.flatMap((kind) => {
    const options = Object.entries(kind.config ?? {}).flatMap(([field, key]) => {
      const fixed = key === undefined || !isOptionKey(key) ? undefined : fixedValue(config, key);
      return fixed === undefined ? [] : [[field, fixed] as const];
    });
    const settings = Object.fromEntries(options.filter(([field]) => field !== 'enabled'));
    const enabled = enabledFrom(options);
    if (enabled === null && Object.keys(settings).length === 0) return [];
    return [{ id: kind.firstId ?? kind.id, kind: kind.id, enabled, settings }];
  });
}

function fixedValue({ values, sources }: Config, key: OptionKey): FixedValue | undefined {
  const source = sources[key];
  if (source.kind === 'default') return undefined;
  // The path of the file is left out, because the API shows this text.
  const by =
    source.kind === 'file' ? `${key} in the configuration file` : `${optionOf(key).variable} in the environment`;
  return { value: values[key] as JsonValue, by };
}

/** An option that says `off` switches the instance off; one that puts it there switches it on. */
function enabledFrom(options: readonly (readonly [field: string, fixed: FixedValue])[]): FixedInstance['enabled'] {
  const off = options.find(([, { value }]) => value === null);
  if (off !== undefined) return { value: false, by: off[1].by };
  const there = options.find(([field, { value }]) => field === 'enabled' && value === true);
  return there === undefined ? null : { value: true, by: there[1].by };
}

type KeptFiles = ReturnType<typeof createKeptFiles>;

const OWNER_ONLY = 0o600;

/** Keeps files of integrations beside the database. They are in no backup. */
function createKeptFiles(stateDir: string) {
  const pathOf = (name: string): string => join(stateDir, name);
  return {
    /** The file that a kind names in its manifest. */
    open: (name: string): KeptFile => {
      const path = pathOf(name);
      return {
        read: async () => {
          try {
            return await readFile(path, 'utf8');
          } catch (cause) {
            if (errnoOf(cause) === 'ENOENT') return undefined;
            throw cause;
          }
        },
        write: async (text) => {
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await writeDurably(path, Buffer.from(text), OWNER_ONLY);
        },
        setAside: async () => {
          await rename(path, `${path}.damaged`);
          await syncToDisk(dirname(path));
        },
      };
    },
    /** Does nothing where there is none. */
    remove: async (name: string): Promise<void> => {
      const path = pathOf(name);
      for (const one of [path, `${path}.damaged`]) await rm(one, { force: true });
    },
  };
}
