import type { Runtime } from '#base/time/runtime.ts';
import { repeat } from '#base/time/repeat.ts';
import type { Notifier } from './notify.ts';
import { startWatchdog } from './watchdog.ts';

/** The service manager asks this of a running hub. */
export type ServedHub = {
  /** One line in words for `systemctl status`. */
  readonly describe: () => string;
  /** Resolves if the hub works; rejects with the fault, or never settles if a part hangs. */
  readonly checkAlive: () => Promise<void>;
};

/** Reports the state of the hub to the service manager, from the first moment to the last. */
export type Service = {
  /** Extends the time-out while the hub starts, up to half an hour: it may be repairing a database. */
  readonly starting: () => void;
  /** From now on this feeds the watchdog and keeps the status line up to date. */
  readonly ready: (hub: ServedHub) => void;
  /** Reports the end of a reload even if it failed: the hub then serves as before. */
  readonly reload: (task: () => Promise<void>) => Promise<void>;
  readonly stopping: () => void;
  /** Sends nothing from now on. */
  readonly end: () => void;
};

type ServiceDeps = Pick<Runtime, 'startTimer' | 'monotonicMs' | 'log'> & {
  readonly notifier: Notifier;
  /** `undefined`: no watchdog. */
  readonly watchdogMs: number | undefined;
  /** CLOCK_MONOTONIC, the clock of the service manager. */
  readonly monotonicUsec: () => bigint;
};

const EXTEND_EVERY_MS = 10_000;
const EXTEND_BY_USEC = '60000000';
const LONGEST_START_MS = 30 * 60_000;
/** Time between two status lines: by `program`, each one costs a process. */
const STATUS_EVERY_MS = { socket: 2_000, program: 60_000 };

export function createService(deps: ServiceDeps): Service {
  const { notifier, watchdogMs, startTimer, monotonicMs, log } = deps;
  const { way, notify } = notifier;
  const undo = new Set<() => void>();
  let shown = '';

  const end = (): void => {
    for (const stop of undo) stop();
    undo.clear();
  };
  const extendStart = (startedMs: number): void => {
    const takesMs = monotonicMs() - startedMs;
    if (takesMs > LONGEST_START_MS) return;
    const STATUS = `starting for ${Math.round(takesMs / 1000)} s: the state is being checked or repaired`;
    notify({ EXTEND_TIMEOUT_USEC: EXTEND_BY_USEC, STATUS });
  };
  const watch = ({ checkAlive }: ServedHub): void => {
    if (watchdogMs === undefined) return;
    if (way !== 'socket') {
      log.error('the watchdog cannot be fed: WatchdogSec= of the unit needs OpenFile=/run/systemd/notify:notify');
      return;
    }
    const feed = (): void => notify({ WATCHDOG: '1' });
    undo.add(startWatchdog({ withinMs: watchdogMs, feed, checkAlive, startTimer, monotonicMs, log }));
  };
  return {
    starting: () => {
      if (way === 'none') return;
      const startedMs = monotonicMs();
      notify({ STATUS: 'starting' });
      undo.add(repeat(startTimer, EXTEND_EVERY_MS, () => extendStart(startedMs)));
    },
    ready: (hub) => {
      end();
      if (way === 'none') return;
      shown = hub.describe();
      notify({ READY: '1', STATUS: shown });
      watch(hub);
      const showStatus = (): void => {
        const STATUS = hub.describe();
        if (STATUS !== shown) notify({ STATUS });
        shown = STATUS;
      };
      undo.add(repeat(startTimer, STATUS_EVERY_MS[way], showStatus));
    },
    reload: async (task) => {
      notify({ RELOADING: '1', MONOTONIC_USEC: String(deps.monotonicUsec()) });
      try {
        await task();
      } finally {
        notify({ READY: '1' });
      }
    },
    stopping: () => {
      end();
      notify({ STOPPING: '1', STATUS: 'stopping' });
    },
    end,
  };
}
