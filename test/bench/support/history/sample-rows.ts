import type { SampleRange } from '#core/past/history/history-store.ts';
import { openDatabase, type Database } from '#storage/engine/database.ts';
import { openEngine } from '#storage/open/storage-engine.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { sqlite } from '#test/storage/storage-harness.ts';
import type { Past } from './reference-past.ts';

/** Samples as plain rows in the engine that the hub uses, stored in the order in which they are read. */
export type SampleRows = {
  /** The least and the greatest value of each part of the range, as a chart of this width needs them. */
  readonly read: (range: SampleRange, columns: number) => void;
  readonly close: () => void;
};

/** Copies these series of a past into rows. */
export function copyToRows({ folder, fromMs, toMs }: Past, path: string, series: readonly string[]): SampleRows {
  const rows: Database = openDatabase(sqlite, path);
  rows.exec('CREATE TABLE sample (feature INTEGER, at_ms INTEGER, value, PRIMARY KEY (feature, at_ms)) WITHOUT ROWID');
  const engine = openEngine({
    sqlite,
    folders: { state: folder, runtime: folder },
    log: createRecordingLog().log,
    wallMs: Date.now,
    startTimer: startSystemTimer,
    onFailure: () => undefined,
  });
  for (const [feature, name] of series.entries()) {
    let after: number | null = null;
    do {
      const slice = engine.operations.history.readSlice({ series: name, fromMs, toMs }, after);
      rows.transaction(() => {
        for (const [index, value] of slice.values.entries()) {
          const at = slice.timesMs[index] ?? 0;
          rows.run('INSERT OR IGNORE INTO sample VALUES (?, ?, ?)', [feature, at, Number(value)]);
        }
      });
      after = slice.next;
    } while (after !== null);
  }
  engine.close();
  return {
    read: ({ series: name, fromMs, toMs }, columns) => {
      const feature = series.indexOf(name);
      const found = rows.all(
        `SELECT (at_ms - ?) * ? / (? - ?) AS part, min(value) AS least, max(value) AS greatest FROM sample
         WHERE feature = ? AND at_ms >= ? AND at_ms < ? GROUP BY part`,
        [fromMs, columns, toMs, fromMs, feature, fromMs, toMs],
      );
      if (found.length === 0) throw new Error(`no rows of ${name}`);
    },
    close: () => rows.close(),
  };
}
