import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { Runnable } from '#integrations/integration-runner.ts';
import { createSupervisor } from '#integrations/supervisor.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

type Run = { readonly sink: DeviceSink; readonly signal: AbortSignal; readonly fail: (cause: unknown) => void };

type Fake = { readonly id: string; readonly integration: Integration; readonly runs: Run[] };

/** An integration that the test controls: it runs until aborted, or until the test makes it fail. */
export function createFakeIntegration(id: string, stops = true): Fake {
  const runs: Run[] = [];
  return {
    id,
    runs,
    integration: {
      run: (sink, signal) =>
        new Promise((resolve, reject) => {
          runs.push({ sink, signal, fail: reject });
          if (stops) signal.addEventListener('abort', () => resolve());
        }),
      sendCommand: () => Promise.resolve('transport_ack'),
    },
  };
}

export function createHarness(...fakes: readonly Pick<Fake, 'id' | 'integration'>[]) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const statuses: [string, IntegrationStatus][] = [];
  const availabilities: string[] = [];
  const present = new Map<string, Runnable>();
  const put = (id: string, enabled = true, problem: Runnable['problem'] = null): void => {
    present.set(id, { id, name: id.toUpperCase(), enabled: { value: enabled, fixedBy: null }, problem });
  };
  for (const { id } of fakes) put(id);
  const links = new Map<string, readonly string[]>();
  const broken = new Set<string>();
  const held = new Set<string>();
  const taken: string[] = [];
  const listed: (readonly string[])[] = [];
  const values: JsonValue[] = [];
  const ignore = (): void => undefined;
  const supervisor = createSupervisor({
    instances: () => [...present.values()],
    findInstance: (id) => present.get(id),
    linksOf: (id) => links.get(id) ?? [],
    create: async (id) => {
      const fake = fakes.find((one) => one.id === id);
      if (fake === undefined || broken.has(id)) throw new HubError('INTEGRATION_DOWN', 'It cannot be loaded.');
      return fake.integration;
    },
    safeMode: {
      holds: (id) => held.has(id),
      noteOf: (id) => () => void taken.push(id),
    },
    sinkOf: () => ({
      openGauge: () => Promise.resolve(() => null),
      syncDevices: async (devices) => {
        listed.push(devices.map(({ externalId }) => externalId));
        return { refusal: null, tooLarge: [] };
      },
      describeDevice: async ({ externalId }) => {
        listed.push([externalId]);
        return { refusal: null, tooLarge: [] };
      },
      removeDevice: () => Promise.resolve(),
      reportValues: (_externalId, reported) => values.push(...reported.values()),
      reportKeptValues: ignore,
      reportStale: ignore,
      reportRefused: ignore,
      reportOccurrence: ignore,
      reportAvailability: (externalId, state, reason) => availabilities.push(`${externalId} ${state} ${reason}`),
      reportSeen: ignore,
      offerRoom: ignore,
      reportCommandFailure: ignore,
      reportCommandAcknowledged: ignore,
      reportPairing: ignore,
    }),
    devicesOf: (id) => (id === 'a' ? [{ externalId: 'lamp' }, { externalId: 'plug' }] : []),
    onStatus: (id, status) => statuses.push([id, status]),
    eventVolume: () => values.length,
    clock: time.clock,
    startTimer: time.startTimer,
    random: () => 1,
    log,
  });
  return {
    supervisor,
    time,
    lines,
    statuses,
    availabilities,
    present,
    put,
    links,
    broken,
    held,
    taken,
    listed,
    values,
  };
}
