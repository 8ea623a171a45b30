import {
  advanceRecord,
  certainMs,
  type ClockReading,
  type ClockRecord,
  encodeRecord,
  noteReading,
  notedShiftMs,
  readRecord,
  withSaid,
} from './clock-record.ts';
import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { repeat } from './repeat.ts';
import type { StartTimer } from './timer.ts';

/**
 * The clock that measures lifetimes; all expiry of tokens and sessions goes through it.
 *
 * A machine without a clock chip starts in 1970 or at a saved time, and jumps once it is synchronised. So every
 * lifetime is measured inside the epoch in which it began, and an epoch's own time never jumps with the wall clock:
 *
 * - From the hub's first start in a boot on, all time counts while the machine is on: also while it sleeps, while the
 *   hub is not running, and while the wall clock jumps.
 * - Time while the machine is off counts only once a later boot is synchronised, and only in epochs that had been
 *   synchronised before. Off time before an epoch's first synchronisation never counts.
 * - The hub never believes a wall clock that is not synchronised. It believes a synchronised one once per boot: a time
 *   set by hand later changes the time of day and no lifetime.
 *
 * - A person may say what time it is while the machine does not know: that moves the time of day, and no lifetime.
 *
 * This gives two guarantees. The hub never measures a lifetime as longer than it truly was, so nothing expires early.
 * An epoch's own time never goes back, and before a token is refused as expired that moment is on disk as past; so
 * nothing expired becomes valid again after power cuts, reboots, steps of the wall clock or restored backups. Three
 * cases are outside of the guarantees: a time server that lies; a disk that takes no writes (expired tokens are still
 * refused); and, until the next synchronisation, an old backup that replaced a damaged database. After a power cut, up
 * to an hour may be measured again.
 */
export type HubClock = {
  /** The time of day as well as the hub knows it, in whole milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Id of the current epoch; tokens carry it (claim `epoch`). */
  readonly epoch: () => string;
  /** The present as the given epoch counts it, in milliseconds; `undefined` for an epoch the hub never had. */
  readonly nowInEpochMs: (epoch: string) => number | undefined;
  /**
   * Await this before refusing something because this moment of the epoch is past: a power cut then cannot undo it.
   * Never rejects; resolves at once if the moment is on disk as past already.
   */
  readonly confirmPast: (epoch: string, momentMs: number) => Promise<void>;
};

/** Returns the shift that makes a time noted in this epoch right on the hub's corrected clock. */
export function hubTimeShiftMs(hubClock: Pick<HubClock, 'nowMs' | 'nowInEpochMs'>, epoch: string): number {
  const nowMs = hubClock.nowMs();
  return nowMs - (hubClock.nowInEpochMs(epoch) ?? nowMs);
}

/** The hub clock of a process. */
export type OpenHubClock = HubClock & {
  /** Whether the machine's clock is synchronised at the moment. */
  readonly isSynced: () => boolean;
  /** From where the time of day is known in this boot: a time server, a person, or not at all. */
  readonly source: () => ClockSource;
  /** For how long the clock has gone by what a person said, without a correction; `null` where it does not. */
  readonly toldForMs: () => number | null;
  /** Takes a person's word for the time of day, until the machine is synchronised or switched off. */
  readonly tell: (wallMs: number) => Promise<'told' | 'synced' | 'past'>;
  /** Called when the source changes, and when the time of day jumps. The returned function removes the listener. */
  readonly subscribe: (listener: (change: ClockChange) => void) => () => void;
  /**
   * True time minus the time of an epoch, once a synchronisation showed it, or once the boot is over in which a person
   * said it; it is kept on disk and never changes. Else `null`.
   */
  readonly learnedShiftMs: (epoch: string) => number | null;
  /** Saves the present, so that no time is measured twice. A second call does nothing. */
  readonly stop: () => Promise<void>;
};

export const CLOCK_SOURCES = ['synced', 'owner', 'none'] as const;
export type ClockSource = (typeof CLOCK_SOURCES)[number];
/** `shiftMs`: what to add to a time of day from right before the change. */
export type ClockChange = { readonly source: ClockSource; readonly nowMs: number; readonly shiftMs: number };

export type Machine = {
  readonly bootId: string;
  /** Whole milliseconds since the machine was switched on, sleep included as of the last reading. */
  readonly bootMs: () => number;
  readonly read: () => ClockReading;
};

export type HubClockStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
  /** Writes the entries together with the next other write, and not at all if there is none. */
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
};

type HubClockDeps = {
  readonly machine: Machine;
  readonly store: HubClockStore;
  readonly startTimer: StartTimer;
  readonly newId: () => string;
  readonly log: Log;
};

/** The entry that a restored backup must not overwrite. */
export const HUB_CLOCK_META = 'hub_clock';
const LOOK_MS = 10_000;
/** A person's watch may be slow by this much. */
const SLOW_WATCH_MS = 60_000;
/** A mark takes some 350 bytes of the journal: each minute they would be a sixth of what a home writes. */
const RIDE_MS = 600_000;
const SAVE_MS = 3_600_000;

