import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import {
  asideKey,
  type Exporter,
  type ExportError,
  type ExporterState,
  markKey,
  type SetAside,
} from '#core/exporter/exporter.ts';
import { type ExportMark, markText, withSetAside } from './export-mark.ts';

/** The record knows how far an exporter has come, and how it fares. */
export type ExportRecord = ReturnType<typeof createExportRecord>;

type ExportRecordDeps = {
  readonly exporter: Pick<Exporter, 'id' | 'type'>;
  readonly mark: ExportMark;
  readonly setAside: readonly SetAside[];
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  readonly nowMs: () => number;
  readonly clock: Pick<Clock, 'monotonicMs' | 'wallMs'>;
  readonly onStatus: () => void;
  readonly log: Log;
};

/** The list of what was set aside is 20 KB at most, and may change with each sample. */
const LIST_EVERY_MS = 600_000;

export function createExportRecord(deps: ExportRecordDeps) {
  const { exporter, clock, nowMs, log } = deps;
  const { id, type } = exporter;
  const rate = createRate(clock.monotonicMs);
  let { mark, setAside } = deps;
  let error: ExportError | null = null;
  let failingSinceMs: number | null = null;
  let hasTaken = false;
  let pendingMs: number | null | undefined;
  const keeper = createKeeper(deps);

  return {
    mark: (): ExportMark => mark,
    noteTaken: (count: number, atMs: number): void => {
      rate.add(count);
      mark = { ...mark, ackedAtMs: atMs };
      const isNews = !hasTaken || failingSinceMs !== null;
      if (failingSinceMs !== null) log.info('an exporter works again', { id, type });
      hasTaken = true;
      failingSinceMs = null;
      error = null;
      if (isNews) deps.onStatus();
    },
    noteFailure: (failure: ExportError): void => {
      error = failure;
      if (failingSinceMs !== null) return;
      failingSinceMs = clock.wallMs();
      log.warn('an exporter fails; the hub tries again', { id, type, error: failure.code });
      deps.onStatus();
    },
    noteSetAside: (sample: SetAside): void => {
      if (mark.setAsideCount === 0) {
        log.warn('a receiver refuses a sample, which is set aside', { id, type, series: sample.series });
      }
      setAside = withSetAside(setAside, sample);
      keeper.noteList(setAside);
      mark = { ...mark, setAsideCount: mark.setAsideCount + 1 };
    },
    /** What the receiver lacks begins at this moment; `null`: it has everything. */
    notePending: (sinceMs: number | null): void => {
      pendingMs = sinceMs;
    },
    /** Moves the mark, which reaches the disk with the next samples. */
    moveTo: (position: number): void => {
      if (position <= mark.position) return;
      mark = { ...mark, position };
      keeper.keepMark(mark);
    },
    /** Moves the mark back to where a history that was lost goes on, which is a gap. */
    cutBackTo: (position: number): void => {
      const { gaps, countedTo } = mark;
      mark = { ...mark, position, gaps: gaps + 1, countedTo: Math.min(countedTo, position) };
      keeper.keepMark(mark);
    },
    noteLoss: ({ to, samples }: { readonly to: number; readonly samples: number }): void => {
      mark = { ...mark, gaps: mark.gaps + 1, lostSamples: mark.lostSamples + samples, countedTo: to };
      keeper.keepMark(mark);
    },
    /** Takes over a mark that is on disk already. */
    replace: (replaced: ExportMark): void => {
      mark = replaced;
    },
    /** Forgets earlier failures, because the settings have changed. */
    forgive: (): void => {
      failingSinceMs = null;
      error = null;
      hasTaken = false;
    },
    /** Gives what waits to the storage. */
    keep: (): void => {
      keeper.keepMark(mark);
      keeper.keepList();
    },
    state: (isEnabled: boolean): ExporterState => ({
      status: isEnabled ? (failingSinceMs === null ? (hasTaken ? 'ok' : 'waiting') : 'failing') : 'off',
      failingSinceMs: isEnabled ? failingSinceMs : null,
      error: isEnabled ? error : null,
      ackedAtMs: mark.ackedAtMs,
      behindS: behindS(pendingMs, nowMs()),
      rate: rate.perSecond(),
      setAsideCount: mark.setAsideCount,
      setAside,
      gaps: mark.gaps,
      lostSamples: mark.lostSamples,
    }),
  };
}

/** Gives entries of meta to the storage. */
function createKeeper({ exporter: { id }, addMeta, clock }: ExportRecordDeps) {
  let waiting: readonly SetAside[] | undefined;
  let keptMs = -Infinity;
  const keepList = (): void => {
    if (waiting === undefined) return;
    addMeta(new Map([[asideKey(id), JSON.stringify(waiting)]]));
    waiting = undefined;
    keptMs = clock.monotonicMs();
  };
  return {
    noteList: (list: readonly SetAside[]): void => {
      waiting = list;
    },
    keepMark: (mark: ExportMark): void => {
      addMeta(new Map([[markKey(id), markText(mark)]]));
      if (clock.monotonicMs() - keptMs >= LIST_EVERY_MS) keepList();
    },
    keepList,
  };
}

function behindS(pendingMs: number | null | undefined, nowMs: number): number | null {
  if (pendingMs === undefined) return null;
  return pendingMs === null ? 0 : Math.max(0, Math.round((nowMs - pendingMs) / 1000));
}

const BUCKET_MS = 10_000;
const BUCKETS = 6;

/** Counts per second over the last minute, or since the beginning if that is shorter. */
function createRate(monotonicMs: () => number): { add: (count: number) => void; perSecond: () => number } {
  const startedMs = monotonicMs();
  const buckets = new Map<number, number>();
  const current = (): number => {
    const bucket = Math.floor(monotonicMs() / BUCKET_MS);
    for (const old of buckets.keys()) if (old <= bucket - BUCKETS) buckets.delete(old);
    return bucket;
  };
  return {
    add: (count) => {
      const bucket = current();
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
    },
    perSecond: () => {
      current();
      const total = [...buckets.values()].reduce((sum, count) => sum + count, 0);
      const seconds = Math.min(BUCKET_MS * BUCKETS, Math.max(1000, monotonicMs() - startedMs)) / 1000;
      return Math.round((total / seconds) * 10) / 10;
    },
  };
}
