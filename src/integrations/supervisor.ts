import { HubError } from '#base/hub-error.ts';
import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceReports } from '#core/integration/integration-reports.ts';
import type { IntegrationStatus } from '#core/event/event.ts';
import type { ShownInstance } from '#core/integration/instance.ts';
import { createDeviceIntake, type DeviceIntakeDeps } from './device-intake.ts';
import type { DeviceSink, Integration } from './integration.ts';
import { rationReports } from './report-rations.ts';
import { createStatusBoard, type StatusBoard } from './status-board.ts';

/** One instance as the supervisor runs it. */
export type Runnable = Pick<ShownInstance, 'id' | 'name' | 'enabled' | 'problem'>;

/** One instance, for the API and for health. */
export type IntegrationReport = {
  readonly id: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  /** Number of devices that are reached through it. */
  readonly devices: number;
};

export type Supervisor = {
  /** Starts every instance that is on. Each runs until `stop`. To be called once. */
  readonly start: () => void;
  /**
   * Brings an instance in line with what is kept of it, after any change: ends it and, if it is there and on, starts it
   * with its present settings. Resolves when the old run has ended, or after 2 s. The new run starts once the old one has
   * ended, and after 30 s in any case: what the old one still reports is ignored. Instances that speak through it follow, if they can run now or no longer can.
   */
  readonly restart: (id: string) => Promise<void>;
  /** Ends every instance. Resolves when all have ended, at the latest after 2 s. */
  readonly stop: () => Promise<void>;
  /** In the order of the instances. */
  readonly reports: () => readonly IntegrationReport[];
  /** As it runs at the moment; `undefined` for an instance that does not. */
  readonly findIntegration: (id: string) => Integration | undefined;
  readonly statusOf: (id: string) => IntegrationStatus;
};

/** Safe mode, as far as it concerns instances. */
export type InstanceGuard = {
  /** It must not start before a person releases it. */
  readonly holds: (id: string) => boolean;
  /** To be called right before what a stranger sent is dealt with for it. */
  readonly noteOf: (id: string) => () => void;
};

export type SupervisorDeps = {
  /** Those that are there, in the order in which they are shown. */
  readonly instances: () => readonly Runnable[];
  readonly findInstance: (id: string) => Runnable | undefined;
  /** Ids of the instances through which it speaks. */
  readonly linksOf: (id: string) => readonly string[];
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
/** A run that hangs must not keep its instance from running until the hub is started again. */
const GIVE_UP_MS = 30_000;
const RESTART_DELAYS = { minMs: 1000, maxMs: 60_000 };

const SAFE_MODE = {
  code: 'SAFE_MODE',
  message:
    'The hub ended three times within an hour while it dealt with what this integration had sent, so the integration does not start by itself. Repair or remove the source of the data, then start it again here',
};

type Run = { readonly end: AbortController; readonly ended: Promise<void> };

/** Keeps the instances that are on running. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { findInstance } = deps;
  const board = createStatusBoard(deps);
  const running = new Map<string, Integration>();
  const runner = createIntegrationRunner({ ...deps, board, running });
  /** The last run of each, until it has ended. */
  const runs = new Map<string, Run>();
  /** Whether each could run when it was started last, in the words of `wishOf`. */
  const wishes = new Map<string, string>();
  let isStopping = false;

  const endWithin = createEnding(deps);

  const run = async (id: string, signal: AbortSignal, last: Run | undefined): Promise<void> => {
    if (last !== undefined && (await endWithin([[id, last]], GIVE_UP_MS)).length > 0) {
      deps.log.error(`${id} did not stop; it starts anew beside what is left of its last run`);
    }
    if (signal.aborted) return;
    const instance = findInstance(id);
    if (instance === undefined) return board.forget(id);
    const isOn = instance.enabled.value;
    const needed = !isOn ? null : deps.safeMode.holds(id) ? SAFE_MODE : instance.problem;
    if (last !== undefined || !isOn || needed !== null) {
      runner.showDevicesUnknown(id, isOn ? 'integration_down' : 'integration_off');
    }
    if (needed !== null) board.setStatus(id, 'needs_action', needed);
    else if (isOn) await runner.keepRunning(instance, signal);
    else board.setOff(id);
  };

  const start = (id: string, last?: Run): void => {
    const end = new AbortController();
    const ended = run(id, end.signal, last).finally(() => {
      if (runs.get(id)?.end === end) runs.delete(id);
    });
    runs.set(id, { end, ended });
    const instance = findInstance(id);
    if (instance === undefined) wishes.delete(id);
    else wishes.set(id, wishOf(instance));
  };

  const restart = async (id: string): Promise<void> => {
    const last = runs.get(id);
    start(id, last);
    const followers = deps.instances().filter((other) => {
      return other.id !== id && deps.linksOf(other.id).includes(id) && wishes.get(other.id) !== wishOf(other);
    });
    await Promise.all([
      last === undefined ? undefined : endWithin([[id, last]]),
      ...followers.map((follower) => restart(follower.id)),
    ]);
  };

  return {
    start: () => {
      const linked = new Set(deps.instances().flatMap(({ id }) => deps.linksOf(id)));
      // What others speak through comes first.
      const inOrder = deps
        .instances()
        .toSorted((left, right) => Number(linked.has(right.id)) - Number(linked.has(left.id)));
      for (const { id } of inOrder) start(id);
    },
    restart: async (id) => (isStopping ? undefined : restart(id)),
    stop: async () => {
      isStopping = true;
      for (const id of await endWithin([...runs])) deps.log.warn(`${id} did not stop in time`);
    },
    reports: () =>
      deps.instances().map(({ id, name }) => ({
        id,
        name,
        status: board.statusOf(id),
        devices: deps.devicesOf(id).length,
      })),
    findIntegration: (id) => running.get(id),
    statusOf: board.statusOf,
  };
}