/** Continues the clock of the last run and reads the machine's clocks every 10 s from then on. */
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
  let record = noteReading(kept ?? { ...reading, ...NOTHING_KNOWN }, reading, newFreshId);
  let epochs = new Map(record.epochs.map((epoch) => [epoch.id, epoch]));
  const saver = createSaver({ store, log, record: kept ?? { ...record, bootId: '', epochs: [] } });
  const present = (): ClockRecord => advanceRecord(record, { bootId: machine.bootId, bootMs: machine.bootMs() });

  const listeners = createSubscribers<[ClockChange]>(log);
  const look = (): void => {
    reading = machine.read();
    take(advanceRecord(record, reading));
  };
  const take = (advanced: ClockRecord): void => {
    const before = { source: sourceOf(record), nowMs: advanced.epochs.at(-1)?.nowMs };
    const noted = withSaid(noteReading(advanced, reading, newFreshId));
    // No token carries an epoch that was never asked for.
    record = {
      ...noted,
      epochs: noted.epochs.filter(({ id }, at) => at === noted.epochs.length - 1 || !fresh.has(id)),
    };
    epochs = new Map(record.epochs.map((epoch) => [epoch.id, epoch]));
    saver.keep(record);
    const source = sourceOf(record);
    const nowMs = record.epochs.at(-1)?.nowMs ?? reading.wallMs;
    const shiftMs = nowMs - (before.nowMs ?? nowMs);
    if (source !== before.source || shiftMs !== 0) listeners.tell({ source, nowMs, shiftMs });
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
      // A save that was already under way may hold an earlier moment.
      for (let tries = 0; tries < 2 && epochs.has(id) && !isKnown(); tries += 1) await saver.save(present);
    },
    isSynced: () => reading.isSynced,
    source: () => sourceOf(record),
    toldForMs: () => toldForMs(present()),
    tell: async (wallMs) => {
      look();
      if (sourceOf(record) === 'synced') return 'synced';
      const earliestMs = certainMs(record);
      if (wallMs < earliestMs - SLOW_WATCH_MS) return 'past';
      take(withTold(record, Math.max(wallMs, earliestMs)));
      await saver.save(present);
      return 'told';
    },
    subscribe: listeners.add,
    learnedShiftMs: (id) => {
      const epoch = epochs.get(id);
      return epoch === undefined ? null : notedShiftMs(epoch, record);
    },
    stop: () => {
      stopLooking();
      stopped ??= saver.save(present);
      return stopped;
    },
  };
}

const NOTHING_KNOWN = { trueMs: null, toldMs: null, toldAtMs: null, epochs: [] } as const;

function withTold(record: ClockRecord, toldMs: number): ClockRecord {
  const isSame = record.toldMs !== null && Math.abs(toldMs - record.toldMs) <= SLOW_WATCH_MS;
  return withSaid({ ...record, toldMs, toldAtMs: isSame ? record.toldAtMs : record.bootMs });
}

function toldForMs({ trueMs, toldAtMs, bootMs }: ClockRecord): number | null {
  return trueMs !== null || toldAtMs === null ? null : bootMs - toldAtMs;
}

function sourceOf({ trueMs, toldMs }: ClockRecord): ClockSource {
  if (trueMs !== null) return 'synced';
  return toldMs === null ? 'none' : 'owner';
}

async function loadRecord(store: HubClockStore, log: Log): Promise<ClockRecord | undefined> {
  const text = (await store.loadMeta()).get(HUB_CLOCK_META);
  const kept = text === undefined ? undefined : readRecord(text);
  if (text !== undefined && kept === undefined) {
    log.error('the saved hub clock is damaged: everyone has to log in again');
  }
  return kept;
}

type Saver = {
  /** The record that is certainly on disk. */
  readonly saved: () => ClockRecord;
  /** Writes a changed record at once, an unchanged one with other writes or after an hour. */
  readonly keep: (record: ClockRecord) => void;
  /** Writes the present; resolves even if that fails. One write at a time: a second call waits for the first. */
  readonly save: (present: () => ClockRecord) => Promise<void>;
};

function createSaver(deps: Pick<HubClockDeps, 'store' | 'log'> & { readonly record: ClockRecord }): Saver {
  const { store, log } = deps;
  let saved = deps.record;
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

/** Whether more has changed than that time passed. */
function isNews(saved: ClockRecord, record: ClockRecord): boolean {
  const ids = (epochs: ClockRecord['epochs']): string => epochs.map(({ id, shiftMs }) => `${id} ${shiftMs}`).join();
  if (record.bootId !== saved.bootId || sourceOf(record) !== sourceOf(saved)) return true;
  return ids(record.epochs) !== ids(saved.epochs);
}
