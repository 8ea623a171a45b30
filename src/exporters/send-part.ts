import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { RetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { Exporter, ExportError } from '#core/exporter/exporter.ts';
import type { HistoryStore, NumberedSamples } from '#core/past/history/history-store.ts';
import type { ExportRecord } from './export-record.ts';
import type { FindLabels } from '#core/past/archive/series-labels.ts';
import { type ExportSample, selectSamples } from './export-sample.ts';
import type { Sender, SendResult } from './sender.ts';

export type PartSenderDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  readonly history: Pick<HistoryStore, 'readNumbered'>;
  readonly labelsOf: FindLabels;
  readonly onGap: (exporter: Exporter, gap: ExportGap) => void;
  readonly record: ExportRecord;
  readonly delays: RetryDelays;
  /** There is one request at a time. */
  readonly inTurn: TurnQueue;
};

/** At most so many samples are gone that the receiver never got. It has what was up to `fromMs`. */
type ExportGap = { readonly samples: number; readonly fromMs: number | null };

/** The number of the next sample to send in this run. The mark on disk may be behind it. */
export type Position = { number: number };

/** New samples go together. */
const LOOK_MS = 5_000;
/** The storage's thread has others to serve while an exporter reads what is years old. */
const RESTS_PER_READING = 2;

type Way = { readonly sender: Sender; readonly from: Position };

/** Sends a part of the history. Resolves with how long to wait before the next. */
export function createPartSender(deps: PartSenderDeps) {
  const { history, record, delays, inTurn, clock, startTimer, log } = deps;
  const read = async (from: number): Promise<NumberedSamples | undefined> => {
    try {
      return await history.readNumbered(from);
    } catch (cause) {
      if (!(cause instanceof HubError)) throw cause;
      log.debug('reading the history for an exporter failed', { cause });
      return undefined;
    }
  };
  return async (exporter: Exporter, { sender, from }: Way, signal: AbortSignal): Promise<number> => {
    const startedMs = clock.monotonicMs();
    const part = await read(from.number);
    if (part === undefined) return delays.nextMs();
    if (part.isCutBack === true) {
      from.number = part.next;
      record.cutBackTo(Math.min(part.next, part.safe));
      log.warn('the history that an exporter had come to is gone; it goes on with what is there', { id: exporter.id });
      deps.onGap(exporter, { samples: 0, fromMs: record.mark().ackedAtMs });
      return 0;
    }
    const restMs = (clock.monotonicMs() - startedMs) * RESTS_PER_READING;
    noteLosses(record, part, (gap) => deps.onGap(exporter, gap));
    const samples = selectSamples(part.samples, exporter, deps.labelsOf);
    record.notePending(samples[0]?.atMs ?? null);
    const reach = (upTo: number): void => {
      from.number = upTo >= samples.length ? part.next : resumeAt(samples, upTo);
      record.moveTo(Math.min(from.number, part.safe));
      record.notePending(samples[upTo]?.atMs ?? null);
    };
    const deliver = createDelivery({
      send: (some, ending) => inTurn(() => sender.send(some, ending)),
      probe: (ending) => inTurn(() => sender.probe(ending)),
      maxSamples: sender.maxSamples,
      monotonicMs: clock.monotonicMs,
      startTimer,
      onTaken: (count, upTo) => {
        delays.reset();
        record.noteTaken(count, samples[upTo - 1]?.atMs ?? 0);
        reach(upTo);
      },
      onSetAside: ({ series, atMs, value }, error, upTo) => {
        record.noteSetAside({ series, atMs, value, error });
        reach(upTo);
      },
    });
    const failure = await deliver(samples, signal);
    if (signal.aborted) return 0;
    if (failure !== undefined) {
      record.noteFailure(failure);
      return delays.nextMs();
    }
    if (part.hidden > 0) {
      record.noteLoss({ to: record.mark().countedTo, samples: part.hidden });
      deps.onGap(exporter, { samples: part.hidden, fromMs: record.mark().ackedAtMs });
    }
    from.number = part.next;
    record.moveTo(Math.min(part.next, part.safe));
    return part.isEnd ? LOOK_MS : restMs;
  };
}

