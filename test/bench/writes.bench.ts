import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { makeFolder } from '#test/storage/storage-harness.ts';
import { type Cost, type Day, writeAsHub, writeAsRows } from './support/history/day-writes.ts';
import { recordFigure } from './support/figure.ts';
import { recordWithHomeAssistant } from './support/history/home-assistant.ts';
import { createReferenceHome } from './support/history/reference-home.ts';

const START_MS = Date.UTC(2026, 10, 21);
/** Of an environment with `support/history/home-assistant-requirements.txt`. */
const PYTHON = process.env['HEARTHD_HOME_ASSISTANT'] ?? '';

function referenceDay(): Day {
  const home = createReferenceHome(1, START_MS);
  return { startMs: START_MS, series: home.series, changes: home.nextDay() };
}

function recordCost(reference: string, hub: Cost, other: Cost): void {
  for (const [what, unit, read] of [
    ['bytes written', 'MB', (cost: Cost) => cost.bytes / 1e6],
    ['fsyncs', '', (cost: Cost) => cost.fsyncs],
  ] as const) {
    const text = (cost: Cost): string => `${read(cost).toFixed(unit === '' ? 0 : 1)} ${unit}`.trim();
    const target = { atMost: read({ bytes: 16e6, fsyncs: 3_000 }) / read(other) };
    recordFigure({
      what: `a day of the reference home: ${what}`,
      hub: text(hub),
      reference: `${reference} ${text(other)}`,
      ratio: read(hub) / read(other),
      target,
    });
  }
}

test('a day of the reference home, beside the same as rows', async () => {
  const day = referenceDay();
  recordCost('rows with an index, each 10 s', await writeAsHub(day), writeAsRows(day));
});

test.runIf(existsSync(PYTHON) && needs('strace'))('the same day, beside the recorder of Home Assistant', async () => {
  const day = referenceDay();
  const hub = await writeAsHub(day);
  const recorded = await recordWithHomeAssistant(PYTHON, day, makeFolder());
  expect(recorded.changes).toBe(day.changes.length);
  // A state of each entity at least, and statistics of each sensor every five minutes.
  expect(recorded.rows['states']).toBeGreaterThanOrEqual(day.changes.length);
  expect(recorded.rows['statistics_short_term']).toBeGreaterThan(100 * 280);
  process.stdout.write(`${JSON.stringify(recorded)}\n`);
  recordCost(`recorder of Home Assistant ${recorded.version}`, hub, recorded);
});
