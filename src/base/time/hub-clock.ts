import {
  advanceRecord,
  type ClockReading,
  type ClockRecord,
  encodeRecord,
  noteReading,
  readRecord,
} from './clock-record.ts';
import type { Log } from '#base/log.ts';
import { repeat } from './repeat.ts';
import type { StartTimer } from './timer.ts';

/**
 * The clock by which lifetimes are measured: the one door for token and session expiry.
 *
 * A machine without a clock chip starts in 1970 or at a saved time, and jumps once it is synchronised. So every
 * lifetime is measured inside the epoch in which it began, and an epoch's own time never jumps with the wall clock:
 *
 * - From the hub's first start in a boot on, all time counts in which the machine is on: sleep included, whether the hub
 *   runs or not, whatever the wall clock does.
 * - While it is off, nothing counts until a later boot is synchronised. Then the off time counts in epochs that had been
 *   synchronised before; that of before an epoch's first synchronisation never counts.
 * - A wall clock that is not synchronised is never believed. Of a synchronised one only the first word in each boot is:
 *   what is set by hand later moves the time of day and no lifetime.
 *
 * Hence the guarantee. A lifetime is never measured as longer than it truly was: nothing expires early. An epoch's own
 * time never goes back, and what was refused as expired is on disk as past before: nothing expired revives, whatever
 * power cuts, reboots, steps of the wall clock or restored backups follow. Three things are outside of it: a time
 * server that lies, a disk that takes no writes (what is expired is refused all the same), and a damaged database whose
 * place an old backup took, until the next synchronisation. After a power cut up to an hour may be measured anew.
 */
export type HubClock = {
  /** The time of day as well as the hub knows it, in whole milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Id of the current epoch; tokens carry it (claim `epoch`). */
  readonly epoch: () => string;
  /** The present as the given epoch counts it, in milliseconds; `undefined` for an epoch the hub never had. */
  readonly nowInEpochMs: (epoch: string) => number | undefined;
  /**
   * To be awaited before anything is refused because this moment of the epoch is past: then no power cut undoes that.
   * Never rejects; at once where it is known already.
   */
  readonly confirmPast: (epoch: string, momentMs: number) => Promise<void>;
};

/** What to add to a time that was noted in this epoch, so that it is right on the hub's corrected clock. */
export function hubTimeShiftMs(hubClock: Pick<HubClock, 'nowMs' | 'nowInEpochMs'>, epoch: string): number {
  const nowMs = hubClock.nowMs();
  return nowMs - (hubClock.nowInEpochMs(epoch) ?? nowMs);
}

/** The hub clock of a process. */
export type OpenHubClock = HubClock & {
  /** Whether the machine's clock is synchronised at the moment. */
  readonly isSynced: () => boolean;
  /** Saves the present, so that nothing of it is measured anew. A second call does nothing. */
  readonly stop: () => Promise<void>;
};

export type Machine = {
  readonly bootId: string;
  /** Whole milliseconds since the machine was switched on, sleep included as of the last reading. */
  readonly bootMs: () => number;
  readonly read: () => ClockReading;
};

export type HubClockStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
  /** Writes it with what is written next, and not at all where nothing is. */
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
};

export type HubClockDeps = {
  readonly machine: Machine;
  readonly store: HubClockStore;
  readonly startTimer: StartTimer;
  readonly newId: () => string;
  readonly log: Log;
};

/** What a restored backup must not put back. */
export const HUB_CLOCK_META = 'hub_clock';
const LOOK_MS = 10_000;
const RIDE_MS = 60_000;
const SAVE_MS = 3_600_000;

