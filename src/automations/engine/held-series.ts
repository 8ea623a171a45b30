import { countUntil } from '#core/automation-replay/recorded/past-value.ts';
import type { RecordedSeries } from '#core/automation-replay/simulation.ts';
import type { HistoryStore, MovedSample, NewSample, SampleSlice } from '#core/past/history/history-store.ts';
import { bytesOf, isGap, type SampleValue } from '#core/past/history/sample.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { HeardSamples } from '#core/past/history/sample-sender.ts';

/** A series from so long ago up to now. */
export type HeldSeries = {
  readonly series: string;
  readonly spanMs: number;
  /** About how much memory it takes. */
  readonly bytes: () => number;
  /** `undefined`: it is not read. */
  readonly samples: () => Pick<RecordedSeries, 'timesMs' | 'values'> | undefined;
  readonly read: () => Promise<void>;
  readonly hear: (sample: NewSample) => void;
  /** One that was heard has another time in the storage. */
  readonly move: (sample: MovedSample) => void;
  readonly state: () => HeldState;
  /** It takes no memory from then on. */
  readonly end: (how: 'unknown' | 'over') => void;
};
/** `over`: another one took its place, or nobody asks. */
type HeldState = 'reading' | 'known' | 'unknown' | 'over';

type HeldSeriesDeps = {
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice'>;
  readonly heard: Pick<HeardSamples, 'settle'>;
  /** Hub time; `undefined` while nobody knows how long ago something was. */
  readonly nowMs: () => number | undefined;
  readonly wait: (ms: number) => Promise<void>;
  /** Series are read one after the other. */
  readonly inTurn: TurnQueue;
  /** Called after it grew. */
  readonly onGrown: (one: HeldSeries) => void;
  /** What it holds cannot be relied on. */
  readonly onStale: (one: HeldSeries) => void;
};

/** A sample has a time to a tenth of a second, rounded down. */
const TICK_MS = 100;
/**
 * A sample after a write in the same tick is stored in the next one; after two writes in one tick, in the one after
 * that.
 */
const HEARD_AFTER_MS = 3 * TICK_MS;
/** So many samples that are too old go at once. */
const TRIM_AT = 1_000;
const GROWN_BYTES = 16_000;

export function holdSeries(
  deps: HeldSeriesDeps,
  { series, spanMs }: Pick<HeldSeries, 'series' | 'spanMs'>,
): HeldSeries {
  const { history, heard, nowMs, wait } = deps;
  let state: HeldState = 'reading';
  const line = createLine();
  const growth = createGrowth();
  /** Made since the reading was asked for. */
  const fresh: NewSample[] = [];
  let freshBytes = 0;

  const end = (how: 'unknown' | 'over'): void => {
    state = how;
    line.clear();
    fresh.length = 0;
    freshBytes = 0;
  };
  const isReading = (): boolean => state === 'reading';
  /** False if it was given up meanwhile. */
  const readSlices = async (range: { readonly fromMs: number; readonly toMs: number }): Promise<boolean> => {
    const before = await history.findBefore(series, range.fromMs);
    if (before !== null) line.add(before);
    for (let after: number | null = null; isReading();) {
      const slice = await history.readSlice({ series, ...range }, after);
      if (!isReading()) break;
      line.addRead(slice);
      deps.onGrown(held);
      after = slice.next;
      if (after === null) return isReading();
    }
    return false;
  };
  /**
   * Samples from a tick soon after this one on are heard; those before it are all stored once it has begun. Many that
   * begin together wait for the same moment, and then for their turns.
   */
  const read = async (): Promise<void> => {
    const beganMs = nowMs();
    if (beganMs === undefined) return end('unknown');
    const cutMs = tickOf(beganMs) + HEARD_AFTER_MS;
    await wait(cutMs - beganMs);
    await deps.inTurn(async () => {
      const isSettled = isReading() && (await heard.settle());
      if (!isReading()) return;
      if (!isSettled) throw new Error('the times of samples are still to be corrected');
      const early = fresh.length;
      if (!(await readSlices({ fromMs: beganMs - spanMs, toMs: cutMs }))) return;
      // Whether one that is older was stored in time to be read, nobody knows.
      const isWhole = fresh.slice(early).every(({ atMs }) => tickOf(atMs) >= cutMs);
      const since = fresh.splice(0).filter(({ atMs }) => tickOf(atMs) >= cutMs);
      freshBytes = 0;
      state = 'known';
      if (!isWhole || !since.every(line.add)) deps.onStale(held);
    });
  };
  const held: HeldSeries = {
    series,
    spanMs,
    bytes: () => line.bytes() + freshBytes,
    samples: () => (state === 'known' ? line.samples : undefined),
    read,
    hear: (sample) => {
      const isMuch = growth(sample);
      if (isReading()) {
        fresh.push(sample);
        freshBytes += bytesOf(sample.value);
        if (isMuch) deps.onGrown(held);
        return;
      }
      if (state !== 'known') return;
      if (!line.add(sample)) return deps.onStale(held);
      const presentMs = nowMs();
      if (presentMs !== undefined) line.trim(presentMs - spanMs);
      if (isMuch) deps.onGrown(held);
    },
    move: (moved) => {
      const at = fresh.findLastIndex(({ atMs }) => tickOf(atMs) === moved.fromMs);
      const sample = fresh[at];
      if (sample !== undefined) fresh[at] = { ...sample, atMs: moved.toMs };
      if (state === 'known' && !line.move(moved)) deps.onStale(held);
    },
    state: () => state,
    end,
  };
  return held;
}

