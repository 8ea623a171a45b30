import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMAND_STATUSES } from '#core/command/command.ts';
import type { DeviceId } from '#core/device/device.ts';
import { INTEGRATION_STATES } from '#core/integration/integration-status.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { Sample } from '#core/past/history/sample.ts';
import type { UserId } from '#core/person/user.ts';
import {
  entryFromText,
  lineText,
  type StoredEntry,
  textFromEntry,
  TIMELINE_TYPES,
} from '#core/past/timeline/timeline-line.ts';
import {
  readTimeline,
  type TimelineLine,
  type TimelinePlace,
  type TimelineSource,
} from '#core/past/timeline/timeline-reader.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const text = fc.string();
const id = fc.uuid();
const idOrNull = fc.option(id);
const cause = fc.record({
  command: idOrNull,
  scene: idOrNull,
  automation: idOrNull,
  run: idOrNull,
  depth: fc.nat(9),
});
const by = fc.record({
  type: fc.constantFrom('session' as const, 'api_token' as const),
  id,
  userId: id.map((one) => one as UserId),
});
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0);
const value = fc.oneof(fc.boolean(), number, text);
const is = <Type extends string>(type: Type) => fc.constant(type);
const entry: fc.Arbitrary<StoredEntry> = fc.oneof(
  fc.record({ type: is('feature.changed'), key: text, value, cause: fc.option(cause), by: fc.option(by) }),
  fc.record({
    type: is('command.finished'),
    command: id,
    status: fc.constantFrom(...COMMAND_STATUSES),
    reason: fc.option(text),
    code: fc.option(text),
    wishes: fc.dictionary(fc.stringMatching(/^[a-z.]{1,9}$/), fc.option(value), { noNullPrototype: true }),
    cause,
    by,
  }),
  fc.constantFrom<StoredEntry>({ type: 'device.added' }, { type: 'device.removed' }, { type: 'hub.started' }),
  fc.record({ type: is('device.renamed'), name: text }),
  fc.record({
    type: is('integration.changed'),
    integration: text,
    state: fc.constantFrom(...INTEGRATION_STATES, 'removed' as const),
    error: fc.option(text),
  }),
  fc.record({ type: is('lines.skipped'), count: fc.nat() }),
  fc.record({ type: is('automation.run'), automation: id, run: id, outcome: fc.constantFrom(...RUN_OUTCOMES) }),
);

test('every line reads back as it was written', () => {
  fc.assert(
    fc.property(entry, (given) => {
      expect(entryFromText(textFromEntry(given))).toEqual(given);
    }),
    searchOf(2_000),
  );
});

test('a text that is no line is none, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.json(),
        fc.array(fc.jsonValue()).map((cells) => JSON.stringify(cells)),
      ),
      (given) => {
        const found = entryFromText(given);
        expect(found === undefined || TIMELINE_TYPES.includes(found.type)).toBe(true);
      },
    ),
    searchOf(5_000),
  );
});

test('a long text is cut between two characters', () => {
  expect(lineText('x'.repeat(200))).toHaveLength(200);
  expect(lineText(`${'x'.repeat(198)}😀😀`)).toBe(`${'x'.repeat(198)}…`);
});

const DAY_MS = 86_400_000;
const TO_MS = 100 * DAY_MS;

const SERIES = ['a/on', 'b/on', 'a/button', 'timeline/a'] as const;
type Given = readonly {
  readonly series: (typeof SERIES)[number];
  readonly atMs: number;
  readonly value: Sample['value'];
}[];
const SOURCES: readonly TimelineSource[] = [
  { type: 'state', key: 'on', series: 'a/on', device: 'a' as DeviceId },
  { type: 'state', key: 'on', series: 'b/on', device: 'b' as DeviceId },
  { type: 'event', key: 'button', series: 'a/button', device: 'a' as DeviceId },
  { type: 'stored', series: 'timeline/a', device: 'a' as DeviceId },
];

const textAt = (series: string, index: number): Sample['value'] =>
  series === 'timeline/a' ? textFromEntry({ type: 'lines.skipped', count: index }) : `press ${index}`;

/** Changes of states with gaps, presses and stored lines, several at one time. */
const given: fc.Arbitrary<Given> = fc
  .array(
    fc.tuple(
      fc.nat(400),
      fc.constantFrom(...SERIES),
      fc.nat(2),
      fc.constantFrom(true, false, { gap: 'offline' as const }),
    ),
    { maxLength: 60 },
  )
  .map((rows) =>
    rows
      .map(([place, series, ms, value], index) => ({
        series,
        atMs: place * 6 * 3_600_000 + ms,
        value: series.endsWith('/on') ? value : textAt(series, index),
      }))
      .toSorted((one, other) => one.atMs - other.atMs),
  );