/**
 * The number to read from again. A part begins with a whole tenth of a second, so a tenth of which only some is sent is
 * read, and sent, once more.
 */
function resumeAt(samples: readonly ExportSample[], index: number): number {
  let first = index;
  while (first > 0 && samples[first - 1]?.tenthMs === samples[index]?.tenthMs) first -= 1;
  return samples[first]?.number ?? 0;
}

/** Notes the samples that were forgotten before this reader came to them. */
function noteLosses(record: ExportRecord, part: NumberedSamples, onGap: (gap: ExportGap) => void): void {
  for (const { to, samples } of part.forgotten) {
    const { position, countedTo, ackedAtMs } = record.mark();
    if (to <= countedTo || to <= position) continue;
    record.noteLoss({ to, samples });
    onGap({ samples, fromMs: ackedAtMs });
  }
}

type DeliveryDeps = Pick<Runtime, 'monotonicMs' | 'startTimer'> & {
  readonly send: (samples: readonly ExportSample[], signal: AbortSignal) => ReturnType<Sender['send']>;
  readonly probe: Sender['probe'];
  readonly maxSamples: number;
  /** The receiver has the samples up to this index, without it. */
  readonly onTaken: (count: number, upTo: number) => void;
  /** This one is refused although the receiver takes others. */
  readonly onSetAside: (sample: ExportSample, error: ExportError, upTo: number) => void;
};

/** More would take too much of a Raspberry Pi, and of what receives. */
const MS_PER_SAMPLE = 0.5;
/** For this long it is believed that the receiver takes something. */
const TRUST_MS = 10_000;

/**
 * Sends samples in their order, and halves what is refused until the bad sample is found. Resolves with the failure that
 * stopped it, or `undefined` at the end. What the receiver refuses counts as bad only while it takes a point that is good.
 */
function createDelivery(deps: DeliveryDeps) {
  const { send, probe, maxSamples, monotonicMs, startTimer, onTaken, onSetAside } = deps;
  /** Stays small where many samples are bad, and grows again. */
  let size = maxSamples;
  let trustedMs = -Infinity;

  const findFailure = async (refusal: ExportError, signal: AbortSignal): Promise<ExportError | undefined> => {
    if (monotonicMs() - trustedMs < TRUST_MS) return undefined;
    const result = await probe(signal);
    if (result.type === 'taken') trustedMs = monotonicMs();
    // The receiver refuses everything: its own fault, or that of the address.
    if (result.type === 'refused') {
      return { ...refusal, code: 'bad_status', reason: { id: 'bad_status', with: refusal.reason?.with ?? {} } };
    }
    return result.type === 'failed' ? result.error : undefined;
  };
  return async (samples: readonly ExportSample[], signal: AbortSignal): Promise<ExportError | undefined> => {
    for (let index = 0; index < samples.length;) {
      const startedMs = monotonicMs();
      const { count, result }: { count: number; result: SendResult } = await send(
        samples.slice(index, index + size),
        signal,
      );
      if (result.type === 'failed') return result.error;
      if (result.type === 'taken') {
        index += count;
        onTaken(count, index);
        size = Math.min(maxSamples, size * 2);
      } else if (count > 1) {
        size = Math.ceil(count / 2);
      } else {
        const failure = await findFailure(result.error, signal);
        if (failure !== undefined) return failure;
        const bad = samples[index];
        index += 1;
        if (bad !== undefined) onSetAside(bad, result.error, index);
        size = 2;
      }
      const leftMs = count * MS_PER_SAMPLE - (monotonicMs() - startedMs);
      if (leftMs >= 1) await waitMs(leftMs, startTimer, signal);
      if (signal.aborted) return undefined;
    }
    return undefined;
  };
}
