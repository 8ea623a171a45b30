import { expect, test } from 'vitest';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { findWhy, type WhyDeps } from '#core/automation-run/why/why-finder.ts';
import { RUN_SERIES, type Sample } from '#core/past/history/sample.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { AUTOMATION } from '#test/core/automation-run/trace/trace-makers.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 10 * HOUR_MS;
const STARTED: readonly Sample[] = [
  { atMs: 0, value: true },
  { atMs: 4 * HOUR_MS, value: true },
];
const GONE = { atMs: 2 * HOUR_MS, value: { gap: 'hub_off' } } as const;

/** Why nothing happened at that hour, with these samples of the hub's own series and of the availability of a lamp. */
async function why(
  atHour: number,
  series: Readonly<Record<string, readonly Sample[]>>,
  {
    history = {},
    triggers = [],
  }: { readonly history?: Partial<WhyDeps['history']>; readonly triggers?: readonly object[] } = {},
) {
  const stores = new Map(
    Object.entries(series).map(([name, samples]) => [
      name,
      createHistory(samples.toSorted((left, right) => left.atMs - right.atMs)),
    ]),
  );
  const storeOf = (name: string) => stores.get(name) ?? createHistory([]);
  const kept = { completeSinceMs: () => 0 };
  const atMs = atHour * HOUR_MS;
  const found = await findWhy(
    {
      runs: { ...kept, list: () => ({ runs: [], next: null }) },
      nearMisses: { ...kept, list: () => [] },
      automations: {
        versions: async () => [],
        findVersion: async () => undefined,
        stateOf: () => ({ state: 'ready' }),
      },
      history: {
        findBefore: (name, beforeMs) => storeOf(name).findBefore(name, beforeMs),
        readSlice: (range, after) => storeOf(range.series).readSlice(range, after),
        ...history,
      },
      devices: () => [{ id: 'lamp' as never }],
      nowMs: () => NOW_MS,
      replay: undefined,
    },
    {
      id: AUTOMATION,
      createdAtMs: 0,
      version: 1,
      enabled: true,
      suspended: null,
      definition: { triggers },
    } as unknown as AutomationRecord,
    { atMs, window: { fromMs: atMs - 60_000, toMs: atMs + 60_000 } },
  );
  return found.verdict === 'hub_off' ? [found.verdict, found.fields] : [found.verdict];
}

const OFF = ['hub_off', { fromMs: 2 * HOUR_MS, toMs: 4 * HOUR_MS }];

test.each([
  ['an orderly end is noted by the hub itself', { [RUN_SERIES]: [...STARTED, GONE] }],
  [
    'after a power cut only devices have a gap',
    { [RUN_SERIES]: STARTED, 'lamp/availability': [{ atMs: 0, value: 'online' }, GONE] },
  ],
])('the hub was off from its end to its next start: %s', async (_what, series) => {
  expect(await why(3, series)).toEqual(OFF);
  expect((await why(1, series))[0]).not.toBe('hub_off');
  expect((await why(5, series))[0]).not.toBe('hub_off');
});

test('a hub that was off twice was off in each of the times, and in the last one until now', async () => {
  const again = { atMs: 6 * HOUR_MS, value: { gap: 'hub_off' } } as const;
  const series = { [RUN_SERIES]: [...STARTED, GONE, again] };
  expect(await why(3, series)).toEqual(OFF);
  expect(await why(8, series)).toEqual(['hub_off', { fromMs: 6 * HOUR_MS, toMs: NOW_MS }]);
});

test('values of sensors that changed too often are left out, and not read to their end', async () => {
  let read = 0;
  const history: Partial<WhyDeps['history']> = {
    readSlice: async ({ series }, after) => {
      if (series !== 'lamp/power') return { timesMs: new Float64Array(), values: [], gaps: new Map(), next: null };
      read += 1_000;
      const values = Array.from({ length: 1_000 }, (_, at) => at);
      return {
        timesMs: new Float64Array(1_000),
        values,
        gaps: new Map(),
        next: read < 10_000_000 ? (after ?? 0) + 1 : null,
      };
    },
  };
  const triggers = [{ id: 't1', type: 'threshold', device: 'lamp', key: 'power', above: 5_000 }];
  expect(await why(5, {}, { history, triggers })).toEqual(['trigger_never_happened']);
  expect(read).toBeLessThan(102_000);
});
