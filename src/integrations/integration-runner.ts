import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Device } from '#core/device/device.ts';
import type { ShownInstance } from '#core/integration/instance.ts';
import type { DeviceReports } from '#core/device/reports/integration-reports.ts';
import { createDeviceIntake, type DeviceIntakeDeps } from './device-intake.ts';
import type { DeviceSink, Integration } from './integration.ts';
import { rationReports } from './report-rations.ts';
import type { StatusBoard } from './status-board.ts';

export type Runnable = Pick<ShownInstance, 'id' | 'name' | 'enabled' | 'problem'>;

/** Safe mode, as far as it concerns instances. */
export type InstanceGuard = {
  /** It must not start before a person releases it. */
  readonly holds: (id: string) => boolean;
  /** To be called right before what a stranger sent is dealt with for it. */
  readonly noteOf: (id: string) => () => void;
};

export type RunnerDeps = Pick<Runtime, 'clock' | 'startTimer' | 'random' | 'log'> & {
  /** Loads the code of an instance and makes it with its present settings, for one run that ends with the signal. */
  readonly create: (id: string, signal: AbortSignal) => Promise<Integration>;
  readonly safeMode: InstanceGuard;
  /** Where an integration reports its devices. The supervisor adds limits and status. */
  readonly sinkOf: (
    integration: string,
  ) => DeviceReports &
    Pick<DeviceSink, 'reportCommandAcknowledged' | 'reportCommandFailure' | 'reportPairing'> &
    Pick<DeviceIntakeDeps, 'offerRoom'>;
  readonly devicesOf: (integration: string) => readonly Pick<Device, 'externalId'>[];
  /** Number of events so far; a large event counts as several. */
  readonly eventVolume: () => number;
  readonly board: StatusBoard;
  readonly running: Map<string, Integration>;
};

const RESTART_DELAYS = { minMs: 1000, maxMs: 60_000 };

/**
 * Runs an instance and restarts it after failures. Its state goes to the status board. What runs is in `running`, as
 * long as it does.
 */
export function createIntegrationRunner(deps: RunnerDeps) {
  const { board, clock, log, safeMode, running } = deps;

  const runOnce = async ({ id, name }: Runnable, signal: AbortSignal): Promise<void> => {
    // Each run has its own signal, so that a failed run cleans up and its late reports are ignored.
    const run = new AbortController();
    const rationed = openSink(deps, { id, name }, run.signal);
    // All of it right away: what hangs may end when the next run has long begun.
    const endRun = (): void => {
      if (run.signal.aborted) return;
      running.delete(id);
      rationed.stop();
      run.abort();
    };
    signal.addEventListener('abort', endRun, { once: true });
    board.setFault(id, null);
    board.setStatus(id, 'connecting', null);
    try {
      const integration = await deps.create(id, run.signal);
      if (run.signal.aborted) return;
      running.set(id, integration);
      safeMode.noteOf(id)();
      await integration.run(rationed.sink, run.signal);
      if (!run.signal.aborted) throw new Error('it ended by itself');
    } finally {
      endRun();
      signal.removeEventListener('abort', endRun);
    }
  };

  const showDevicesUnknown = (id: string, reason: string): void => {
    const sink = deps.sinkOf(id);
    for (const { externalId } of deps.devicesOf(id)) sink.reportAvailability(externalId, 'unknown', reason);
  };

  const keepRunning = async (instance: Runnable, signal: AbortSignal): Promise<void> => {
    const { id } = instance;
    const delays = createRetryDelays(RESTART_DELAYS, deps.random);
    while (!signal.aborted) {
      const startedMs = clock.monotonicMs();
      try {
        await runOnce(instance, signal);
      } catch (cause) {
        if (signal.aborted) {
          log.warn(`${id} failed while stopping`, { cause });
          return;
        }
        // An integration that ran for long had recovered, so this fault is a new one.
        if (clock.monotonicMs() - startedMs > RESTART_DELAYS.maxMs) delays.reset();
        const restartInMs = delays.nextMs();
        log.error(`${id} failed`, { restart_in_ms: restartInMs, cause });
        board.setStatus(id, 'error', describeFault(cause));
        showDevicesUnknown(id, 'integration_down');
        await waitMs(restartInMs, deps.startTimer, signal);
      }
    }
  };

  return {
    /** Runs it until the signal aborts. After a failure the status says so, and it starts again after growing delays. */
    keepRunning,
    /** Reports its devices as unknown, because it no longer can. When it runs again it reports each device anew. */
    showDevicesUnknown,
  };
}

const NOTHING_TAKEN = { refusal: null, tooLarge: [] };

/** Where one run reports: within the limits, and nothing any more once it has ended. */
function openSink(deps: RunnerDeps, { id, name }: Pick<Runnable, 'id' | 'name'>, signal: AbortSignal) {
  const { board, clock, log, safeMode } = deps;
  const reports = deps.sinkOf(id);
  const noteServed = safeMode.noteOf(id);
  const { sink, stop } = rationReports(
    {
      ...reports,
      reportValues: (...reported) => {
        noteServed();
        return reports.reportValues(...reported);
      },
      ...createDeviceIntake({
        name,
        // A run that does not end in time must not bring back the devices of an instance that was removed meanwhile.
        reports: {
          ...reports,
          syncDevices: async (devices) => (signal.aborted ? NOTHING_TAKEN : reports.syncDevices(devices)),
          describeDevice: async (device) => (signal.aborted ? NOTHING_TAKEN : reports.describeDevice(device)),
        },
        offerRoom: reports.offerRoom,
        noteServed,
        setFault: (fault) => (signal.aborted ? undefined : board.setFault(id, fault)),
        log,
      }),
      reportStatus: (state, error) => {
        if (!signal.aborted) board.setStatus(id, state, error);
      },
    },
    { ...deps, monotonicMs: clock.monotonicMs },
  );
  const reportLost: DeviceSink['reportLost'] = (...lost) => {
    for (const { externalId } of deps.devicesOf(id)) sink.reportAvailability(externalId, ...lost);
  };
  return { sink: { ...sink, reportLost }, stop };
}

/** Clients get only the text of a HubError, which was written for them. The log has the rest. */
function describeFault(cause: unknown): { code: string; message: string } {
  if (cause instanceof HubError) return { code: cause.code, message: cause.message };
  return { code: 'INTEGRATION_FAILED', message: 'The integration failed and will be started again.' };
}
