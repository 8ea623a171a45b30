import { expect, test } from 'vitest';
import type { UserId } from '#core/person/user.ts';
import { forgetOldPresence, forgetPerson, withRecentPresence } from '#core/past/answer/presence-history.ts';
import { readTieredHistory } from '#core/past/hour/hour-query.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';

const DAY_MS = 86_400_000;
const ADA = 'presence/ada';
const isPerson = (id: UserId): boolean => id === 'ada';
const forgetTraces = async (): Promise<void> => undefined;

/** Ada comes and goes every day, and so does Bob, who has no account; the mode changes as often. */
async function openHome(days: number) {
  const storage = storageInProcess(await createBench().openOwned());
  const { history } = storage;
  for (const series of [ADA, 'presence/bob', 'mode/home']) {
    history.describeSeries([{ name: series, kind: 'state', unit: null }]);
  }
  for (let day = 0; day < days; day += 1) {
    const atMs = NOW_MS + day * DAY_MS;
    const samples = [ADA, 'presence/bob', 'mode/home'].flatMap((series) => [
      { series, atMs, value: 'home' },
      { series, atMs: atMs + DAY_MS / 2, value: 'away' },
    ]);
    history.append({ epoch: 'e1', samples: samples.toSorted((left, right) => left.atMs - right.atMs) });
  }
  await history.flush();
  const nowMs = NOW_MS + days * DAY_MS;
  const hubClock = { nowMs: () => nowMs, isSynced: () => true };
  const timesOf = async (store: typeof history, series: string): Promise<number[]> => {
    const slice = await store.readSlice({ series, fromMs: 0, toMs: nowMs }, null);
    return [...slice.timesMs].map((atMs) => (atMs - nowMs) / DAY_MS);
  };
  return { storage, history, nowMs, hubClock, timesOf };
}

test('nobody reads a presence of more than 30 days ago, and everything else as it is', async () => {
  const { storage, nowMs, timesOf } = await openHome(40);
  const recent = withRecentPresence(storage, () => nowMs);
  expect(await timesOf(recent.history, ADA)).toHaveLength(60);
  expect(await timesOf(recent.history, 'mode/home')).toHaveLength(80);
  expect(await recent.history.findBefore(ADA, nowMs - 31 * DAY_MS)).toBeNull();
  const held = await recent.history.findBefore(ADA, nowMs - 29.9 * DAY_MS);
  expect(held).toEqual({ atMs: nowMs - 30 * DAY_MS, value: 'home' });
  const { series } = await recent.history.listSeries(null);
  expect(series.map(({ name, firstMs }) => [name, (firstMs - nowMs) / DAY_MS])).toEqual([
    ['mode/home', -40],
    [ADA, -30],
    ['presence/bob', -30],
  ]);
  const zone = createTimeZone('UTC');
  const range = { fromMs: NOW_MS, toMs: nowMs };
  const chartOf = async (name: string) => {
    const query = { series: name, kind: 'state', unit: null, ...range } as const;
    const found = await readTieredHistory(recent, { ...query, detail: { type: 'points', points: 1000, zone } });
    return found.rows.type === 'values' ? found.rows.points.length : undefined;
  };
  expect([await chartOf(ADA), await chartOf('mode/home')]).toEqual([60, 80]);
  const { rows } = await readTieredHistory(recent, {
    series: ADA,
    kind: 'state',
    unit: null,
    ...range,
    detail: { type: 'buckets', bucket: '1d', zone },
  });
  const days = rows.type === 'state' ? rows.buckets.map(({ heldMs }) => heldMs !== null) : [];
  expect(days.filter((isKnown) => !isKnown).length).toBe(10);
  expect(days.slice(10).every(Boolean)).toBe(true);
});

test('what is imported of an older presence is left out', async () => {
  const { storage, nowMs, timesOf } = await openHome(40);
  const recent = withRecentPresence(storage, () => nowMs);
  const times = [nowMs - 35 * DAY_MS + 1000, nowMs - 5 * DAY_MS + 1000];
  const samples = times.map((atMs) => ({ series: ADA, atMs, value: 'away' }));
  expect(await recent.history.importSamples([{ name: ADA, kind: 'state', unit: null }], samples)).toBe(1);
  expect(await timesOf(storage.history, ADA)).toHaveLength(81);
});

test('an old presence is overwritten within a month of when nobody reads it any more', async () => {
  const { history, hubClock, timesOf } = await openHome(59);
  await forgetOldPresence({ history, hubClock, isPerson, forgetTraces });
  expect(await timesOf(history, ADA)).toHaveLength(118);
  const later = await openHome(61);
  await forgetOldPresence({ ...later, isPerson, forgetTraces });
  const left = await later.timesOf(later.history, ADA);
  expect(left[0]).toBe(-30);
  expect(left).toHaveLength(60);
  expect(await later.timesOf(later.history, 'mode/home')).toHaveLength(122);
});

test('the presence of a person who has no account any more is deleted', async () => {
  const { history, hubClock, nowMs, timesOf } = await openHome(2);
  await forgetOldPresence({ history, hubClock, isPerson, forgetTraces });
  expect(await timesOf(history, 'presence/bob')).toEqual([]);
  expect(await timesOf(history, ADA)).toHaveLength(4);
  await forgetPerson({ history, forgetTraces }, 'ada' as UserId, nowMs);
  expect(await timesOf(history, ADA)).toEqual([]);
  expect((await history.listSeries(null)).series.map(({ name }) => name)).toEqual(['mode/home']);
});

test('the traces of automations go before the samples: while they cannot, the next upkeep has both to delete', async () => {
  const { history, hubClock, timesOf } = await openHome(2);
  const full = (): Promise<void> => Promise.reject(new Error('the disk is full'));
  await expect(forgetOldPresence({ history, hubClock, isPerson, forgetTraces: full })).rejects.toThrow('full');
  expect(await timesOf(history, 'presence/bob')).toHaveLength(4);
  let toMs = 0;
  const noted = async (range: { readonly toMs: number }): Promise<void> => void (toMs = range.toMs);
  await forgetOldPresence({ history, hubClock, isPerson, forgetTraces: noted });
  expect(toMs).toBeGreaterThanOrEqual(hubClock.nowMs());
  expect(await timesOf(history, 'presence/bob')).toEqual([]);
});
