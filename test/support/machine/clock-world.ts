import { type HubClockStore, type OpenHubClock, openHubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** True time at the beginning of a world. */
export const TRUE_START_MS = Date.UTC(2026, 5, 1);

/** A machine without a clock chip, its disk and its hub, in a world where the true time is known. */
export function createClockWorld() {
  const { log, lines } = createRecordingLog();
  let trueMs = TRUE_START_MS;
  let bootedMs = trueMs;
  let boots = 0;
  let ids = 0;
  let wallMs = 0;
  let isSynced = false;
  let disk = new Map<string, string>();
  let riding: ReadonlyMap<string, string> = new Map();
  let writes = 0;
  let writtenMs = 0;
  let isDiskFull = false;
  let due: { atMs: number; run: () => void } | undefined;
  let hub: OpenHubClock | undefined;

  const startTimer: StartTimer = (afterMs, run) => {
    const timer = { atMs: trueMs + afterMs, run };
    due = timer;
    return () => {
      if (due === timer) due = undefined;
    };
  };
  const store: HubClockStore = {
    loadMeta: async () => disk,
    putMeta: async (entries) => {
      if (isDiskFull) throw new Error('disk I/O error');
      writes += 1;
      writtenMs = trueMs;
      disk = new Map([...disk, ...entries]);
      riding = new Map([...riding].filter(([key]) => !entries.has(key)));
    },
    addMeta: (entries) => void (riding = new Map([...riding, ...entries])),
  };
  const bootId = (): string => `boot ${boots}`;
  const bootMs = (): number => trueMs - bootedMs;
  const pass = (ms: number): void => {
    trueMs += ms;
    wallMs += ms;
  };
  /** A hub that slept with its machine looks at the clock once when it wakes. */
  const runDue = (): void => {
    const timer = due;
    if (timer === undefined || timer.atMs > trueMs) return;
    due = undefined;
    timer.run();
  };
  const start = async (): Promise<void> => {
    hub = await openHubClock({
      machine: {
        bootId: bootId(),
        bootMs,
        read: () => ({ bootId: bootId(), bootMs: bootMs(), wallMs, isSynced }),
      },
      store,
      startTimer,
      newId: () => `e${(ids += 1)}`,
      log,
    });
    await settle();
  };
  const cut = (): void => {
    hub = undefined;
    due = undefined;
    riding = new Map();
  };

  return {
    lines,
    trueMs: () => trueMs,
    writes: () => writes,
    /** True time of the last write. */
    writtenMs: () => writtenMs,
    disk: () => disk,
    replaceDisk: (kept: ReadonlyMap<string, string>) => void (disk = new Map(kept)),
    fillDisk: (isFull: boolean) => void (isDiskFull = isFull),
    clock: () => {
      if (hub === undefined) throw new Error('the hub is not running');
      return hub;
    },
    isUp: () => hub !== undefined,
    start,
    /** Time passes with the machine on; a running hub looks at the clock at its usual interval. */
    run: async (ms: number, looks = 1_000) => {
      // Timers fire in steps, of which there are at most so many.
      const stepMs = Math.max(10_000, Math.ceil(ms / looks));
      for (let restMs = ms; restMs > 0; restMs -= stepMs) {
        pass(Math.min(restMs, stepMs));
        runDue();
        await settle();
      }
    },
    /** The wall clock goes on while all processes stand still. */
    sleep: async (ms: number) => {
      pass(ms);
      runDue();
      await settle();
    },
    /** Another write takes place, and takes with it what the hub had ready. */
    writeOther: () => {
      disk = new Map([...disk, ...riding]);
      riding = new Map();
    },
    setWall: async (ms: number) => {
      wallMs = ms;
      if (hub === undefined) isSynced = false;
      await lookSoon();
    },
    sync: async () => {
      wallMs = trueMs;
      isSynced = true;
      await lookSoon();
    },
    stop: async () => {
      await hub?.stop();
      cut();
    },
    kill: cut,
    /** The machine is off for this long, then on again with this wall clock. */
    reboot: (offMs: number, startWallMs: number) => {
      cut();
      trueMs += offMs;
      bootedMs = trueMs;
      boots += 1;
      wallMs = startWallMs;
      isSynced = false;
    },
  };

  /** Looks at the clock as if that were due now. */
  async function lookSoon(): Promise<void> {
    if (due !== undefined) due.atMs = trueMs;
    runDue();
    await settle();
  }
}

export type ClockWorld = ReturnType<typeof createClockWorld>;

/** Waits until all writes have ended. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
}
