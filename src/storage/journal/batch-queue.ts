import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { MovedSample, SampleBatch } from '#core/past/history/history-store.ts';
import { bytesOf, type SeriesDescription } from '#core/past/history/sample.ts';
import type { PlacedSample, SampleIntake } from '#storage/samples/sample-intake.ts';
import { TICK_MS, type Segment } from '#storage/samples/segment.ts';
import type { WaitingSamples } from '#storage/samples/waiting-samples.ts';
import type { SamplePause } from './sample-pause.ts';
import type { SeriesNames } from './series-names.ts';
import type { WaitingRow } from './waiting-row.ts';

/**
 * Takes samples one batch after the other. To find the number of a series may need a look into the file, and while that
 * fails, the batch and all after it wait: nobody sends them again.
 */
type BatchQueue = {
  readonly describe: (descriptions: readonly SeriesDescription[]) => void;
  readonly add: (batch: SampleBatch) => void;
  /** Takes what waits. Returns the failure if the file still cannot be read. */
  readonly takeWaiting: () => HubError | undefined;
};

type BatchQueueDeps = {
  readonly series: Pick<SeriesNames, 'describe' | 'take'>;
  readonly samples: Pick<WaitingSamples, 'add' | 'bytes'>;
  readonly waiting: Pick<WaitingRow, 'addSample'>;
  readonly pause: Pick<SamplePause, 'admit'>;
  readonly intake: Pick<SampleIntake, 'add'>;
  /** Called with the time of each sample. */
  readonly noteTime: (atMs: number) => void;
  readonly shiftOf: (epoch: string) => number;
  /** Called after a batch, with those of its samples that did not keep their times. */
  readonly onMoved: (moved: readonly MovedSample[]) => void;
  readonly log: Log;
};

/** An hour of a busy home. Beyond that batches are refused. */
const MAX_WAITING_BYTES = 8_000_000;

export function createBatchQueue({
  series,
  samples,
  waiting,
  pause,
  intake,
  noteTime,
  shiftOf,
  onMoved,
  log,
}: BatchQueueDeps): BatchQueue {
  /** Each may be tried again: it changes nothing before it has read what it needs. */
  const tasks: { readonly run: () => void; readonly bytes: number }[] = [];
  let bytes = 0;
  const endFirst = (): void => {
    bytes -= tasks.shift()?.bytes ?? 0;
  };
  const takeWaiting = (): HubError | undefined => {
    try {
      for (let task = tasks[0]; task !== undefined; task = tasks[0]) {
        task.run();
        endFirst();
      }
      return undefined;
    } catch (cause) {
      if (cause instanceof HubError) return cause;
      // A bug: it would fail again each time, and hold up all behind it.
      endFirst();
      throw cause;
    }
  };
  const tryTo = (run: () => void, taken: number): void => {
    tasks.push({ run, bytes: taken });
    bytes += taken;
    const failure = takeWaiting();
    if (failure !== undefined && tasks.length === 1) {
      log.warn('samples wait until the journal can be read', { cause: failure });
    }
  };
  const noteRefused = (refused: number): void => {
    if (refused > 0) log.warn('samples were dropped: they are no samples, or too many wait', { refused });
  };
  const timeOf = ({ epoch }: Segment, tick: number): number => tick * TICK_MS + shiftOf(epoch);
  const take = (batch: SampleBatch): void => {
    const numbers = new Map(batch.samples.map(({ series: name }) => [name, series.take(name).number]));
    const moved: MovedSample[] = [];
    const place = ({ segment, series: name, tick, value, movedFrom }: PlacedSample): void => {
      const number = numbers.get(name) ?? series.take(name).number;
      samples.add(number, segment, { tick, value });
      noteTime(timeOf(segment, tick));
      waiting.addSample(segment, { series: number, tick, value });
      if (movedFrom === undefined) return;
      moved.push({ series: name, fromMs: timeOf(segment, movedFrom), toMs: timeOf(segment, tick) });
    };
    const admitted = pause.admit(batch, samples.bytes());
    noteRefused(admitted.reduce((refused, each) => refused + intake.add(each, place), 0));
    if (moved.length > 0) onMoved(moved);
  };
  return {
    describe: (descriptions) => tryTo(() => series.describe(descriptions), 100 * descriptions.length),
    add: (batch) => {
      const taken = batch.samples.reduce((sum, { value }) => sum + bytesOf(value), 200);
      if (bytes + taken <= MAX_WAITING_BYTES || tasks.length === 0) tryTo(() => take(batch), taken);
      else noteRefused(batch.samples.length);
    },
    takeWaiting,
  };
}
