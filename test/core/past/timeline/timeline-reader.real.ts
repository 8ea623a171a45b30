import { countSteps } from '#test/support/attack/work-count.ts';
import { expect, test } from 'vitest';
import type { DeviceId } from '#core/device/device.ts';
import { textFromEntry } from '#core/past/timeline/timeline-line.ts';
import { readTimeline } from '#core/past/timeline/timeline-reader.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';

const LAMP = 'lamp' as DeviceId;
const HOUR_MS = 3_600_000;
/** All of a series in one slice. */
const MOMENTS = 100_000;
const CAUSE = { command: 'c1', scene: null, automation: null, run: null, depth: 0 };

/** Reads the newest line of an hour in which a lamp was commanded on and off so many times. */
function stepsOf(changes: number): Promise<number> {
  const times = Array.from({ length: changes }, (_, index) => ({
    atMs: Math.round((index * HOUR_MS) / changes),
    value: index % 2 === 0,
  }));
  const stored = createHistory(
    times.map(({ atMs, value }) => ({
      atMs,
      value: textFromEntry({ type: 'feature.changed', key: 'on', value, cause: CAUSE, by: null }),
    })),
    MOMENTS,
  );
  const sampled = createHistory(times, MOMENTS);
  const storeOf = (series: string) => (series === 'stored' ? stored : sampled);
  return countSteps(() =>
    readTimeline(
      {
        readSlice: (range, after) => storeOf(range.series).readSlice(range, after),
        findBefore: (series, atMs) => storeOf(series).findBefore(series, atMs),
      },
      {
        sources: [
          { type: 'stored', series: 'stored', device: LAMP },
          { type: 'state', key: 'on', series: 'sampled', device: LAMP },
        ],
        fromMs: 0,
        toMs: HOUR_MS,
        after: null,
        limit: 1,
        isWanted: () => true,
      },
    ),
  );
}

test('four times as many changes of one lamp cost about four times as much', async () => {
  await stepsOf(50);
  expect((await stepsOf(8_000)) / (await stepsOf(2_000))).toBeLessThan(6);
});
