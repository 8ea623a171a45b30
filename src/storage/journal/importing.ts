import type { NewSample } from '#core/past/history/history-store.ts';
import { RUN_SERIES, type SeriesDescription } from '#core/past/history/sample.ts';
import { HubError } from '#base/hub-error.ts';
import type { Journal } from './journal.ts';

/** Counts its times as the hub does: no synchronisation of a clock moves them. */
const IMPORTED = 'imported';

/**
 * Adds samples of the past to the journal, from where they reach the files of their months like all others. The last sample
 * comes again after them in the same flush: a start after a power cut takes the newest one for the end of the last run.
 */
export function importSamples(
  journal: Journal,
  descriptions: readonly SeriesDescription[],
  samples: readonly NewSample[],
): void {
  if (journal.pausedSinceMs() !== null) {
    throw new HubError('STORAGE_UNAVAILABLE', 'The disk takes no samples at the moment.');
  }
  const lastMs = journal.lastSampleMs();
  const last = journal
    .segments()
    .reduce<{ number: number; epoch: string } | undefined>(
      (latest, segment) => (latest === undefined || segment.number > latest.number ? segment : latest),
      undefined,
    );
  journal.describeSeries(descriptions);
  journal.addSamples({ epoch: IMPORTED, samples });
  if (lastMs === null || last === undefined) return;
  const atMs = lastMs - journal.shiftOf(last.epoch);
  journal.addSamples({ epoch: last.epoch, samples: [{ series: RUN_SERIES, atMs, value: true }] });
}