/** Takes up the clock of the last run and looks at the machine every 10 s from then on. */
export async function openHubClock(deps: HubClockDeps): Promise<OpenHubClock> {
  const { machine, store, startTimer, newId, log } = deps;
  const kept = await loadRecord(store, log);
  const fresh = new Set<string>();
  const newFreshId = (): string => {
    const id = newId();
    fresh.add(id);
    return id;
  };
  let reading = machine.read();
  let record = noteReading(kept ?? { ...reading, trueMs: null, epochs: [] }, reading, newFreshId);
  let epochs = new Map(record.epochs.map((epoch) => [epoch.id, epoch]));
  const saver = createSaver({ store, log, kept: kept ?? { ...record, bootId: '', epochs: [] } });
  const present = (): ClockRecord => advanceRecord(record, { bootId: machine.bootId, bootMs: machine.bootMs() });

  const look = (): void => {
    reading = machine.read();
    const noted = noteReading(record, reading, newFreshId);
    // Nobody has a token of an epoch that was never asked for.
    record = {
      ...noted,
      epochs: noted.epochs.filter(({ id }, at) => at === noted.epochs.length - 1 || !fresh.has(id)),
    };
    epochs = new Map(record.epochs.map((epoch) => [epoch.id, epoch]));
    saver.keep(record);
  };
  saver.keep(record);
  const stopLooking = repeat(startTimer, LOOK_MS, look);

  const nowInEpochMs = (id: string): number | undefined => {
    const epoch = epochs.get(id);
    return epoch && epoch.nowMs + machine.bootMs() - record.bootMs;
  };
  const currentId = (): string => record.epochs.at(-1)?.id ?? '';
  let stopped: Promise<void> | undefined;
  return {
    nowMs: () => nowInEpochMs(currentId()) ?? reading.wallMs,
    epoch: () => {
      const id = currentId();
      fresh.delete(id);
      return id;
    },
    nowInEpochMs,
    confirmPast: async (id, momentMs) => {
      const isKnown = (): boolean => (saver.saved().epochs.find((epoch) => epoch.id === id)?.nowMs ?? 0) >= momentMs;
      // A save that was under way may have been of a moment before.
      for (let tries = 0; tries < 2 && epochs.has(id) && !isKnown(); tries += 1) await saver.save(present);
    },
    isSynced: () => reading.isSynced,
    stop: () => {
      stopLooking();
      stopped ??= saver.save(present);
      return stopped;
    },
  };
}

async function loadRecord(store: HubClockStore, log: Log): Promise<ClockRecord | undefined> {
  const text = (await store.loadMeta()).get(HUB_CLOCK_META);
  const kept = text === undefined ? undefined : readRecord(text);
  if (text !== undefined && kept === undefined) {
    log.error('what the hub clock had kept is damaged: everybody has to log in again');
  }
  return kept;
}

type Saver = {
  /** As it is on disk for certain. */
  readonly saved: () => ClockRecord;
  /** Writes what is new at once, else with other writes, else after an hour. */
  readonly keep: (record: ClockRecord) => void;
  /** Writes the present; resolves also where that failed. One write at a time: a second call waits for the first. */
  readonly save: (present: () => ClockRecord) => Promise<void>;
};

function createSaver(deps: Pick<HubClockDeps, 'store' | 'log'> & { readonly kept: ClockRecord }): Saver {
  const { store, log } = deps;
  let saved = deps.kept;
  let savedMs: number | undefined;
  let rodeMs = 0;
  let isFailing = false;
  let saving: Promise<void> | undefined;

  const write = async (record: ClockRecord): Promise<void> => {
    try {
      await store.putMeta(new Map([[HUB_CLOCK_META, encodeRecord(record)]]));
      saved = record;
      savedMs = rodeMs = record.bootMs;
      if (isFailing) log.info('the hub clock is saved again');
      isFailing = false;
    } catch (cause) {
      if (!isFailing) log.warn('the hub clock cannot be saved: after a power cut it may be behind', { cause });
      isFailing = true;
    }
  };
  const save: Saver['save'] = (present) => {
    saving ??= write(present()).finally(() => (saving = undefined));
    return saving;
  };
  return {
    saved: () => saved,
    save,
    keep: (record) => {
      const { bootMs } = record;
      savedMs ??= rodeMs = bootMs;
      if (isFailing || isNews(saved, record) || bootMs - savedMs >= SAVE_MS) void save(() => record);
      else if (bootMs - rodeMs >= RIDE_MS) {
        rodeMs = bootMs;
        store.addMeta(new Map([[HUB_CLOCK_META, encodeRecord(record)]]));
      }
    },
  };
}

/** More than that time went by. */
function isNews(saved: ClockRecord, record: ClockRecord): boolean {
  const ids = (epochs: ClockRecord['epochs']): string => epochs.map(({ id, shiftMs }) => `${id} ${shiftMs}`).join();
  if (record.bootId !== saved.bootId || (record.trueMs === null) !== (saved.trueMs === null)) return true;
  return ids(record.epochs) !== ids(saved.epochs);
}
