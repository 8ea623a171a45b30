import { expect, test } from 'vitest';
import type { DeviceId } from '#core/device/device.ts';
import type { NewSample } from '#core/history/history-store.ts';
import type { UserId } from '#core/person/user.ts';
import { textFromEntry, timelineOf } from '#core/timeline/timeline-line.ts';
import { openDatabase, type Database } from '#storage/engine/database.ts';
import { createReferenceHome, deviceIdOf, type Change } from '#test/bench/support/reference-home.ts';
import { watchFiles } from '#test/storage/fs-faults.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeDevice } from '#test/storage/storage-makers.ts';

const START_MS = Date.UTC(2026, 10, 21);
const DAY_MS = 86_400_000;

test('S6: a day of the reference home is written with few bytes and fsyncs', async () => {
  const home = createReferenceHome(1, START_MS);
  const day = home.nextDay();
  expect(day.length / 218_539).toBeCloseTo(1, 1);
  const journal = await writeAsHub(home.series, day);
  const rows = writeAsRows(day);
  process.stdout.write(
    `${day.length} changes: ${journal.bytes / day.length} bytes each and ${journal.fsyncs} fsyncs; as rows ${rows.bytes / day.length} and ${rows.fsyncs}\n`,
  );
  expect(journal.bytes / day.length).toBeLessThanOrEqual(75);
  expect(journal.fsyncs).toBeLessThanOrEqual(3_000);
}, 120_000);

/** As long as the clock's record of a hub with three epochs. */
const CLOCK_MARK = JSON.stringify({
  bootId: deviceIdOf(1),
  bootMs: 12_345_678.5,
  trueMs: START_MS,
  epochs: [1, 2, 3].map((id) => ({ id: deviceIdOf(id), nowMs: START_MS + 0.5, shiftMs: id * 1_000_000.25 })),
});

type Cost = { readonly bytes: number; readonly fsyncs: number };
type Series = ReturnType<typeof createReferenceHome>['series'];

/** Last values and samples, as the hub stores them. */
async function writeAsHub(series: Series, day: readonly Change[]): Promise<Cost> {
  const bench = createBench();
  const { operations, close } = bench.open();
  operations.devices.saveDevices(
    series.map((_, index) => makeDevice(index + 1, { id: deviceIdOf(index) as ReturnType<typeof makeDevice>['id'] })),
  );
  operations.history.describeSeries(series);
  const watch = watchFiles();
  try {
    let second = START_MS;
    for (const { series: number, atMs, value } of day) {
      for (; second + 1_000 <= atMs; second += 1_000) {
        await bench.time.advance(1_000);
        if (second % 600_000 === 0) operations.meta.addMeta(new Map([['hub_clock', CLOCK_MARK]]));
      }
      const { name } = series[number] ?? { name: '' };
      const [id = '', key = ''] = name.split('/');
      const sample = { series: name, atMs, value };
      operations.history.append({ epoch: 'e1', samples: [sample, ...logged(sample)] });
      const deviceId = id as ReturnType<typeof makeDevice>['id'];
      operations.devices.saveValue({ deviceId, key, value, observedAtMs: atMs + 7, changedAtMs: atMs + 7 });
    }
    await bench.time.advance(START_MS + DAY_MS - second);
    return { bytes: watch.bytesWritten(), fsyncs: watch.fsyncs() };
  } finally {
    watch.stop();
    close();
  }
}

/** What the logbook keeps of each tenth change of a state, as if it was commanded: the cause, and what became of the command. */
function logged({ series, atMs, value }: NewSample): readonly NewSample[] {
  if (typeof value !== 'boolean' || atMs % 10 !== 0) return [];
  const [id = '', key = ''] = series.split('/');
  const command = deviceIdOf(atMs);
  const cause = { command, scene: null, automation: null, run: null, depth: 0 };
  const by = { type: 'session', id: deviceIdOf(1), userId: deviceIdOf(2) as UserId } as const;
  const changed = { type: 'feature.changed', key, value, cause, by } as const;
  const wishes = { [key]: value };
  const finished = { type: 'command.finished', command, status: 'confirmed', reason: null, wishes } as const;
  return [changed, { ...finished, cause: { ...cause, command: null }, by }].map((entry) => ({
    series: timelineOf(id as DeviceId),
    atMs,
    value: textFromEntry(entry),
  }));
}

/** The same changes as rows with an index, committed every ten seconds. */
function writeAsRows(day: readonly Change[]): Cost {
  const database: Database = openDatabase(sqlite, `${makeFolder()}/rows.db`);
  database.exec(
    'CREATE TABLE sample (feature INTEGER, at_ms INTEGER, value); CREATE INDEX by_feature ON sample (feature, at_ms)',
  );
  const watch = watchFiles();
  try {
    for (let from = 0; from < day.length;) {
      const untilMs = (day[from]?.atMs ?? 0) + 10_000;
      const to = day.findIndex(({ atMs }, index) => index >= from && atMs >= untilMs);
      const part = day.slice(from, to < 0 ? day.length : to);
      database.transaction(() => {
        for (const { series, atMs, value } of part) {
          database.run('INSERT INTO sample VALUES (?, ?, ?)', [series, atMs, Number(value)]);
        }
      });
      from += part.length;
    }
    return { bytes: watch.bytesWritten(), fsyncs: watch.fsyncs() };
  } finally {
    watch.stop();
    database.close();
  }
}
