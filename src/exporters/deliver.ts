import { waitMs, type StartTimer } from '#base/time/timer.ts';
import type { ExportError } from '#core/exporter/exporter.ts';
import type { ExportSample } from './export-sample.ts';
import type { Sender, SendResult } from './sender.ts';

type DeliveryDeps = {
  readonly send: (samples: readonly ExportSample[], signal: AbortSignal) => ReturnType<Sender['send']>;
  readonly probe: Sender['probe'];
  readonly maxSamples: number;
  readonly monotonicMs: () => number;
  readonly startTimer: StartTimer;
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
export function createDelivery(deps: DeliveryDeps) {
  const { send, probe, maxSamples, monotonicMs, startTimer, onTaken, onSetAside } = deps;
  /** Stays small where many samples are bad, and grows again. */
  let size = maxSamples;
  let trustedMs = -Infinity;

  const findFailure = async (refusal: ExportError, signal: AbortSignal): Promise<ExportError | undefined> => {
    if (monotonicMs() - trustedMs < TRUST_MS) return undefined;
    const result = await probe(signal);
    if (result.type === 'taken') trustedMs = monotonicMs();
    // The receiver refuses everything: its own fault, or that of the address.
    if (result.type === 'refused') return { ...refusal, code: 'bad_status' };
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
