import { expect, test } from 'vitest';
import { writeAsHub, writeAsRows } from '#test/bench/support/history/day-writes.ts';
import type { SampleValue } from '#core/past/history/sample.ts';
import { encodeBlocks } from '#storage/samples/block-codec.ts';
import { TICK_MS } from '#storage/samples/segment.ts';
import { createReferenceHome } from '#test/bench/support/history/reference-home.ts';

const START_MS = Date.UTC(2026, 10, 21);

test('S6: a day of the reference home is written with few bytes and fsyncs', async () => {
  const home = createReferenceHome(1, START_MS);
  const changes = home.nextDay();
  const day = { startMs: START_MS, series: home.series, changes };
  expect(changes.length / 218_539).toBeCloseTo(1, 1);
  const journal = await writeAsHub(day);
  const rows = writeAsRows(day);
  process.stdout.write(
    `${changes.length} changes: ${journal.bytes / changes.length} bytes each and ${journal.fsyncs} fsyncs; as rows ${rows.bytes / changes.length} and ${rows.fsyncs}\n`,
  );
  expect(journal.bytes / changes.length).toBeLessThanOrEqual(55);
  expect(journal.fsyncs).toBeLessThanOrEqual(3_000);
});

test('a sample of the reference home takes at most 1.7 bytes in its block', () => {
  const { series, nextDay } = createReferenceHome(1, START_MS);
  const changes = nextDay();
  const samples = series.map(() => ({ ticks: [] as number[], values: [] as SampleValue[] }));
  for (const { series: number, atMs, value } of changes) {
    samples[number]?.ticks.push(Math.floor(atMs / TICK_MS));
    samples[number]?.values.push(value);
  }
  const bytes = samples.flatMap(encodeBlocks).reduce((sum, { data }) => sum + data.length, 0);
  process.stdout.write(`${bytes / changes.length} bytes a sample\n`);
  expect(bytes / changes.length).toBeLessThanOrEqual(1.7);
});
