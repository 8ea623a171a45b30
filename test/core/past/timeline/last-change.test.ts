import { describe, expect, test } from 'vitest';
import type { DeviceId } from '#core/device/device.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { type Sample, timelineOf } from '#core/past/history/sample.ts';
import type { UserId } from '#core/person/user.ts';
import { findLastChange } from '#core/past/timeline/last-change.ts';
import { type StoredEntry, textFromEntry } from '#core/past/timeline/timeline-line.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';

const LAMP = 'lamp' as DeviceId;
const CAUSE = { command: 'c1', scene: null, automation: null, run: null, depth: 0 };
const BY = { type: 'session', id: 's1', userId: 'ada' as UserId } as const;
const MINUTE_MS = 60_000;
const CHANGED: StoredEntry = { type: 'feature.changed', key: 'brightness', value: 40, cause: CAUSE, by: BY };

type Kept = { readonly samples: readonly Sample[]; readonly lines?: readonly (readonly [atMs: number, StoredEntry])[] };

function find({ samples, lines = [] }: Kept, beforeMs = 60 * MINUTE_MS) {
  const stored = createHistory(lines.map(([atMs, entry]) => ({ atMs, value: textFromEntry(entry) })));
  const values = createHistory(samples);
  const of = (series: string): HistoryStore => (series === timelineOf(LAMP) ? stored : values);
  const store = {
    readSlice: ((range, after) => of(range.series).readSlice(range, after)) as HistoryStore['readSlice'],
    findBefore: ((series, atMs) => of(series).findBefore(series, atMs)) as HistoryStore['findBefore'],
  };
  return findLastChange(store, { device: LAMP, key: 'brightness', kind: 'state' }, beforeMs);
}

describe('the last change of a feature', () => {
  const samples = [
    { atMs: MINUTE_MS, value: 10 },
    { atMs: 5 * MINUTE_MS, value: 40 },
    { atMs: 9 * MINUTE_MS, value: 70 },
  ];

  test('has its cause where the logbook keeps one', async () => {
    const kept = { samples, lines: [[5 * MINUTE_MS, CHANGED]] } as const;
    expect(await find(kept, 6 * MINUTE_MS)).toMatchObject({ value: 40, cause: CAUSE, by: BY, isSeen: true });
    expect(await find(kept)).toMatchObject({ value: 70, cause: null, by: null, isSeen: true });
  });

  test('on the way of a dimming lamp has the cause of the value beside it', async () => {
    const dimming = [...samples.slice(0, 2), { atMs: 5 * MINUTE_MS + 900, value: 44 }];
    expect(await find({ samples: dimming, lines: [[5 * MINUTE_MS, CHANGED]] })).toMatchObject({
      value: 44,
      cause: CAUSE,
    });
  });

  test('is no evidence where the hub was off before it, or lines were left out', async () => {
    const gap = { atMs: 7 * MINUTE_MS, value: { gap: 'hub_off' } } as const;
    expect(await find({ samples: [...samples.slice(0, 2), gap, ...samples.slice(2)] })).toMatchObject({
      value: 70,
      isSeen: false,
    });
    const skipped = [10 * MINUTE_MS, { type: 'lines.skipped', count: 4 }] as const;
    expect(await find({ samples, lines: [skipped] })).toMatchObject({ value: 70, isSeen: false });
  });

  test('is not known where nothing is kept', async () => {
    expect(await find({ samples: [] })).toBeUndefined();
  });
});
