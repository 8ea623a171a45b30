import { waitMs } from '#base/time/timer.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import type { Integration } from './integration.ts';
import { createIntegrationRunner, type Runnable, type RunnerDeps } from './integration-runner.ts';
import { createStatusBoard } from './status-board.ts';

/** One instance, for the API and for health. */
export type IntegrationReport = {
  readonly id: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  /** Number of devices that are reached through it. */
  readonly devices: number;
};

export type Supervisor = ReturnType<typeof createSupervisor>;

export type SupervisorDeps = Omit<RunnerDeps, 'board' | 'running'> & {
  /** The instances that are there, in the order in which they are shown. */
  readonly instances: () => readonly Runnable[];
  readonly findInstance: (id: string) => Runnable | undefined;
  readonly linksOf: (id: string) => readonly string[];
  /** Called after each change of state or error. */
  readonly onStatus: (integration: string, status: IntegrationStatus) => void;
};

const STOP_WITHIN_MS = 2000;
/** A run that hangs must not keep its instance from running until the hub is started again. */
const GIVE_UP_MS = 30_000;

const SAFE_MODE = {
  code: 'SAFE_MODE',
  message:
    'The hub ended three times within an hour while it dealt with what this integration had sent, so the integration does not start by itself. Repair or remove the source of the data, then start it again here',
};

type Run = { readonly end: AbortController; readonly ended: Promise<void> };

/** Keeps the instances that are on running. */
export function createSupervisor(deps: SupervisorDeps) {
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
    /** Starts every instance that is on. Each runs until `stop`. To be called once. */
    start: (): void => {
      const linked = new Set(deps.instances().flatMap(({ id }) => deps.linksOf(id)));
      // What others speak through comes first.
      const inOrder = deps
        .instances()
        .toSorted((left, right) => Number(linked.has(right.id)) - Number(linked.has(left.id)));
      for (const { id } of inOrder) start(id);
    },
    /**
     * Brings an instance in line with what is kept of it, after any change: ends it and, if it is there and on, starts it
     * with its present settings. Resolves when the old run has ended, or after 2 s. The new run starts once the old one has
     * ended, and after 30 s in any case: what the old one still reports is ignored. Instances that speak through it follow, if they can run now or no longer can.
     */
    restart: async (id: string): Promise<void> => (isStopping ? undefined : restart(id)),
    /** Ends every instance. Resolves when all have ended, at the latest after 2 s. */
    stop: async (): Promise<void> => {
      isStopping = true;
      for (const id of await endWithin([...runs])) deps.log.warn(`${id} did not stop in time`);
    },
    /** In the order of the instances. */
    reports: (): readonly IntegrationReport[] =>
      deps.instances().map(({ id, name }) => ({
        id,
        name,
        status: board.statusOf(id),
        devices: deps.devicesOf(id).length,
      })),
    /** As it runs at the moment; `undefined` for an instance that does not. */
    findIntegration: (id: string): Integration | undefined => running.get(id),
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
