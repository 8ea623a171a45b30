import type { Log } from '#base/log.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { type Config, secretsFolder } from '#config/config.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import type { Integration } from '#integrations/integration.ts';
import { openSafeMode, type SafeMode, type SafeModeDeps } from '#integrations/safe-mode.ts';
import { createSimulatedHome } from '#integrations/simulated-home/simulated-home.ts';
import { createSupervisor, type Supervisor } from '#integrations/supervisor.ts';
import type { Storage } from '#storage/storage.ts';
import { type BrokerSettings, openBrokerSettings } from './broker-settings.ts';
import { createBrokeredZigbee2mqtt } from './brokered-zigbee2mqtt.ts';
import { createRoomOffers } from './room-offers.ts';
import { type BrokerReach, openBrokerReach } from './kept-broker.ts';

/** The ways to reach devices, with what was set for them. */
export type Integrations = {
  readonly supervisor: Supervisor;
  readonly broker: BrokerSettings;
  readonly brokerReach: BrokerReach;
  readonly safeMode: SafeMode;
};

export type IntegrationsDeps = {
  readonly config: Config;
  readonly storage: Pick<Storage, 'meta'>;
  readonly clock: Clock;
  readonly bootId: string;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  readonly devices: DeviceRegistry;
  readonly rooms: RoomRegistry;
  readonly events: EventLog;
  readonly commands: Pick<CommandService, 'reportFailure' | 'reportAcknowledgement'>;
};

/** Starts every integration that is on. */
export async function startIntegrations(deps: IntegrationsDeps, stops: StopList): Promise<Integrations> {
  const { clock, startTimer, config, devices, events } = deps;
  const log = deps.log.part('integrations');
  const random = createRandomFractions(deps.random);
  const secrets = createSecretFiles(secretsFolder(config));
  const broker = await openBrokerSettings(config, { meta: deps.storage.meta, secrets, log });
  const brokerReach = await openBrokerReach({ meta: deps.storage.meta, log });
  const settings = broker.current;
  const zigbee2mqtt = createBrokeredZigbee2mqtt({
    settings,
    clock,
    startTimer,
    random,
    log: deps.log.part('zigbee2mqtt'),
  });
  const simulatedHome = (): Integration => {
    const id = 'simulated-home';
    const knownDevices = (): readonly string[] => devices.devicesOf(id).map(({ externalId }) => externalId);
    const ports = { clock, startTimer, random, log: deps.log.part(id), knownDevices };
    return createSimulatedHome({ id, name: 'Simulated home' }, ports);
  };
  const simulated = config.simulate ? [simulatedHome()] : [];
  const safeMode = await openSafeMode({ ...deps, file: safeModeFile(config), log });
  const offerRoom = createRoomOffers({ ...deps, log });
  const supervisor = createSupervisor({
    integrations: [zigbee2mqtt, ...simulated],
    isOn: (integration) => integration !== zigbee2mqtt.id || broker.isOn(),
    safeMode,
    sinkOf: (integration) => ({
      ...devices.reportsOf(integration),
      offerRoom: (externalId, roomName) => offerRoom(integration, externalId, roomName),
      reportCommandFailure: (externalId, keys, reason) =>
        deps.commands.reportFailure(integration, externalId, { keys, reason }),
      reportCommandAcknowledged: (externalId, keys, evidence) =>
        deps.commands.reportAcknowledgement(integration, externalId, { keys, evidence }),
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
  // Stopped before the integrations: what they do while they end is no reason to keep them off at the next start.
  stops.add('safe mode', safeMode.stop);
  return { supervisor, broker, brokerReach, safeMode };
}

/** Beside the database and in no backup: a restored one knows nothing of how this process ended. */
function safeModeFile({ stateDir }: Config): SafeModeDeps['file'] {
  const files = createSecretFiles(stateDir);
  const name = 'safe-mode.json';
  return { read: () => files.read(name), write: (bytes) => files.write(name, bytes), remove: () => files.remove(name) };
}
