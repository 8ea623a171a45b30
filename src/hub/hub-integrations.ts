import { createRandomFractions } from '#base/random.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import type { StopList } from '#base/stop-list.ts';
import { secretsFolder } from '#config/config.ts';
import type { CommandWay } from '#core/command/command-sender.ts';
import { createCommandService } from '#core/command/command-service.ts';
import type { IntegrationDirectory } from '#http/integration/directory.ts';
import type { Integration } from '#integrations/integration.ts';
import { createHousehold } from '#integrations/simulated-home/household.ts';
import { furnishRooms } from '#integrations/simulated-home/rooms.ts';
import { createSimulatedHome, SIMULATED_HOME } from '#integrations/simulated-home/simulated-home.ts';
import { openSafeMode, type SafeModeDeps } from '#integrations/safe-mode.ts';
import { createSupervisor, type Supervisor } from '#integrations/supervisor.ts';
import { createZigbee2mqtt } from '#integrations/zigbee2mqtt/zigbee2mqtt.ts';
import { openBrokerSettings } from './broker-settings.ts';
import { openBrokerReach } from './kept-broker.ts';
import type { Hub, HubDeps } from './hub.ts';

type Parts = Pick<Hub, 'devices' | 'rooms' | 'events'> & { readonly newId: () => string };

/** The ways to reach devices, running, and the commands that go over them. */
export async function startIntegrations(
  deps: HubDeps,
  parts: Parts,
  stops: StopList,
): Promise<Pick<Hub, 'supervisor' | 'commands' | 'broker' | 'brokerReach' | 'safeMode'>> {
  const { clock, startTimer, config } = deps;
  const { devices, events, newId } = parts;
  const log = deps.log.part('integrations');
  const random = createRandomFractions(deps.random);
  const secrets = createSecretFiles(secretsFolder(config));
  const broker = await openBrokerSettings(config, { meta: deps.storage.meta, secrets, log });
  const brokerReach = await openBrokerReach({ meta: deps.storage.meta, log });
  const settings = broker.current;
  const zigbee2mqtt = createZigbee2mqtt({ settings, clock, startTimer, random, log: deps.log.part('zigbee2mqtt') });
  const integrations = [zigbee2mqtt, ...(config.simulate ? [startSimulatedHome(deps, parts, { stops, random })] : [])];
  const safeMode = await openSafeMode({ ...deps, file: safeModeFile(config), log });
  const commands = createCommandService({
    registry: devices,
    findWay: (id) => wayFrom(supervisor, id),
    emit: events.append,
    newId,
    clock,
    startTimer,
    log: deps.log.part('commands'),
  });
  const supervisor: Supervisor = createSupervisor({
    integrations,
    isOn: (integration) => integration !== zigbee2mqtt.id || broker.isOn(),
    safeMode,
    sinkOf: (integration) => ({
      ...devices.reportsOf(integration),
      reportCommandFailure: (externalId, keys, reason) =>
        commands.reportFailure(integration, externalId, { keys, reason }),
      reportPairing: (progress) => {
        const found =
          progress.externalId === null ? undefined : devices.findByExternalId(integration, progress.externalId);
        events.append({ type: 'pairing.changed', integration, pairing: { ...progress, deviceId: found?.id ?? null } });
      },
    }),
    devicesOf: (integration) => devices.devicesOf(integration),
    onStatus: (integration, status) => {
      if (integration === zigbee2mqtt.id) brokerReach.note(status);
      events.append({ type: 'integration.changed', integration, status });
    },
    eventVolume: events.volume,
    clock,
    startTimer,
    random,
    log,
  });
  supervisor.start();
  stops.add('integrations', supervisor.stop);
  // Before them, for whatever they do from now on is no reason not to start them again.
  stops.add('safe mode', safeMode.stop);
  events.subscribe((event) => {
    if (event.type === 'session.revoked' || event.type === 'api_token.revoked') commands.reviewRights();
  });
  stops.add('commands', commands.stop);
  return { supervisor, commands, broker, brokerReach, safeMode };
}

/** The integrations as the API asks for them. */
export function createIntegrationDirectory({
  supervisor,
  broker,
  brokerReach,
  safeMode,
}: Pick<Hub, 'supervisor' | 'broker' | 'brokerReach' | 'safeMode'>): IntegrationDirectory {
  const hasSettings = (id: string): boolean => id === 'zigbee2mqtt';
  return {
    reports: supervisor.reports,
    findIntegration: supervisor.findIntegration,
    isSetUp: ({ id, devices }) => !hasSettings(id) || devices > 0 || broker.isChosen() || brokerReach.wasReached(),
    settingsOf: (id) => (hasSettings(id) ? broker.shown() : undefined),
    changeSettings: async (id, change, given) => {
      if (await broker.change(change, given)) await supervisor.restart(id);
    },
    isInSafeMode: safeMode.holds,
    endSafeMode: async (id, { authorize }) => {
      authorize();
      await safeMode.release(id);
      await supervisor.restart(id);
    },
  };
}

/** Beside the database and in no backup: a restored one knows nothing of how this process ended. */
function safeModeFile({ stateDir }: HubDeps['config']): SafeModeDeps['file'] {
  const files = createSecretFiles(stateDir);
  const name = 'safe-mode.json';
  return { read: () => files.read(name), write: (bytes) => files.write(name, bytes), remove: () => files.remove(name) };
}

function startSimulatedHome(
  deps: HubDeps,
  { devices, rooms }: Pick<Parts, 'devices' | 'rooms'>,
  { stops, random }: { readonly stops: StopList; readonly random: () => number },
): Integration {
  const { clock, startTimer } = deps;
  stops.add(
    'rooms of the simulated home',
    furnishRooms({
      onChange: devices.onChange,
      updateDevice: devices.updateDevice,
      rooms: rooms.rooms,
      addRoom: rooms.addRoom,
      log: deps.log.part('integrations'),
    }),
  );
  const joined = devices.devicesOf(SIMULATED_HOME).map(({ externalId }) => externalId);
  const household = createHousehold({ clock, startTimer, random, joined });
  return createSimulatedHome({ household, clock, startTimer, log: deps.log.part('simulated-home') });
}

function wayFrom({ findIntegration, statusOf }: Supervisor, id: string): CommandWay | undefined {
  const integration = findIntegration(id);
  return integration && { isUp: () => statusOf(id).state === 'connected', send: integration.sendCommand };
}
