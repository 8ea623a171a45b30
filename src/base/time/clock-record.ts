import { isJsonObject, type JsonObject, parseJson } from '#base/json.ts';

/** The hub clock keeps this on disk. All times are those of the moment `bootMs` on the clock of this boot. */
export type ClockRecord = {
  readonly bootId: string;
  readonly bootMs: number;
  /** The true time; `null` until this boot has seen a synchronised wall clock. */
  readonly trueMs: number | null;
  /** The time of day as a person said it in this boot; `null` if nobody did. It moves no lifetime. */
  readonly toldMs: number | null;
  /** When they said it, on the clock of this boot: what they say later and that agrees within a minute does not count. */
  readonly toldAtMs: number | null;
  /** Ordered by when they were current: the last one is current now. */
  readonly epochs: readonly ClockEpoch[];
};

type ClockEpoch = {
  readonly id: string;
  /** The present as this epoch counts it. */
  readonly nowMs: number;
  /** True time minus the epoch's own time, from its first synchronisation on; `null` before. */
  readonly shiftMs: number | null;
  /** The same as a person said it while the epoch was current; absent where nobody did. It moves no lifetime. */
  readonly said?: { readonly shiftMs: number; readonly bootId: string };
};

/** The clocks of the machine show this at one moment. */
export type ClockReading = {
  readonly bootId: string;
  /** Since the machine was switched on, sleep included. */
  readonly bootMs: number;
  readonly wallMs: number;
  readonly isSynced: boolean;
};

/** Times that differ by less count as equal: synchronisation trims the wall clock all the time. */
const TOLERANCE_MS = 1_000;
const MAX_EPOCHS = 100;

/** The record moved to the time of the reading. In another boot, how much time has passed since is unknown. */
export function advanceRecord(record: ClockRecord, { bootId, bootMs }: Pick<ClockReading, 'bootId' | 'bootMs'>) {
  const isSameBoot = record.bootId === bootId && record.bootMs <= bootMs;
  if (!isSameBoot) return { ...record, bootId, bootMs, trueMs: null, toldMs: null, toldAtMs: null };
  const sinceMs = bootMs - record.bootMs;
  return {
    bootId,
    bootMs,
    trueMs: record.trueMs === null ? null : record.trueMs + sinceMs,
    toldMs: record.toldMs === null ? null : record.toldMs + sinceMs,
    toldAtMs: record.toldAtMs,
    epochs: record.epochs.map((epoch) => ({ ...epoch, nowMs: epoch.nowMs + sinceMs })),
  };
}

/** The record after a look at the machine; its epochs are unchanged where there was nothing new. */
export function noteReading(last: ClockRecord, reading: ClockReading, newId: () => string): ClockRecord {
  const advanced = advanceRecord(last, reading);
  const record = reading.isSynced && advanced.trueMs === null ? synchronise(advanced, reading.wallMs) : advanced;
  return { ...record, epochs: withCurrent(record, reading, newId) };
}

/** The first synchronised time of this boot: all epochs move to it once, and off time counts from now on. */
function synchronise(record: ClockRecord, trueMs: number): ClockRecord {
  const epochs = record.epochs.map((epoch) => {
    const { nowMs, shiftMs } = epoch;
    // What was said in this boot is known better now; of an earlier one it is the best that anybody knows.
    if (shiftMs === null && epoch.said?.bootId === record.bootId)
      return { id: epoch.id, nowMs, shiftMs: trueMs - nowMs };
    if (shiftMs === null) return { ...epoch, shiftMs: trueMs - nowMs };
    return { ...epoch, nowMs: Math.max(nowMs, trueMs - shiftMs) };
  });
  return { ...record, trueMs, epochs };
}

/** New tokens get an epoch whose present is the time of day and which no synchronisation will ever set back. */
function withCurrent(record: ClockRecord, reading: ClockReading, newId: () => string): readonly ClockEpoch[] {
  const { epochs, trueMs } = record;
  const presentMs = estimatePresent(record, reading);
  const fits = ({ nowMs, shiftMs }: ClockEpoch): boolean =>
    Math.abs(nowMs - presentMs) <= TOLERANCE_MS && (shiftMs === null || trueMs !== null);
  const current = epochs.at(-1);
  if (current !== undefined && fits(current)) return epochs;
  const shiftMs = trueMs === null ? null : trueMs - presentMs;
  const next = epochs.findLast(fits) ?? { id: newId(), nowMs: presentMs, shiftMs };
  return [...epochs.filter((epoch) => epoch !== next), next].slice(-MAX_EPOCHS);
}

/** The record after a person said what time it is. What was noted before they did moves there too. */
export function withSaid(record: ClockRecord): ClockRecord {
  const { epochs, trueMs, toldMs, bootId } = record;
  const current = epochs.at(-1);
  if (toldMs === null || trueMs !== null || current?.shiftMs !== null) return record;
  const said = { shiftMs: toldMs - current.nowMs, bootId };
  return { ...record, epochs: [...epochs.slice(0, -1), { ...current, said }] };
}

/**
 * Returns the shift to add to times that were noted in an epoch. While the machine was off, nothing was noted: an epoch
 * of an earlier boot, in which a person said the time, is where they said, and not where the first synchronised boot
 * began.
 */
export function notedShiftMs({ shiftMs, said }: ClockEpoch, { bootId }: Pick<ClockRecord, 'bootId'>): number | null {
  return said === undefined || said.bootId === bootId ? shiftMs : said.shiftMs;
}

/** The wall clock's time; until it is synchronised what a person said, and at least what is known to have passed. */
function estimatePresent(record: ClockRecord, { wallMs }: ClockReading): number {
  if (record.trueMs !== null) return wallMs;
  return Math.max(record.toldMs ?? wallMs, certainMs(record));
}

/** The true time is not before this one; `-Infinity` where nothing is known of it. */
export function certainMs({ epochs }: Pick<ClockRecord, 'epochs'>): number {
  return Math.max(-Infinity, ...epochs.map(({ nowMs, shiftMs }) => (shiftMs === null ? -Infinity : nowMs + shiftMs)));
}

export function encodeRecord(record: ClockRecord): string {
  return JSON.stringify(record);
}

/** `undefined` for text that is damaged. */
export function readRecord(text: string): ClockRecord | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { bootId, bootMs, trueMs, toldMs = null, epochs } = value;
  // Earlier versions of the hub did not keep it.
  const toldAtMs = value['toldAtMs'] ?? (toldMs === null ? null : (bootMs ?? null));
  if (typeof bootId !== 'string' || !isTime(bootMs) || !Array.isArray(epochs)) return undefined;
  if (!isTimeOrNull(trueMs) || !isTimeOrNull(toldMs) || !isTimeOrNull(toldAtMs)) return undefined;
  const read = epochs.flatMap((epoch) => (isJsonObject(epoch) ? readEpoch(epoch) : []));
  return read.length === epochs.length ? { bootId, bootMs, trueMs, toldMs, toldAtMs, epochs: read } : undefined;
}

function readEpoch({ id, nowMs, shiftMs, said }: JsonObject): ClockEpoch[] {
  if (typeof id !== 'string' || !isTime(nowMs) || !isTimeOrNull(shiftMs)) return [];
  // Earlier versions of the hub did not keep it.
  if (!isJsonObject(said) || !isTime(said['shiftMs']) || typeof said['bootId'] !== 'string')
    return [{ id, nowMs, shiftMs }];
  return [{ id, nowMs, shiftMs, said: { shiftMs: said['shiftMs'], bootId: said['bootId'] } }];
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isTimeOrNull(value: unknown): value is number | null {
  return value === null || isTime(value);
}