function storeOf(samples: Given) {
  const stores = new Map<string, HistoryStore>(
    SERIES.map((series) => [series, createHistory(samples.filter((one) => one.series === series))]),
  );
  const none = createHistory([]);
  return {
    readSlice: (...[range, after]: Parameters<HistoryStore['readSlice']>) =>
      (stores.get(range.series) ?? none).readSlice(range, after),
    findBefore: (series: string, atMs: number) => (stores.get(series) ?? none).findBefore(series, atMs),
  };
}

/** What the logbook has to say, by looking at each sample in turn. */
function oracle(samples: Given): { readonly atMs: number; readonly what: string }[] {
  const last = new Map<string, Sample['value']>();
  return samples.flatMap(({ series, atMs, value }) => {
    const before = last.get(series);
    if (typeof value === 'object') return [];
    last.set(series, value);
    const isLine = !series.endsWith('/on') || (before !== undefined && before !== value);
    return isLine ? [{ atMs, what: `${series} ${String(value)}` }] : [];
  });
}

function whatOf({ device, entry: one }: TimelineLine): string {
  if (one.type === 'feature.changed') return `${device}/${one.key} ${String(one.value)}`;
  if (one.type === 'feature.occurred') return `${device}/${one.key} ${one.action}`;
  return `timeline/${device} ${textFromEntry(one as StoredEntry)}`;
}

test('pages of any length give every line of the range once, the newest first', async () => {
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 1, max: 7 }), fc.nat(100), async (samples, limit, fromDay) => {
      const query = { sources: SOURCES, fromMs: fromDay * DAY_MS, toMs: TO_MS, limit, isWanted: () => true };
      const found: TimelineLine[] = [];
      let after: TimelinePlace | null = null;
      do {
        const page: Awaited<ReturnType<typeof readTimeline>> = await readTimeline(storeOf(samples), {
          ...query,
          after,
        });
        expect(page.lines.length).toBeLessThanOrEqual(limit);
        found.push(...page.lines);
        after = page.next;
      } while (after !== null);
      const wanted = oracle(samples).filter(({ atMs }) => atMs >= query.fromMs && atMs < TO_MS);
      expect(found.map(({ atMs }) => atMs)).toEqual(wanted.map(({ atMs }) => atMs).toReversed());
      expect(found.map(whatOf).toSorted()).toEqual(wanted.map(({ what }) => what).toSorted());
    }),
    searchOf(300),
  );
});

test('a change that a command caused is one line, which has the cause', async () => {
  const caused = { command: 'c1', scene: null, automation: null, run: null, depth: 0 };
  const line = textFromEntry({ type: 'feature.changed', key: 'on', value: true, cause: caused, by: null });
  const edgeMs = TO_MS - 6 * 3_600_000;
  const samples: Given = [
    { series: 'a/on', atMs: 1000, value: false },
    { series: 'timeline/a', atMs: edgeMs - 100, value: line },
    { series: 'a/on', atMs: edgeMs + 100, value: true },
    { series: 'a/on', atMs: edgeMs + 60_000, value: false },
    { series: 'a/on', atMs: edgeMs + 120_000, value: true },
  ];
  const query = { sources: SOURCES, fromMs: 0, toMs: TO_MS, limit: 9, after: null, isWanted: () => true };
  const { lines } = await readTimeline(storeOf(samples), query);
  expect(lines.map(({ atMs, entry: one }) => [atMs - edgeMs, one.type === 'feature.changed' && one.cause])).toEqual([
    [120_000, null],
    [60_000, null],
    [-100, caused],
  ]);
});

test('looks at 50,000 lines at most for one answer', async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => ({ atMs: TO_MS - 60_000 + index, value: '[8]' }));
  const store = {
    ...createHistory([]),
    readSlice: async () => ({
      timesMs: Float64Array.from(many, ({ atMs }) => atMs),
      values: many.map(({ value: one }) => one),
      gaps: new Map(),
      next: null,
    }),
  };
  const sources = SOURCES.slice(3);
  const query = { sources, fromMs: TO_MS - 3_600_000, toMs: TO_MS, limit: 5, after: null };
  const page = await readTimeline(store, { ...query, isWanted: () => false });
  expect(page).toEqual({ lines: [], next: { atMs: TO_MS - 50_000, count: 1 } });
});
