import { HubError } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import type { HistoryStore, SampleSlice } from '#core/past/history/history-store.ts';
import { isGap, RUN_SERIES, type Sample } from '#core/past/history/sample.ts';
import { markOf } from '#core/past/history/thinning.ts';
import type { HourStore } from '#core/past/hour/hour-store.ts';
import { houseSeriesFrom } from '#core/past/history/house-series.ts';
import { type Missing, SIMULATION_LIMITS, type TimeWindow } from '#core/automation-replay/simulation.ts';
import type { UsedSeries } from './used-series.ts';

const HOUR_MS = 3_600_000;
/** Runs, holds and thresholds begin in the middle of what they do. */
const WARM_UP_MS = 24 * HOUR_MS;

export type RecordedSource = {
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice'>;
  readonly hours: Pick<HourStore, 'readSamplesFrom'>;
  readonly isRecorded: (device: Device, key: string) => boolean;
};

export type ReadingRequest = {
  readonly used: UsedSeries;
  readonly window: TimeWindow;
  /** Series that are held at a value need not be read, but for what looks back. */
  readonly inputs: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Takes a part of a series, in order. Its times may be taken away. */
  readonly take: (series: string, part: Omit<SampleSlice, 'next'>) => void;
};

type ReadRecorded = { readonly startMs: number; readonly missing: readonly Missing[] };

/**
 * Reads what a replay looks at, slice by slice, so that others read in between. Throws HubError HISTORY_NOT_KEPT where
 * only hours are left of all of it, and SIMULATION_TOO_LARGE.
 */
export async function readRecorded(source: RecordedSource, request: ReadingRequest): Promise<ReadRecorded> {
  const { used, window, inputs, signal } = request;
  const startMs = window.fromMs - WARM_UP_MS;
  const missing: Missing[] = used.unkept.map((series) => ({ ...window, series, reason: 'not_recorded' }));
  let left = SIMULATION_LIMITS.samples;
  const read = async (series: string, fromMs: number): Promise<number | null> => {
    const found = await readSeries(source, { series, fromMs, toMs: window.toMs }, { ...request, left });
    left -= found.count;
    return found.firstMs;
  };
  const kept: boolean[] = [];
  for (const name of used.own.keys()) {
    if (inputs.has(name)) continue;
    signal.throwIfAborted();
    const firstMs = await read(name, startMs - used.overMs);
    await read(markOf(name), window.fromMs - HOUR_MS);
    const gone = await goneOf(source, { name, used, firstMs, window });
    missing.push(...gone);
    kept.push(!gone.some(({ reason, toMs }) => reason === 'only_hours' && toMs === window.toMs));
  }
  if (kept.length > 0 && kept.every((isKept) => !isKept)) {
    throw new HubError('HISTORY_NOT_KEPT', 'Of that time only hours are left, and a replay needs every change.');
  }
  for (const name of used.beside) {
    const firstMs = await read(name, startMs);
    // Before its first run the hub was off all the time, which a series without samples says.
    if (name === RUN_SERIES && firstMs === null)
      request.take(name, { timesMs: new Float64Array(), values: [], gaps: new Map() });
  }
  return { startMs, missing };
}

type Reading = Pick<ReadingRequest, 'signal' | 'take'> & { readonly left: number };

/** With the last sample before the range, because its value holds there. */
async function readSeries(
  { history }: RecordedSource,
  range: TimeWindow & { readonly series: string },
  { signal, take, left }: Reading,
): Promise<{ readonly count: number; readonly firstMs: number | null }> {
  const before = await history.findBefore(range.series, range.fromMs);
  if (before !== null) take(range.series, partOf(before));
  let count = before === null ? 0 : 1;
  let firstMs = before?.atMs ?? null;
  for (let afterMs: number | null = null; ;) {
    signal.throwIfAborted();
    const { next, ...part }: SampleSlice = await history.readSlice(range, afterMs);
    count += part.values.length;
    if (count > left) throw tooLarge();
    firstMs ??= part.timesMs[0] ?? null;
    if (part.values.length > 0) take(range.series, part);
    if (next === null) return { count, firstMs };
    afterMs = next;
  }
}

function partOf({ atMs, value }: Sample): Omit<SampleSlice, 'next'> {
  return {
    timesMs: new Float64Array([atMs]),
    values: [isGap(value) ? null : value],
    gaps: isGap(value) ? new Map([[0, value]]) : new Map(),
  };
}

type Gone = {
  readonly name: string;
  readonly used: UsedSeries;
  readonly firstMs: number | null;
  readonly window: TimeWindow;
};

/** The time before the first sample, of which nothing is known but perhaps the hours. */
async function goneOf(source: RecordedSource, { name, used, firstMs, window }: Gone): Promise<readonly Missing[]> {
  const { fromMs, toMs } = window;
  if (firstMs !== null && firstMs <= fromMs) return [];
  const endMs = Math.min(toMs, firstMs ?? Infinity);
  const samplesFromMs = await source.hours.readSamplesFrom(name);
  if (samplesFromMs > fromMs) {
    const onlyTo = { series: name, fromMs, toMs: Math.min(endMs, samplesFromMs), reason: 'only_hours' } as const;
    return endMs > samplesFromMs
      ? [onlyTo, { series: name, fromMs: samplesFromMs, toMs: endMs, reason: 'not_recorded' }]
      : [onlyTo];
  }
  return isQuiet(source, name, used) ? [] : [{ series: name, fromMs, toMs: endMs, reason: 'not_recorded' }];
}

/** A button that nobody pressed has no samples, although it is recorded. */
function isQuiet({ isRecorded }: RecordedSource, name: string, { devices }: UsedSeries): boolean {
  if (houseSeriesFrom(name) !== undefined) return false;
  const slash = name.indexOf('/');
  const key = name.slice(slash + 1);
  const device = devices.find(({ id }) => id === name.slice(0, slash));
  return device?.features.find((one) => one.key === key)?.kind === 'event' && isRecorded(device, key);
}

export function tooLarge(): HubError {
  return new HubError(
    'SIMULATION_TOO_LARGE',
    'So much happened in that time that replaying it would take too long. Ask for a shorter time.',
  );
}
