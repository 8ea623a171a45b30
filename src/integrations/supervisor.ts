import type { Clock } from '#base/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/retry.ts';
import { type StartTimer, waitMs } from '#base/timer.ts';
import type { Device } from '#core/device.ts';
import type { IntegrationStatus } from '#core/event.ts';
import type { DeviceSink, Integration } from './integration.ts';
import { createStatusBoard } from './status-board.ts';

/** What is known of one integration, for the API and for health. */
export type IntegrationReport = {
  readonly id: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  /** How many devices are reached through it. */
  readonly devices: number;
};

export type Supervisor = {
  /** Starts every integration; each runs until `stop`. To be called once. */
  readonly start: () => void;
  /** Ends every integration; resolves when all have ended, or after 2 s without those that did not. */
  readonly stop: () => Promise<void>;
  /** In the order given. */
  readonly reports: () => readonly IntegrationReport[];
  readonly findIntegration: (id: string) => Integration | undefined;
  readonly statusOf: (id: string) => IntegrationStatus;
};

export type SupervisorDeps = {
  readonly integrations: readonly Integration[];
  /** Where an integration tells of its devices; the supervisor adds the status to it. */
  readonly sinkOf: (integration: string) => Omit<DeviceSink, 'reportStatus'>;
  readonly devicesOf: (integration: string) => readonly Pick<Device, 'externalId'>[];
  /** Called after each change of state or error. */
  readonly onStatus: (integration: string, status: IntegrationStatus) => void;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
};

const RESTART_DELAYS = { minMs: 1000, maxMs: 60_000 };
const STOP_WITHIN_MS = 2000;

/** Keeps the integrations running: one that fails is told so, and started again after growing delays. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { integrations, clock, startTimer } = deps;
  const board = createStatusBoard(deps);
  const stopping = new AbortController();
  const running = new Map<Integration, Promise<void>>();

  const runOnce = async (integration: Integration): Promise<void> => {
    // A signal of its own for each run: one that fails is told to clean up, and its late reports are not heard.
    const run = new AbortController();
    const endRun = (): void => run.abort();
    stopping.signal.addEventListener('abort', endRun, { once: true });
    board.setStatus(integration.id, 'connecting', null);
    try {
      await integration.run(
        {
          ...deps.sinkOf(integration.id),
          reportStatus: (state, error) => {
            if (!run.signal.aborted) board.setStatus(integration.id, state, error);
          },
        },
        run.signal,
      );
      if (!run.signal.aborted) throw new Error('it ended by itself');
    } finally {
      endRun();
      stopping.signal.removeEventListener('abort', endRun);
    }
  };

  const showFault = ({ id }: Integration, cause: unknown): void => {
    board.setStatus(id, 'error', describeFault(cause));
    // It cannot say so itself any more; once it runs again it reports each device anew.
    const sink = deps.sinkOf(id);
    for (const { externalId } of deps.devicesOf(id)) sink.reportAvailability(externalId, 'unknown', 'integration_down');
  };

  const keepRunning = async (integration: Integration): Promise<void> => {
    const delays = createRetryDelays(RESTART_DELAYS, deps.random);
    while (!stopping.signal.aborted) {
      const startedMs = clock.monotonicMs();
      try {
        await runOnce(integration);
      } catch (cause) {
        if (stopping.signal.aborted) {
          deps.log.warn(`${integration.id} failed while stopping`, { cause });
          return;
        }
        // One that ran for long had recovered in between: this fault is a new one.
        if (clock.monotonicMs() - startedMs > RESTART_DELAYS.maxMs) delays.reset();
        const restartInMs = delays.nextMs();
        deps.log.error(`${integration.id} failed`, { restart_in_ms: restartInMs, cause });
        showFault(integration, cause);
        await waitMs(restartInMs, startTimer, stopping.signal);
      }
    }
  };

  return {
    start: () => {
      for (const integration of integrations) {
        running.set(
          integration,
          keepRunning(integration).finally(() => running.delete(integration)),
        );
      }
    },
    stop: async () => {
      stopping.abort();
      const allEnded = new AbortController();
      const bound = waitMs(STOP_WITHIN_MS, startTimer, allEnded.signal);
      await Promise.race([Promise.allSettled(running.values()).then(() => allEnded.abort()), bound]);
      for (const { id } of running.keys()) deps.log.warn(`${id} did not stop in time`);
    },
    reports: () =>
      integrations.map((integration) => ({
        id: integration.id,
        name: integration.name,
        status: board.statusOf(integration.id),
        devices: deps.devicesOf(integration.id).length,
      })),
    findIntegration: (id) => integrations.find((integration) => integration.id === id),
    statusOf: board.statusOf,
  };
}

/** Only what was written to be told goes to clients; the log has the rest. */
function describeFault(cause: unknown): { code: string; message: string } {
  if (cause instanceof HubError) return { code: cause.code, message: cause.message };
  return { code: 'INTEGRATION_FAILED', message: 'The integration failed and is started again.' };
}