/** Tells runs to end, and resolves with the ids of those that have not after this time. */
function createEnding({ startTimer }: Pick<SupervisorDeps, 'startTimer'>) {
  return async (
    ending: readonly (readonly [id: string, run: Run])[],
    withinMs = STOP_WITHIN_MS,
  ): Promise<readonly string[]> => {
    const late = new Set(ending.map(([id]) => id));
    for (const [, { end }] of ending) end.abort();
    const all = ending.map(([id, { ended }]) => ended.finally(() => late.delete(id)));
    const allEnded = new AbortController();
    const bound = waitMs(withinMs, startTimer, allEnded.signal);
    await Promise.race([Promise.allSettled(all).then(() => allEnded.abort()), bound]);
    return [...late];
  };
}

/** Whether the instance shall run, or what keeps it from that: where this stays, a change elsewhere does not matter. */
function wishOf({ enabled, problem }: Runnable): string {
  return enabled.value ? (problem?.code ?? 'on') : 'off';
}

/** Runs an instance and restarts it after failures. Its state goes to the status board. */
type IntegrationRunner = {
  /** Runs it until the signal aborts. After a failure the status says so, and it starts again after growing delays. */
  readonly keepRunning: (instance: Runnable, signal: AbortSignal) => Promise<void>;
  /** Reports its devices as unknown, because it no longer can. When it runs again it reports each device anew. */
  readonly showDevicesUnknown: (id: string, reason: string) => void;
};

type RunnerDeps = Pick<
  SupervisorDeps,
  'create' | 'sinkOf' | 'devicesOf' | 'eventVolume' | 'safeMode' | 'clock' | 'startTimer' | 'random' | 'log'
> & {
  readonly board: StatusBoard;
  /** Those that run at the moment. */
  readonly running: Map<string, Integration>;
};

function createIntegrationRunner(deps: RunnerDeps): IntegrationRunner {
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

  return { keepRunning, showDevicesUnknown };
}

const NOTHING_TAKEN = { refusal: null, tooLarge: [] };

/** Where one run reports: within the limits, and nothing any more once it has ended. */
function openSink(deps: RunnerDeps, { id, name }: Pick<Runnable, 'id' | 'name'>, signal: AbortSignal) {
  const { board, clock, log, safeMode } = deps;
  const reports = deps.sinkOf(id);
  const noteServed = safeMode.noteOf(id);
  return rationReports(
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
}

/** Clients get only the text of a HubError, which was written for them. The log has the rest. */
function describeFault(cause: unknown): { code: string; message: string } {
  if (cause instanceof HubError) return { code: cause.code, message: cause.message };
  return { code: 'INTEGRATION_FAILED', message: 'The integration failed and will be started again.' };
}
