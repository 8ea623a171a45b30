import { systemClock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import type { CommandWay } from '#core/command/command-way.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import { LEASE_S } from '#core/provider/provider.ts';
import type { ProviderDirectory } from '#http/provider/directory.ts';
import type { ShownProvider } from '#http/provider/json.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { createProvider } from '#integrations/provider/provider.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';

export type TestProviders = ProviderDirectory & {
  /** `undefined` for an id that is no provider. */
  readonly wayOf: (id: string) => CommandWay | undefined;
  readonly switchOff: (name: string) => void;
};

type TestProvidersDeps = {
  readonly registry: DeviceRegistry;
  readonly commands: () => Pick<CommandService, 'reportFailure' | 'reportAcknowledgement'>;
};

/** Real providers over a real registry, without a database. The id `zigbee2mqtt` is taken. */
export function createTestProviders({ registry, commands }: TestProvidersDeps): TestProviders {
  const providers = new Map<string, ShownProvider & { readonly run: ReturnType<typeof startRun> | undefined }>();
  const startRun = (id: string, name: string, leaseS: number) => {
    const { log } = createRecordingLog();
    const made = createProvider(
      { name, settings: { lease_s: leaseS } },
      {
        clock: systemClock,
        startTimer: startSystemTimer,
        random: Math.random,
        knownDevices: () => registry.devicesOf(id).map(({ externalId }) => externalId),
        log,
      },
    );
    const reports = registry.reportsOf(id);
    const run: { status: IntegrationStatus } = { status: { state: 'off', sinceMs: 0, error: null } };
    const sink: DeviceSink = {
      ...createRecordingSink(),
      ...reports,
      openList: async () => () => true,
      syncDevices: async (devices) => (await reports.syncDevices(devices)).refusal === null,
      describeDevice: async (device) => (await reports.describeDevice(device)).refusal === null,
      reportStatus: (state, error) => void (run.status = { state, sinceMs: 0, error }),
      reportCommandFailure: (externalId, keys, reason) => commands().reportFailure(id, externalId, { keys, reason }),
      reportCommandAcknowledged: (externalId, keys, evidence) =>
        commands().reportAcknowledgement(id, externalId, { keys, evidence }),
    };
    const end = new AbortController();
    void made.run(sink, end.signal);
    return { ...made, end, statusOf: () => run.status };
  };
  const noProvider = (): HubError => new HubError('NOT_FOUND', 'There is no such provider.');
  return {
    find: (name) => {
      const found = providers.get(name);
      const devices = registry.devicesOf(name).length;
      return found && { ...found, status: found.run?.statusOf() ?? found.status, devices };
    },
    put: async (id, change, { authorize }) => {
      authorize();
      if (id === 'zigbee2mqtt') throw new HubError('NAME_TAKEN', 'Another integration has this id.');
      const old = providers.get(id);
      old?.run?.end.abort();
      const name = change.name ?? old?.name ?? id;
      const leaseS = change.leaseS ?? old?.leaseS ?? LEASE_S.usual;
      const run = startRun(id, name, leaseS);
      providers.set(id, { id, name, leaseS, status: run.statusOf(), devices: 0, run });
    },
    remove: async (name, { authorize }) => {
      authorize();
      if (!providers.has(name)) throw noProvider();
      providers.get(name)?.run?.end.abort();
      providers.delete(name);
    },
    doorOf: (name) => {
      const found = providers.get(name);
      if (found === undefined) throw noProvider();
      if (found.run === undefined) throw new HubError('INTEGRATION_DOWN', 'The provider does not run.');
      return found.run.provider;
    },
    wayOf: (id) => {
      const run = providers.get(id)?.run;
      return run && { isUp: () => run.statusOf().state === 'connected', send: run.sendCommand };
    },
    switchOff: (name) => {
      const found = providers.get(name);
      if (found === undefined) return;
      found.run?.end.abort();
      providers.set(name, { ...found, run: undefined });
    },
  };
}
