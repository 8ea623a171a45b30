import { HubError } from '#base/hub-error.ts';
import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceReports } from '#core/device/device-registry.ts';
import type { IntegrationStatus } from '#core/event/event.ts';
import { createDeviceIntake, type DeviceIntakeDeps } from './device-intake.ts';
import type { DeviceSink, Integration } from './integration.ts';
import { rationReports } from './report-rations.ts';
import type { SafeMode } from './safe-mode.ts';
import { createStatusBoard, type StatusBoard } from './status-board.ts';

/** One integration, for the API and for health. */
export type IntegrationReport = {
  readonly id: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  /** Number of devices that are reached through it. */
  readonly devices: number;
};

export type Supervisor = {
  /** Starts every integration that is on. Each runs until `stop`. To be called once. */
  readonly start: () => void;
  /**
   * Ends one and, if it is on, starts it again with its present settings. Resolves when the old run has ended, or after
   * 2 s. The new run starts only after the old one has ended.
   */
  readonly restart: (id: string) => Promise<void>;
  /** Ends every integration. Resolves when all have ended, at the latest after 2 s. */
  readonly stop: () => Promise<void>;
  /** In the order of `integrations`. */
  readonly reports: () => readonly IntegrationReport[];
  readonly findIntegration: (id: string) => Integration | undefined;
  readonly statusOf: (id: string) => IntegrationStatus;
};

export type SupervisorDeps = {
  readonly integrations: readonly Integration[];
  /** Whether the integration should run. Called right before it would start. */
  readonly isOn: (integration: string) => boolean;
  readonly safeMode: Pick<SafeMode, 'holds' | 'beforeTaking'>;
  /** Where an integration reports its devices. The supervisor adds limits and status. */
  readonly sinkOf: (
    integration: string,
  ) => DeviceReports &
    Pick<DeviceSink, 'reportCommandAcknowledged' | 'reportCommandFailure' | 'reportPairing'> &
    Pick<DeviceIntakeDeps, 'offerRoom'>;
  readonly devicesOf: (integration: string) => readonly Pick<Device, 'externalId'>[];
  /** Called after each change of state or error. */
  readonly onStatus: (integration: string, status: IntegrationStatus) => void;
  /** Number of events so far; a large event counts as several. */
  readonly eventVolume: () => number;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
};

const STOP_WITHIN_MS = 2000;
const RESTART_DELAYS = { minMs: 1000, maxMs: 60_000 };

const SAFE_MODE = {
  code: 'SAFE_MODE',
  message:
    'The hub died twice within two minutes of taking data from this integration, so it does not start by itself. Repair or remove the source of the data, then start the integration again here',
};

type Run = { readonly end: AbortController; readonly ended: Promise<void> };

/** Keeps the integrations that are on running. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { integrations } = deps;
  const board = createStatusBoard(deps);
  const runner = createIntegrationRunner({ ...deps, board });
  /** The last run of each, until it has ended. */
  const runs = new Map<Integration, Run>();
  let isStopping = false;

  const run = async (integration: Integration, signal: AbortSignal, last: Run | undefined): Promise<void> => {
    if (last !== undefined) await last.ended;
    if (signal.aborted) return;
    const { id } = integration;
    const isOn = deps.isOn(id);
    const isHeld = isOn && deps.safeMode.holds(id);
    if (last !== undefined || !isOn || isHeld) {
      runner.showDevicesUnknown(integration, isOn ? 'integration_down' : 'integration_off');
    }
    if (isHeld) board.setStatus(id, 'error', SAFE_MODE);
    else if (isOn) await runner.keepRunning(integration, signal);
    else board.setOff(id);
  };

  const start = (integration: Integration, last?: Run): void => {
    const end = new AbortController();
    const ended = run(integration, end.signal, last).finally(() => {
      if (runs.get(integration)?.end === end) runs.delete(integration);
    });
    runs.set(integration, { end, ended });
  };

  const endWithin = async (ending: readonly Run[]): Promise<void> => {
    for (const { end } of ending) end.abort();
    const allEnded = new AbortController();
    const bound = waitMs(STOP_WITHIN_MS, deps.startTimer, allEnded.signal);
    await Promise.race([Promise.allSettled(ending.map(({ ended }) => ended)).then(() => allEnded.abort()), bound]);
  };

  const findIntegration = (id: string): Integration | undefined =>
    integrations.find((integration) => integration.id === id);

  return {
    start: () => {
      for (const integration of integrations) start(integration);
    },
    restart: async (id) => {
      const integration = findIntegration(id);
      if (integration === undefined || isStopping) return;
      const last = runs.get(integration);
      start(integration, last);
      if (last !== undefined) await endWithin([last]);
    },
    stop: async () => {
      isStopping = true;
      await endWithin([...runs.values()]);
      for (const { id } of runs.keys()) deps.log.warn(`${id} did not stop in time`);
    },
    reports: () =>
      integrations.map((integration) => ({
        id: integration.id,
        name: integration.name,
        status: board.statusOf(integration.id),
        devices: deps.devicesOf(integration.id).length,
      })),
    findIntegration,
    statusOf: board.statusOf,
  };
}

