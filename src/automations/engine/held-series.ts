import { countUntil } from '#core/automation-replay/recorded/past-value.ts';
import type { RecordedSeries } from '#core/automation-replay/simulation.ts';
import type { HistoryStore, NewSample } from '#core/history/history-store.ts';
import { isGap, type SampleValue } from '#core/history/sample.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { HeardSamples } from '#core/history/sample-sender.ts';

/** A series from so long ago up to now. */
export type HeldSeries = {
  readonly series: string;
  readonly spanMs: number;
  readonly count: () => number;
  /** `undefined`: it is not read. */
  readonly samples: () => Pick<RecordedSeries, 'timesMs' | 'values'> | undefined;
  /** Reads it. Rejects if that fails. */
  readonly read: () => Promise<void>;
  readonly hear: (sample: NewSample) => void;
  readonly state: () => HeldState;
  /** It takes no memory from then on. */
  readonly end: (how: 'unknown' | 'over') => void;
};
/** `over`: another one took its place, or nobody asks. */
type HeldState = 'reading' | 'known' | 'unknown' | 'over';

export type HeldSeriesDeps = {
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
/** What comes after a write in the same tick is stored in the next one; of two writes in one tick in the one after that. */
const HEARD_AFTER_MS = 3 * TICK_MS;
/** So many samples that are too old go at once. */
const TRIM_AT = 1_000;

export function holdSeries(
  deps: HeldSeriesDeps,
  { series, spanMs }: Pick<HeldSeries, 'series' | 'spanMs'>,
): HeldSeries {
  const { history, heard, nowMs, wait } = deps;
  let state: HeldState = 'reading';
  const timesMs: number[] = [];
  const values: (SampleValue | null)[] = [];
  /** Made since the reading was asked for. */
  const fresh: NewSample[] = [];
  let lastMs = -Infinity;

  /** False for one that is older than those before it, or in one tick with what a deletion left: the storage has its place. */
  const add = ({ atMs, value }: Pick<NewSample, 'atMs' | 'value'>): boolean => {
    if (atMs < lastMs || tickOf(atMs) < (timesMs.at(-1) ?? -Infinity)) return false;
    lastMs = atMs;
    timesMs.push(tickOf(atMs));
    values.push(isGap(value) ? null : value);
    return true;
  };
  /** The last sample before the time stays: its value holds there. */
  const trim = (presentMs: number | undefined): void => {
    if (presentMs === undefined || (timesMs[TRIM_AT] ?? Infinity) > presentMs - spanMs) return;
    const old = countUntil({ timesMs }, presentMs - spanMs) - 1;
    timesMs.splice(0, old);
    values.splice(0, old);
  };
  const end = (how: 'unknown' | 'over'): void => {
    state = how;
    for (const list of [timesMs, values, fresh]) list.length = 0;
  };
  const isReading = (): boolean => state === 'reading';
  /** False if it was given up meanwhile. */
  const readSlices = async (range: { readonly fromMs: number; readonly toMs: number }): Promise<boolean> => {
    const before = await history.findBefore(series, range.fromMs);
    if (before !== null) add(before);
    for (let after: number | null = null; isReading();) {
      const slice = await history.readSlice({ series, ...range }, after);
      if (!isReading()) break;
      for (const [at, value] of slice.values.entries()) {
        timesMs.push(slice.timesMs[at] ?? 0);
        values.push(value);
      }
      lastMs = timesMs.at(-1) ?? -Infinity;
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
      state = 'known';
      if (!isWhole || !since.every(add)) deps.onStale(held);
    });
  };
  const held: HeldSeries = {
    series,
    spanMs,
    count: () => timesMs.length,
    samples: () => (state === 'known' ? { timesMs, values } : undefined),
    read,
    hear: (sample) => {
      if (isReading()) fresh.push(sample);
      if (state !== 'known') return;
      if (!add(sample)) return deps.onStale(held);
      trim(nowMs());
      if (timesMs.length % TRIM_AT === 0) deps.onGrown(held);
    },
    state: () => state,
    end,
  };
  return held;
}

function tickOf(ms: number): number {
  return Math.floor(ms / TICK_MS) * TICK_MS;
}
