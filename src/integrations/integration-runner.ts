import { HubError } from '#base/hub-error.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import { createDeviceIntake } from './device-intake.ts';
import type { Integration } from './integration.ts';
import { rationReports } from './report-rations.ts';
import type { StatusBoard } from './status-board.ts';
import type { SupervisorDeps } from './supervisor.ts';

/** Lets one integration run at a time; what it has to tell of itself goes to the status board. */
export type IntegrationRunner = {
  /** Runs it until the signal aborts; one that fails is told so, and started again after growing delays. */
  readonly keepRunning: (integration: Integration, signal: AbortSignal) => Promise<void>;
  /** It cannot say so itself any more; once it runs again it reports each device anew. */
  readonly showDevicesUnknown: (integration: Integration, reason: string) => void;
};

type RunnerDeps = Pick<
  SupervisorDeps,
  'sinkOf' | 'devicesOf' | 'eventVolume' | 'safeMode' | 'clock' | 'startTimer' | 'random' | 'log'
> & {
  readonly board: StatusBoard;
};

const RESTART_DELAYS = { minMs: 1000, maxMs: 60_000 };

export function createIntegrationRunner(deps: RunnerDeps): IntegrationRunner {
  const { board, clock, log, safeMode } = deps;

  const runOnce = async (integration: Integration, signal: AbortSignal): Promise<void> => {
    // A signal of its own for each run: one that fails is told to clean up, and its late reports are not heard.
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
          beforeTaking: () => safeMode.beforeTaking(id),
          setFault: (fault) => setFault(id, fault),
          log,
        }),
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
        // One that ran for long had recovered in between: this fault is a new one.
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

/** Only what was written to be told goes to clients; the log has the rest. */
function describeFault(cause: unknown): { code: string; message: string } {
  if (cause instanceof HubError) return { code: cause.code, message: cause.message };
  return { code: 'INTEGRATION_FAILED', message: 'The integration failed and is started again.' };
}
