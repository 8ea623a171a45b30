import { type FieldError, fieldError, HubError } from '#base/hub-error.ts';
import { createWorkSlices } from '#base/work-slices.ts';
import type { HistoryStore, NewSample } from '#core/past/history/history-store.ts';
import { type GapMark, isGap, type SampleValue, type SeriesDescription } from '#core/past/history/sample.ts';
import { type ArchiveRow, createArchiveReader, type LineFault } from './archive-reader.ts';
import type { ArchiveFormat } from './sample-text.ts';

export type ImportDeps = {
  readonly history: Pick<HistoryStore, 'readSlice' | 'importSamples'>;
  /** What is recorded under this name; `undefined` if nothing is. */
  readonly findSeries: (shown: string) => ImportedSeries | undefined;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
};

export type ImportedSeries = SeriesDescription & { readonly valueType: 'number' | 'boolean' | 'text' };

export type ImportOptions = {
  readonly format: ArchiveFormat;
  /** Finds every fault and counts, but writes nothing. */
  readonly isDryRun: boolean;
  /** Leaves out lines of series that the hub does not have. */
  readonly skipUnknown: boolean;
  /** Throws if the import must not go on; called after reading and before each write. */
  readonly authorize: () => void;
};

export type ImportResult = {
  readonly lines: number;
  /** Samples that were not there, and are now. */
  readonly added: number;
  /** Samples whose series has one at that time. */
  readonly duplicates: number;
  readonly skipped: number;
  readonly series: number;
  /** The earliest time of all samples; `null` if there are none. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** The first of them; with any, nothing is written. */
  readonly faults: readonly LineFault[];
  readonly faultCount: number;
};

/** Runs an import if no other one runs. Throws HubError OVERLOADED. */
export type ImportTurn = <Result>(run: () => Promise<Result>) => Promise<Result>;

const RETRY_AFTER_S = 10;

/** Lets one import run at a time. Two at once of one archive would each miss what the other adds, and add it again. */
export function createImportTurn(): ImportTurn {
  let isRunning = false;
  return async (run) => {
    if (isRunning) {
      throw new HubError('OVERLOADED', 'Another import is under way: wait for its end.', {
        retryAfterS: RETRY_AFTER_S,
      });
    }
    isRunning = true;
    try {
      return await run();
    } finally {
      isRunning = false;
    }
  };
}

const MAX_FAULTS = 100;
/** Samples are kept to a tenth of a second. */
const TICK_MS = 100;
/** Before it no clock of a home was right. */
const FIRST_MS = Date.UTC(2000, 0);
const MAX_TEXT = 4_096;
/** One write to disk. */
const BATCH_SAMPLES = 5_000;

/**
 * Reads an archive to its end, and writes its samples if every line is right. A sample is known by its series and time, so
 * that the same archive can be imported again, as after a power cut: what is there stays.
 */
export async function importArchive(
  deps: ImportDeps,
  text: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { bySeries, ...read } = await readArchive(deps, text, options);
  // The body may have come long after its head.
  options.authorize();
  const result = { ...read, added: 0, duplicates: 0, series: bySeries.size };
  if (read.faultCount > 0) return result;
  const samples: NewSample[] = [];
  for (const part of bySeries.values()) {
    result.duplicates += await eachNew(deps, part, (sample) => void samples.push(sample));
  }
  result.added = samples.length;
  if (options.isDryRun) return result;
  const descriptions = [...bySeries.values()].map(({ series: { name, kind, unit } }) => ({ name, kind, unit }));
  let added = 0;
  for await (const batch of inBatches(samples, deps.monotonicMs)) {
    options.authorize();
    added += await deps.history.importSamples(descriptions, batch);
  }
  result.added = added;
  return result;
}

type Part = { readonly series: ImportedSeries; readonly rows: Rows };
type Rows = { readonly timesMs: number[]; readonly values: (SampleValue | GapMark)[] };
type Read = Omit<ImportResult, 'added' | 'duplicates' | 'series'> & {
  readonly bySeries: ReadonlyMap<string, Part>;
};