/** Runs an integration and restarts it after failures. Its state goes to the status board. */
type IntegrationRunner = {
  /** Runs it until the signal aborts. After a failure the status says so, and it starts again after growing delays. */
  readonly keepRunning: (integration: Integration, signal: AbortSignal) => Promise<void>;
  /** Reports its devices as unknown, because it no longer can. When it runs again it reports each device anew. */
  readonly showDevicesUnknown: (integration: Integration, reason: string) => void;
};

type RunnerDeps = Pick<
  SupervisorDeps,
  'sinkOf' | 'devicesOf' | 'eventVolume' | 'safeMode' | 'clock' | 'startTimer' | 'random' | 'log'
> & {
  readonly board: StatusBoard;
};

function createIntegrationRunner(deps: RunnerDeps): IntegrationRunner {
  const { board, clock, log, safeMode } = deps;

  const runOnce = async (integration: Integration, signal: AbortSignal): Promise<void> => {
    // Each run has its own signal, so that a failed run cleans up and its late reports are ignored.
    const run = new AbortController();
    const endRun = (): void => run.abort();
    signal.addEventListener('abort', endRun, { once: true });
    const { id, name } = integration;
    const reports = deps.sinkOf(id);
    const setFault: StatusBoard['setFault'] = (of, fault) => {
      if (!run.signal.aborted) board.setFault(of, fault);
    };
    board.setFault(id, null);
    board.setStatus(id, 'connecting', null);
    const rationed = rationReports(
      {
        ...reports,
        ...createDeviceIntake({
          name,
          reports,
          offerRoom: reports.offerRoom,
          beforeTaking: () => safeMode.beforeTaking(id),
          setFault: (fault) => setFault(id, fault),
          log,
        }),
        externalIds: () => deps.devicesOf(id).map(({ externalId }) => externalId),
        reportStatus: (state, error) => {
          if (!run.signal.aborted) board.setStatus(id, state, error);
        },
      },
      { ...deps, monotonicMs: clock.monotonicMs },
    );
    try {
      const marking = safeMode.beforeTaking(id);
      if (marking !== undefined) await marking;
      await integration.run(rationed.sink, run.signal);
      if (!run.signal.aborted) throw new Error('it ended by itself');
    } finally {
      rationed.stop();
      endRun();
      signal.removeEventListener('abort', endRun);
    }
  };

  const showDevicesUnknown = ({ id }: Integration, reason: string): void => {
    const sink = deps.sinkOf(id);
    for (const { externalId } of deps.devicesOf(id)) sink.reportAvailability(externalId, 'unknown', reason);
  };

  const keepRunning = async (integration: Integration, signal: AbortSignal): Promise<void> => {
    const delays = createRetryDelays(RESTART_DELAYS, deps.random);
    while (!signal.aborted) {
      const startedMs = clock.monotonicMs();
      try {
        await runOnce(integration, signal);
      } catch (cause) {
        if (signal.aborted) {
          log.warn(`${integration.id} failed while stopping`, { cause });
          return;
        }
        // An integration that ran for long had recovered, so this fault is a new one.
        if (clock.monotonicMs() - startedMs > RESTART_DELAYS.maxMs) delays.reset();
        const restartInMs = delays.nextMs();
        log.error(`${integration.id} failed`, { restart_in_ms: restartInMs, cause });
        board.setStatus(integration.id, 'error', describeFault(cause));
        showDevicesUnknown(integration, 'integration_down');
        await waitMs(restartInMs, deps.startTimer, signal);
      }
    }
  };

  return { keepRunning, showDevicesUnknown };
}

/** Clients get only the text of a HubError, which was written for them. The log has the rest. */
function describeFault(cause: unknown): { code: string; message: string } {
  if (cause instanceof HubError) return { code: cause.code, message: cause.message };
  return { code: 'INTEGRATION_FAILED', message: 'The integration failed and will be started again.' };
}
