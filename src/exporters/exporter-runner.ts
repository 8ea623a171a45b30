import { createRetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Exporter, ExporterState, ExportTest, SetAside } from '#core/exporter/exporter.ts';
import type { ExportMark } from './export-mark.ts';
import { createExportRecord } from './export-record.ts';
import { createPartSender, type PartSenderDeps, type Position } from './send-part.ts';
import type { Sender } from './sender.ts';

/** Sends the history to one receiver, from its mark on: what is years old, and what comes, is one way. */
export type ExporterRunner = ReturnType<typeof createExporterRunner>;

export type ExporterRunnerDeps = Omit<PartSenderDeps, 'record' | 'delays' | 'inTurn'> & {
  readonly openSender: (exporter: Exporter) => Sender;
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  readonly onStatus: (exporter: Exporter) => void;
  readonly nowMs: () => number;
  readonly random: () => number;
};

type RunnerStart = {
  readonly exporter: Exporter;
  readonly mark: ExportMark;
  readonly setAside: readonly SetAside[];
};

const RETRY_DELAYS = { minMs: 1_000, maxMs: 300_000 };

export function createExporterRunner(deps: ExporterRunnerDeps, first: RunnerStart) {
  const { clock, startTimer, log } = deps;
  let { exporter } = first;
  const { id } = exporter;
  const inTurn = createTurnQueue();
  const delays = createRetryDelays(RETRY_DELAYS, deps.random);
  const record = createExportRecord({ ...deps, ...first, onStatus: () => deps.onStatus(exporter) });
  let pause = new AbortController();
  const ended = new AbortController();

  const sendPart = createPartSender({ ...deps, record, delays, inTurn });
  const run = async (signal: AbortSignal): Promise<void> => {
    const sender = deps.openSender(exporter);
    const from: Position = { number: record.mark().position };
    try {
      while (!signal.aborted) {
        // A bug: nothing may be left out, so the same is tried again.
        const restMs = await sendPart(exporter, { sender, from }, signal).catch((cause: unknown) => {
          log.error('a part of the history could not be sent', { id, cause });
          return delays.nextMs();
        });
        pause = new AbortController();
        if (!signal.aborted && restMs > 0) await waitMs(restMs, startTimer, AbortSignal.any([pause.signal, signal]));
      }
    } finally {
      sender.close();
    }
  };
  const start = (): (() => Promise<void>) => {
    if (!exporter.enabled) return () => Promise.resolve();
    const running = new AbortController();
    const finished = run(running.signal).catch((cause: unknown) => log.error('an exporter ended', { id, cause }));
    return () => {
      running.abort();
      return finished;
    };
  };

  let stopRun = start();
  return {
    /** Takes over changed settings, and a mark that is on disk already. Breaks off what is under way. */
    change: async (changed: Exporter, mark?: ExportMark): Promise<void> => {
      await stopRun();
      if (mark !== undefined) record.replace(mark);
      exporter = changed;
      delays.reset();
      record.forgive();
      stopRun = start();
    },
    state: (): ExporterState => record.state(exporter.enabled),
    mark: record.mark,
    /** Waits for the request under way, then calls `authorize`. */
    test: (authorize?: () => void): Promise<ExportTest> =>
      inTurn(async () => {
        authorize?.();
        const sender = deps.openSender(exporter);
        const startedMs = clock.monotonicMs();
        const atMs = clock.wallMs();
        try {
          const result = await sender.probe(ended.signal);
          if (result.type === 'taken') pause.abort();
          const ms = Math.round(clock.monotonicMs() - startedMs);
          return { atMs, ms, error: result.type === 'taken' ? null : result.error };
        } finally {
          sender.close();
        }
      }),
    stop: async (): Promise<void> => {
      ended.abort();
      await stopRun();
      record.keep();
    },
  };
}
