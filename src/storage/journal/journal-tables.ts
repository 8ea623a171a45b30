import type { LastStretch } from '#storage/samples/sample-intake.ts';
import type { Segment } from '#storage/samples/segment.ts';
import type { Database } from '#storage/engine/database.ts';
import { decodeJournalRow, encodeJournalRow, type JournalRow } from './journal-row.ts';

export type StoredRow = { readonly number: number; readonly segment: Segment | null; readonly row: JournalRow };

const ROWS_AT_ONCE = 200;

/** Reads the rows after this one in order, and returns the number of the last one. Damaged rows are left out. */
export function loadRows(
  database: Database,
  { after, segments }: { readonly after: number; readonly segments: ReadonlyMap<number, Segment> },
  use: (stored: StoredRow) => void,
): number {
  for (let last = after; ;) {
    const rows = database.all('SELECT number, segment, body FROM flushed WHERE number > ? ORDER BY number LIMIT ?', [
      last,
      ROWS_AT_ONCE,
    ]);
    for (const { number, segment, body } of rows) {
      const row = body instanceof Uint8Array ? decodeJournalRow(body) : undefined;
      last = Number(number);
      if (row !== undefined) use({ number: last, segment: segments.get(Number(segment)) ?? null, row });
    }
    if (rows.length < ROWS_AT_ONCE) return last;
  }
}

/** With its segment, inside the caller's transaction. */
export function insertRow(database: Database, { number, segment, row }: StoredRow): void {
  if (segment !== null) insertSegment(database, segment);
  database.run('INSERT INTO flushed (number, segment, body) VALUES (?, ?, ?)', [
    number,
    segment?.number ?? null,
    encodeJournalRow(row),
  ]);
}

/** Inside the caller's transaction. */
export function insertSegment(database: Database, { number, epoch, base, firstTick }: Segment): void {
  database.run('INSERT OR IGNORE INTO segment (number, epoch, base, first_tick, last_tick) VALUES (?, ?, ?, ?, ?)', [
    number,
    epoch,
    base,
    firstTick,
    firstTick,
  ]);
}

/** In their order. The last tick is that of the samples that were sealed. */
export function loadSegments(database: Database): LastStretch[] {
  return database.all('SELECT number, epoch, base, first_tick, last_tick FROM segment ORDER BY number').map((row) => ({
    segment: {
      number: Number(row['number']),
      epoch: String(row['epoch']),
      base: Number(row['base']),
      firstTick: Number(row['first_tick']),
    },
    lastTick: Number(row['last_tick']),
  }));
}

export function loadShifts(database: Database): Map<string, number> {
  const rows = database.all('SELECT id, shift_ms FROM epoch');
  return new Map(rows.map((row) => [String(row['id']), Number(row['shift_ms'])]));
}

export function saveShift(database: Database, epoch: string, shiftMs: number): void {
  database.run(
    'INSERT INTO epoch (id, shift_ms) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET shift_ms = excluded.shift_ms',
    [epoch, shiftMs],
  );
}

export function putAbout(database: Database, key: string, value: string): void {
  database.run('INSERT OR REPLACE INTO about (key, value) VALUES (?, ?)', [key, value]);
}

export function noteLastTick(database: Database, { number }: Segment, lastTick: number): void {
  database.run('UPDATE segment SET last_tick = max(last_tick, ?) WHERE number = ?', [lastTick, number]);
}

/** Reads an entry that the file keeps about itself; `undefined` if it has none. */
export function readAbout(database: Database, key: string): string | undefined {
  return database.get('SELECT value FROM about WHERE key = ?', [key])?.['value'] as string | undefined;
}
