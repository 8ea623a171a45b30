import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { MAX_PACKED_BYTES, packTrace } from '#core/automation-run/trace/packed-trace.ts';
import { openRunHistory } from '#core/automation-run/trace/run-history.ts';
import { ROW_BYTES } from '#core/automation-run/trace/run-ring.ts';
import type { RunPlace } from '#core/automation-run/trace/run-registry.ts';
import type { StoredRun } from '#core/automation-run/trace/run-store.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS as START_MS } from '#test/storage/storage-makers.ts';
import { trace } from '#test/core/automation-run/trace/trace-makers.ts';

const BOUND = 8 * 1024 * 1024;
const AUTOMATIONS = 500;
const ROUNDS = 4;
/** Between these the journal is written, and not only kept. */
const MINUTE_MS = 60_000;

/** As many values as one may have: the next few bytes would cost it its steps. */
function largest(automation: number, round: number): AutomationRun {
  const startMs = START_MS + round * AUTOMATIONS + automation;
  const hashes = Array.from({ length: 236 }, (_, at) =>
    createHash('sha512').update(`${startMs} ${at}`).digest('base64'),
  );
  return trace(startMs, 'finished', {
    automation: `automation-${automation}` as AutomationId,
    variables: { noise: hashes.join('') },
  });
}

test('traces of the largest size keep within 8 MiB, in memory and on disk, the oldest leave first, and each automation has its newest', async () => {
  const bench = createBench();
  const storage = storageInProcess(await bench.openOwned());
  onTestFinished(storage.close);
  const open = () =>
    openRunHistory({
      store: storage.runs,
      hubClock: { nowMs: bench.time.clock.wallMs, epoch: () => 'first', nowInEpochMs: bench.time.clock.wallMs },
      startTimer: bench.time.startTimer,
      timeZone: () => createTimeZone('UTC'),
      isKnown: () => true,
    });
  const history = await open();
  const packed = packTrace(largest(0, 0)).length;
  expect(packed).toBeGreaterThan(0.97 * MAX_PACKED_BYTES);
  expect(packed).toBeLessThanOrEqual(MAX_PACKED_BYTES);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let at = 0; at < AUTOMATIONS; at += 1) history.runs.put(largest(at, round));
    await bench.time.advance(MINUTE_MS);
  }
  // Written now, as with the next seal.
  await storage.runs.write({ runs: [], goneRuns: [], pasts: [], counts: [], goneAutomations: [] });

  const inMemory = idsIn(history.runs.list);
  const onDisk: StoredRun[] = [];
  for (let page = await storage.runs.loadRuns(null); page.length > 0;) {
    onDisk.push(...page);
    page = await storage.runs.loadRuns(page.at(-1)?.id ?? null);
  }
  const bytes = onDisk.reduce((sum, run) => sum + run.packed.length + ROW_BYTES, 0);
  expect(bytes).toBeLessThanOrEqual(BOUND);
  expect(bytes).toBeGreaterThan(0.95 * BOUND);
  expect(onDisk.map(({ id }) => id).toSorted()).toEqual(inMemory.toSorted());
  // A row of this size takes pages of its own; what was deleted is used again.
  expect(statSync(join(bench.folders.state, 'journal.db')).size).toBeLessThan(2 * BOUND);

  const starts = new Map<string, StoredRun[]>();
  for (const run of onDisk) starts.set(run.automation, [...(starts.get(run.automation) ?? []), run]);
  expect(starts.size).toBe(AUTOMATIONS);
  for (const [automation, runs] of starts) {
    const at = Number(automation.slice('automation-'.length));
    const rounds = runs.map(({ startedAtMs }) => (startedAtMs - START_MS - at) / AUTOMATIONS);
    const newest = Array.from({ length: rounds.length }, (_, back) => ROUNDS - rounds.length + back);
    expect(rounds.toSorted((left, right) => left - right)).toEqual(newest);
  }
  history.stop();
  const again = await open();
  onTestFinished(again.stop);
  expect(idsIn(again.runs.list).toSorted()).toEqual(inMemory.toSorted());
});

function idsIn(list: Awaited<ReturnType<typeof openRunHistory>>['runs']['list']): string[] {
  const found: string[] = [];
  let after: RunPlace | null = null;
  do {
    const page: ReturnType<typeof list> = list({}, { after, limit: 100_000 });
    found.push(...page.runs.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return found;
}
