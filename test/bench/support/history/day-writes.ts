import { createTimeZone } from '#base/time/time-zone.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { NewSample } from '#core/past/history/history-store.ts';
import type { UserId } from '#core/person/user.ts';
import { timelineOf } from '#core/past/history/sample.ts';
import { textFromEntry } from '#core/past/timeline/timeline-line.ts';
import { rollUp } from '#core/past/hour/roll-up.ts';
import { openDatabase, type Database } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { watchFiles } from '#test/storage/fs-faults.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeDevice } from '#test/storage/storage-makers.ts';
import { type createReferenceHome, deviceIdOf, type Change } from './reference-home.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** As long as the clock's record of a hub with three epochs. */
const clockMarkAt = (atMs: number): string =>
  JSON.stringify({
    bootId: deviceIdOf(1),
    bootMs: 12_345_678.5,
    trueMs: atMs,
    epochs: [1, 2, 3].map((id) => ({ id: deviceIdOf(id), nowMs: atMs + 0.5, shiftMs: id * 1_000_000.25 })),
  });

export type Cost = { readonly bytes: number; readonly fsyncs: number };
type Series = ReturnType<typeof createReferenceHome>['series'];
/** A day of the reference home. */
export type Day = { readonly startMs: number; readonly series: Series; readonly changes: readonly Change[] };

/** Last values and samples, and at the end of the day its hours, as the hub stores them. */
export async function writeAsHub({ startMs, series, changes }: Day): Promise<Cost> {
  const bench = createBench(makeFolder(), startMs);
  const engine = bench.open();
  const { operations, close } = engine;
  operations.devices.saveDevices(
    series.map((_, index) => makeDevice(index + 1, { id: deviceIdOf(index) as ReturnType<typeof makeDevice>['id'] })),
  );
  operations.history.describeSeries(series);
  const watch = watchFiles();
  try {
    let second = startMs;
    for (const { series: number, atMs, value } of changes) {
      for (; second + 1_000 <= atMs; second += 1_000) {
        await bench.time.advance(1_000);
        if (second % 600_000 === 0) operations.meta.addMeta(new Map([['hub_clock', clockMarkAt(second)]]));
      }
      const { name } = series[number] ?? { name: '' };
      const [id = '', key = ''] = name.split('/');
      const sample = { series: name, atMs, value };
      operations.history.append({ epoch: 'e1', samples: [sample, ...logged(sample)] });
      const deviceId = id as ReturnType<typeof makeDevice>['id'];
      operations.devices.saveValue({ deviceId, key, value, observedAtMs: atMs + 7, changedAtMs: atMs + 7 });
    }
    await bench.time.advance(startMs + DAY_MS + HOUR_MS - second);
    const zone = createTimeZone('UTC');
    await rollUp({
      ...storageInProcess({ ...engine, close: async () => close() }),
      timeZone: () => zone,
      hubClock: { nowMs: bench.time.clock.wallMs, isSynced: () => true },
      log: bench.log,
    });
    await bench.time.advance(HOUR_MS);
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
  const finished = {
    type: 'command.finished',
    command,
    status: 'confirmed',
    reason: null,
    code: null,
    wishes,
  } as const;
  return [changed, { ...finished, cause: { ...cause, command: null }, by }].map((entry) => ({
    series: timelineOf(id as DeviceId),
    atMs,
    value: textFromEntry(entry),
  }));
}

/** The same changes as rows with an index, committed every ten seconds. */
export function writeAsRows({ changes }: Day): Cost {
  const database: Database = openDatabase(sqlite, `${makeFolder()}/rows.db`);
  database.exec(
    'CREATE TABLE sample (feature INTEGER, at_ms INTEGER, value); CREATE INDEX by_feature ON sample (feature, at_ms)',
  );
  const watch = watchFiles();
  try {
    for (let from = 0; from < changes.length;) {
      const untilMs = (changes[from]?.atMs ?? 0) + 10_000;
      const to = changes.findIndex(({ atMs }, index) => index >= from && atMs >= untilMs);
      const part = changes.slice(from, to < 0 ? changes.length : to);
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
