import { expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { DeletionRange, SeriesSummary } from '#core/past/history/history-store.ts';
import { openHistorySettings } from '#core/past/history/history-settings.ts';
import { retireSamples } from '#core/past/hour/retire-samples.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-22T16:30:00Z');

type Given = { readonly ageDays?: number; readonly isSynced?: boolean; readonly rawDays?: number | null };

/** Two lamps, one of which has a rule of 30 days, and series that are so many days old. */
async function run({ ageDays = 61, isSynced = true, rawDays = 30 }: Given = {}) {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a'), lamp('b')]);
  const meta = new Map<string, string>();
  const store = { loadMeta: async () => meta, putMeta: async () => undefined };
  const settings = await openHistorySettings(store, createRecordingLog().log);
  const rule = { match: { device: home.device('a').id }, recording: 'auto', rawDays } as const;
  await settings.update({ per: [rule] }, () => undefined);
  const ids = [home.device('a').id, home.device('b').id, '00000000-0000-7000-8000-000000000000'];
  const names = [...ids.flatMap((id) => [`${id}/temperature`, `${id}/gone`, `${id}/availability`]), 'a/temperature'];
  const firstMs = NOW_MS - ageDays * DAY_MS;
  const all = names.map((name): SeriesSummary => ({
    name,
    kind: 'gauge',
    unit: null,
    firstMs,
    lastMs: NOW_MS,
    count: 9,
    bytes: 9,
  }));
  const deleted: DeletionRange[] = [];
  await retireSamples({
    history: {
      listSeries: async (after) =>
        after === null ? { series: all.slice(0, 2), next: 'more' } : { series: all.slice(2), next: null },
      deleteSamples: async (ranges) => void deleted.push(...ranges),
    },
    settings,
    findDevice: home.registry.findDevice,
    hubClock: { nowMs: () => NOW_MS, isSynced: () => isSynced },
    timeZone: () => createTimeZone('Europe/Berlin'),
  });
  return { deleted, series: names[0] };
}

test('what a rule keeps for fewer days goes up to a local midnight, and its hours stay', async () => {
  const { deleted, series } = await run();
  const toMs = Date.parse('2026-10-23T00:00:00+02:00');
  expect(deleted).toEqual([{ series, fromMs: -Infinity, toMs, retires: 'samples' }]);
});

test.each([
  ['before there is a month of it', { ageDays: 59 }],
  ['while the clock may be wrong', { isSynced: false }],
  ['without such a rule', { rawDays: null }],
])('nothing goes %s', async (_, given) => {
  expect((await run(given)).deleted).toEqual([]);
});