async function readArchive(
  { findSeries, nowMs, monotonicMs }: ImportDeps,
  text: AsyncIterable<string>,
  { format, skipUnknown }: ImportOptions,
): Promise<Read> {
  const bySeries = new Map<string, Part>();
  const seen = new Map<string, ImportedSeries | undefined>();
  const faults: LineFault[] = [];
  const counts = { lines: 0, skipped: 0, faultCount: 0 };
  let fromMs = Infinity;
  let toMs = -Infinity;
  const fault = (one: LineFault): void => {
    counts.faultCount += 1;
    if (faults.length < MAX_FAULTS) faults.push(one);
  };
  const row = ({ line, series: name, atMs, value }: ArchiveRow): void => {
    counts.lines += 1;
    if (!seen.has(name)) seen.set(name, findSeries(name));
    const series = seen.get(name);
    if (series === undefined) {
      if (skipUnknown) counts.skipped += 1;
      else fault({ line, message: 'names a series that the hub does not record' });
      return;
    }
    const message = faultOf({ atMs, value }, series, nowMs());
    if (message !== undefined) return fault({ line, message });
    fromMs = Math.min(fromMs, atMs);
    toMs = Math.max(toMs, atMs);
    const known = bySeries.get(series.name) ?? { series, rows: { timesMs: [], values: [] } };
    bySeries.set(series.name, known);
    known.rows.timesMs.push(atMs);
    known.rows.values.push(value);
  };
  const reader = createArchiveReader(format, { row, fault });
  const slices = createWorkSlices(monotonicMs);
  for await (const piece of text) {
    reader.push(piece);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  reader.end();
  const isSome = fromMs <= toMs;
  return { ...counts, faults, fromMs: isSome ? fromMs : null, toMs: isSome ? toMs : null, bySeries };
}

function faultOf(
  { atMs, value }: Pick<ArchiveRow, 'atMs' | 'value'>,
  { valueType }: ImportedSeries,
  nowMs: number,
): string | undefined {
  if (atMs < FIRST_MS) return 'has a time before the year 2000';
  if (atMs > nowMs) return 'has a time in the future';
  if (isGap(value)) return undefined;
  const wanted = valueType === 'text' ? 'string' : valueType;
  if (typeof value !== wanted) return `must have a ${valueType === 'text' ? 'text' : valueType}`;
  if (typeof value === 'string' && value.length > MAX_TEXT) return `has a text of more than ${MAX_TEXT} characters`;
  return undefined;
}

const tickOf = (atMs: number): number => Math.floor(atMs / TICK_MS);

/** Calls `take` with each sample of which the series has none at that time, and returns the number of others. */
async function eachNew(
  { history, monotonicMs }: ImportDeps,
  { series: { name: series }, rows: { timesMs, values } }: Part,
  take: (sample: NewSample) => void,
): Promise<number> {
  const slices = createWorkSlices(monotonicMs);
  // What the hub exported is in order already, and sorting a year takes longer than others may wait.
  const isSorted = timesMs.every((atMs, index) => index === 0 || (timesMs[index - 1] ?? 0) <= atMs);
  const places = [...timesMs.keys()];
  const order = isSorted ? places : places.toSorted((left, right) => (timesMs[left] ?? 0) - (timesMs[right] ?? 0));
  const at = (place: number): number => timesMs[order[place] ?? -1] ?? Infinity;
  let place = 0;
  let duplicates = 0;
  /** All before this tick; those in it are known. */
  const passTo = (tick: number): void => {
    for (; tickOf(at(place)) <= tick && place < order.length; place += 1) {
      if (tickOf(at(place)) === tick) duplicates += 1;
      else take({ series, atMs: at(place), value: values[order[place] ?? 0] ?? LOST });
    }
  };
  const range = { series, fromMs: tickOf(at(0)) * TICK_MS, toMs: (tickOf(at(order.length - 1)) + 1) * TICK_MS };
  for (let after: number | null = null; ;) {
    const slice = await history.readSlice(range, after);
    for (const timeMs of slice.timesMs) passTo(tickOf(timeMs));
    if (slice.next === null) break;
    after = slice.next;
  }
  for (; place < order.length; place += 1) {
    take({ series, atMs: at(place), value: values[order[place] ?? 0] ?? LOST });
    const pause = place % STEP === 0 ? slices.pause() : undefined;
    if (pause !== undefined) await pause;
  }
  return duplicates;
}

const LOST: GapMark = { gap: 'lost' };
const DAY_MS = 86_400_000;
/** Samples between two looks at the clock. */
const STEP = 1_000;

/** In order of time. Samples of one moment are in one batch: a later batch could not be put at the same time. */
async function* inBatches(
  samples: readonly NewSample[],
  monotonicMs: () => number,
): AsyncGenerator<readonly NewSample[], void> {
  const slices = createWorkSlices(monotonicMs);
  const byDay = new Map<number, NewSample[]>();
  for (const [index, sample] of samples.entries()) {
    const day = Math.floor(sample.atMs / DAY_MS);
    const ofDay = byDay.get(day);
    if (ofDay === undefined) byDay.set(day, [sample]);
    else ofDay.push(sample);
    const pause = index % STEP === 0 ? slices.pause() : undefined;
    if (pause !== undefined) await pause;
  }
  let batch: NewSample[] = [];
  // Sorting a day takes milliseconds, sorting all of them would take longer than others may wait.
  for (const day of [...byDay.keys()].toSorted((left, right) => left - right)) {
    const ofDay = (byDay.get(day) ?? []).toSorted((left, right) => left.atMs - right.atMs);
    for (const sample of ofDay) {
      const isCut = batch.length >= BATCH_SAMPLES && tickOf(sample.atMs) !== tickOf(batch.at(-1)?.atMs ?? 0);
      if (isCut) {
        yield batch;
        batch = [];
      }
      batch.push(sample);
    }
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  if (batch.length > 0) yield batch;
}

/** Throws HubError INVALID_IMPORT for what is no UTF-8. */
export async function* textFromBytes(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      throw new HubError('INVALID_IMPORT', 'The body is no UTF-8.', { cause });
    }
  };
  for await (const chunk of content) yield decode(chunk);
  yield decode();
}

/** Makes the error for faults, with the first of them by their lines. */
export function importRefusal({ faults, faultCount }: Pick<ImportResult, 'faults' | 'faultCount'>): HubError {
  const errors = faults.map(({ line, message }): FieldError =>
    fieldError(`/${line}`, 'INVALID_VALUE', `line ${line} ${message}`),
  );
  const lines = faultCount === 1 ? 'A line is' : `${faultCount} lines are`;
  return new HubError('INVALID_IMPORT', `${lines} not right, and nothing was imported.`, { errors });
}
