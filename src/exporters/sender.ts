import type { ExportError } from '#core/exporter/exporter.ts';
import type { ExportSample } from './export-sample.ts';

/**
 * A request ended so. `refused`: the receiver finds fault with what was sent, and may take a part of it. `failed`: it
 * would not take anything now.
 */
export type SendResult =
  | { readonly type: 'taken' }
  | { readonly type: 'refused'; readonly error: ExportError }
  | { readonly type: 'failed'; readonly error: ExportError };

/** One receiver. Never rejects for a failure, which is a result. */
export type Sender = {
  readonly maxSamples: number;
  /** Sends as many of the first samples as one request may have, at least one, and says how many those are. */
  readonly send: (
    samples: readonly ExportSample[],
    signal: AbortSignal,
  ) => Promise<{ readonly count: number; readonly result: SendResult }>;
  /** Sends one point that is no sample, and that every working receiver takes. */
  readonly probe: (signal: AbortSignal) => Promise<SendResult>;
  readonly close: () => void;
};

export function failed(
  code: ExportError['code'],
  message: string,
  detail: string | null = null,
): Extract<SendResult, { readonly type: 'failed' }> {
  return { type: 'failed', error: { code, message, detail } };
}