/** Whether so much came that the size of all is to be looked at. */
function createGrowth(): (sample: NewSample) => boolean {
  let bytes = 0;
  return ({ value }) => {
    bytes += bytesOf(value);
    const isMuch = bytes >= GROWN_BYTES;
    if (isMuch) bytes = 0;
    return isMuch;
  };
}

/** Samples in the order of their times, which are those of ticks. */
function createLine() {
  const timesMs: number[] = [];
  const values: (SampleValue | null)[] = [];
  let lastMs = -Infinity;
  let bytes = 0;
  const put = (atMs: number, value: SampleValue | null): void => {
    timesMs.push(atMs);
    values.push(value);
    bytes += bytesOf(value ?? 0);
  };
  return {
    samples: { timesMs, values },
    bytes: () => bytes,
    /** False for one that is older than those before it, or in one tick with what a deletion left: the storage has its place. */
    add: ({ atMs, value }: Pick<NewSample, 'atMs' | 'value'>): boolean => {
      if (atMs < lastMs || tickOf(atMs) < (timesMs.at(-1) ?? -Infinity)) return false;
      lastMs = atMs;
      put(tickOf(atMs), isGap(value) ? null : value);
      return true;
    },
    addRead: (slice: SampleSlice): void => {
      for (const [at, value] of slice.values.entries()) {
        put(slice.timesMs[at] ?? 0, value);
      }
      lastMs = timesMs.at(-1) ?? -Infinity;
    },
    /** False where it comes behind a later one. One that is not there is too old, or was read after it was moved. */
    move: ({ fromMs, toMs }: MovedSample): boolean => {
      const at = timesMs.lastIndexOf(fromMs);
      if (at < 0) return true;
      if ((timesMs[at + 1] ?? Infinity) < toMs) return false;
      timesMs[at] = toMs;
      lastMs = Math.max(lastMs, toMs);
      return true;
    },
    /** The last sample before the time stays: its value holds there. */
    trim: (beginMs: number): void => {
      if ((timesMs[TRIM_AT] ?? Infinity) > beginMs) return;
      const old = countUntil({ timesMs }, beginMs) - 1;
      timesMs.splice(0, old);
      for (const value of values.splice(0, old)) bytes -= bytesOf(value ?? 0);
    },
    clear: (): void => {
      for (const list of [timesMs, values]) list.length = 0;
      bytes = 0;
    },
  };
}

function tickOf(ms: number): number {
  return Math.floor(ms / TICK_MS) * TICK_MS;
}
