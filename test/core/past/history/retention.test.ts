import { expect, test } from 'vitest';
import type { HistoryLimits } from '#core/past/history/history-store.ts';
import { forgetOldHistory, monthLimit, USUAL_HISTORY } from '#core/past/history/history-settings.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const GIB = 1024 ** 3;
const DAY_MS = 86_400_000;
const NOW_MS = 1_795_000_000_000;

async function run({ settings = USUAL_HISTORY, isSynced = true, diskBytes = 100 * GIB, months = ['2025-09'] }) {
  const { log, lines } = createRecordingLog();
  const asked: HistoryLimits[] = [];
  await forgetOldHistory({
    history: {
      forgetMonths: async (limits) => {
        asked.push(limits);
        return months;
      },
    },
    hubClock: { nowMs: () => NOW_MS, isSynced: () => isSynced },
    settings,
    diskBytes,
    log,
  });
  return { asked, lines };
}

test('history is kept for 400 days, in 1 GiB at most, and what goes is logged', async () => {
  const { asked, lines } = await run({});
  expect(asked).toEqual([{ keepFromMs: NOW_MS - 400 * DAY_MS, maxBytes: GIB }]);
  expect(lines.join()).toContain('2025-09');
});

test('history takes a tenth of a small disk at most', async () => {
  const { asked, lines } = await run({ diskBytes: 4 * GIB, months: [] });
  expect(asked[0]?.maxBytes).toBe(0.4 * GIB);
  expect(lines).toEqual([]);
});

test('history is kept as long, and takes as much, as a person decided', async () => {
  const { asked } = await run({ settings: { rawDays: 30, maxBytes: 5_000_000, per: [] }, months: [] });
  expect(asked).toEqual([{ keepFromMs: NOW_MS - 30 * DAY_MS, maxBytes: 5_000_000 }]);
});

test('a clock that may be wrong removes nothing', async () => {
  expect((await run({ isSynced: false })).asked).toEqual([]);
});

test('the month that is open takes half at most, and recording ends at twice the limit while nothing may be removed', () => {
  const limit = (isSynced: boolean, ofMonth: number, ofAll: number): number =>
    monthLimit(
      {
        hubClock: { nowMs: () => NOW_MS, isSynced: () => isSynced },
        settings: { rawDays: 30, maxBytes: 100, per: [] },
        diskBytes: GIB,
      },
      { ofMonth, ofAll },
    );
  expect(limit(true, 10, 100)).toBe(50);
  expect(limit(true, 10, 1_000), 'months go within the hour').toBe(50);
  expect(limit(false, 10, 100)).toBe(50);
  expect(limit(false, 10, 195), 'five are left').toBe(15);
  expect(limit(false, 10, 300)).toBeLessThan(10);
});
