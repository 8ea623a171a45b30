import type { SeriesDescription, SeriesKind } from '#core/past/history/sample.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';
import { decodeBlock, type EncodedBlock } from '#storage/samples/block-codec.ts';
import type { SampleChunk, Segment } from '#storage/samples/segment.ts';

/**
 * A file is whole in itself: it names its series, segments and shifts, so that a copied or a missing file can never give
 * values to another feature. `sealed` says up to which row of which journal it has the samples of its month.
 */
export const MONTH_MIGRATIONS: readonly string[] = [
  `
CREATE TABLE about (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE epoch (
  id TEXT PRIMARY KEY,
  shift_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE segment (
  number INTEGER PRIMARY KEY,
  epoch TEXT NOT NULL,
  base INTEGER NOT NULL,
  first_tick INTEGER NOT NULL
) STRICT;

CREATE TABLE series (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT,
  unit TEXT
) STRICT;

CREATE TABLE sealed (
  journal TEXT PRIMARY KEY,
  row INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE block (
  number INTEGER PRIMARY KEY,
  series INTEGER NOT NULL REFERENCES series (number),
  segment INTEGER NOT NULL REFERENCES segment (number),
  first_tick INTEGER NOT NULL,
  last_tick INTEGER NOT NULL,
  count INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX block_by_series ON block (series, first_tick, last_tick, segment, count);
CREATE INDEX block_by_segment ON block (segment, last_tick, first_tick, series);
`,
];

/** The samples of one series in one segment, with how both are described. */
export type SealedSeries = SeriesDescriptionRow & {
  readonly segment: Segment;
  readonly blocks: readonly EncodedBlock[];
};

export type SeriesDescriptionRow = Omit<SeriesDescription, 'kind'> & { readonly kind: SeriesKind | null };

type Sealing = {
  readonly journalId: string;
  readonly row: number;
  readonly series: readonly SealedSeries[];
  readonly shiftOf: (epoch: string) => number;
};

/** Adds blocks and notes the row up to which they come, in one transaction, unless the file has come that far already. */
export function sealIntoMonth(file: Database, { journalId, row, series, shiftOf }: Sealing): void {
  if (sealedRow(file, journalId) >= row) return;
  file.transaction(() => {
    for (const sealed of series) addBlocks(file, sealed);
    for (const { segment } of series) putShift(file, segment.epoch, shiftOf(segment.epoch));
    file.run('INSERT OR REPLACE INTO sealed (journal, row) VALUES (?, ?)', [journalId, row]);
  });
}

/** Inside the caller's transaction. */
export function addBlocks(file: Database, { name, kind, unit, segment, blocks }: SealedSeries): void {
  const { number, epoch, base, firstTick } = segment;
  file.run('INSERT OR IGNORE INTO segment (number, epoch, base, first_tick) VALUES (?, ?, ?, ?)', [
    number,
    epoch,
    base,
    firstTick,
  ]);
  file.run(
    `INSERT INTO series (name, kind, unit) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, unit = excluded.unit
     WHERE kind IS NOT excluded.kind OR unit IS NOT excluded.unit`,
    [JSON.stringify(name), kind, unit],
  );
  const series = findSeriesNumber(file, name) ?? 0;
  for (const { firstTick: from, lastTick: to, count, codec, data } of blocks) {
    file.run(
      'INSERT INTO block (series, segment, first_tick, last_tick, count, codec, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [series, number, from, to, count, codec, data],
    );
  }
}

function putShift(file: Database, epoch: string, shiftMs: number): void {
  file.run(
    `INSERT INTO epoch (id, shift_ms) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET shift_ms = excluded.shift_ms WHERE shift_ms <> excluded.shift_ms`,
    [epoch, shiftMs],
  );
}

/** The row of this journal up to which the file has its samples. */
export function sealedRow(file: Database, journalId: string): number {
  return Number(file.get('SELECT row FROM sealed WHERE journal = ?', [journalId])?.['row'] ?? 0);
}

/** Later blocks get higher numbers, as long as this one stays. */
export function lastBlock(file: Database): number {
  return Number(file.get('SELECT max(number) AS last FROM block')?.['last'] ?? 0);
}

function findSeriesNumber(file: Database, name: string): number | undefined {
  const row = file.get('SELECT number FROM series WHERE name = ?', [JSON.stringify(name)]);
  return row === undefined ? undefined : Number(row['number']);
}

export type MonthBlock = {
  readonly number: number;
  readonly segment: number;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly count: number;
};

/** The blocks of a series, by tick. */
export function listBlocks(file: Database, name: string): MonthBlock[] {
  const series = findSeriesNumber(file, name);
  if (series === undefined) return [];
  return file
    .all(
      'SELECT number, segment, first_tick, last_tick, count FROM block WHERE series = ? ORDER BY first_tick, number',
      [series],
    )
    .map(blockFromRow);
}

function blockFromRow(row: SqlRow): MonthBlock {
  return {
    number: Number(row['number']),
    segment: Number(row['segment']),
    firstTick: Number(row['first_tick']),
    lastTick: Number(row['last_tick']),
    count: Number(row['count']),
  };
}

/** The samples of a block. Of a damaged one, that they are lost. */
export function readBlock(
  file: Database,
  block: Pick<MonthBlock, 'number' | 'firstTick'>,
): ReturnType<SampleChunk['read']> {
  const row = file.get('SELECT codec, count, data FROM block WHERE number = ?', [block.number]);
  const data = row?.['data'];
  const samples =
    data instanceof Uint8Array
      ? decodeBlock({ codec: Number(row?.['codec']), firstTick: block.firstTick, count: Number(row?.['count']), data })
      : undefined;
  return samples ?? { ticks: [block.firstTick], values: [{ gap: 'lost' }] };
}

export function loadMonthSegments(file: Database): ReadonlyMap<number, Segment> {
  const rows = file.all('SELECT number, epoch, base, first_tick FROM segment');
  return new Map(
    rows.map((row) => {
      const number = Number(row['number']);
      const { epoch, base, first_tick: firstTick } = row;
      return [number, { number, epoch: String(epoch), base: Number(base), firstTick: Number(firstTick) }];
    }),
  );
}

/** The file has so much of each series in each epoch. */
type SeriesExtent = SeriesDescriptionRow & {
  readonly epoch: string;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly count: number;
  readonly bytes: number;
};

export function listExtents(file: Database): SeriesExtent[] {
  const rows = file.all(
    `SELECT name, kind, unit, epoch, min(block.first_tick) AS first, max(last_tick) AS last, sum(count) AS count,
       sum(octet_length(data)) AS bytes
     FROM block JOIN series ON series.number = series JOIN segment ON segment.number = segment
     GROUP BY series, epoch`,
  );
  return rows.map((row) => ({
    name: JSON.parse(String(row['name'])) as string,
    kind: row['kind'] as SeriesKind | null,
    unit: row['unit'] as string | null,
    epoch: String(row['epoch']),
    firstTick: Number(row['first']),
    lastTick: Number(row['last']),
    count: Number(row['count']),
    bytes: Number(row['bytes']),
  }));
}

/** The last tick of each segment in the file. */
export function lastTicksOf(file: Database): ReadonlyMap<number, number> {
  const rows = file.all('SELECT segment, max(last_tick) AS last FROM block GROUP BY segment');
  return new Map(rows.map((row) => [Number(row['segment']), Number(row['last'])]));
}

/** Blocks of any series in a segment that have samples between these ticks, both included. */
export function listBlocksBetween(
  file: Database,
  segment: number,
  { fromTick, toTick }: { readonly fromTick: number; readonly toTick: number },
): (MonthBlock & { readonly name: string })[] {
  return file
    .all(
      `SELECT block.number, segment, first_tick, last_tick, count, name FROM block JOIN series ON series.number = series
       WHERE segment = ? AND last_tick >= ? AND first_tick <= ? ORDER BY series, first_tick, block.number`,
      [segment, fromTick, toTick],
    )
    .map((row) => ({ ...blockFromRow(row), name: JSON.parse(String(row['name'])) as string }));
}

/** Where the first block of a segment begins that ends at this tick or later; `null` if there is none. */
export function firstTickFrom(file: Database, segment: number, tick: number): number | null {
  const row = file.get('SELECT min(first_tick) AS first FROM block WHERE segment = ? AND last_tick >= ?', [
    segment,
    tick,
  ]);
  return (row?.['first'] ?? null) as number | null;
}

export function listDescriptions(file: Database): SeriesDescriptionRow[] {
  return file.all('SELECT name, kind, unit FROM series ORDER BY number').map((row) => ({
    name: JSON.parse(String(row['name'])) as string,
    kind: row['kind'] as SeriesKind | null,
    unit: row['unit'] as string | null,
  }));
}

/** Gives a file that has all blocks of a month the rest of it, and needs no log to be read from then on. */
export function closeMonth(file: Database, target: Database): boolean {
  target.transaction(() => {
    for (const { id, shift_ms: shiftMs } of file.all('SELECT id, shift_ms FROM epoch')) {
      putShift(target, String(id), Number(shiftMs));
    }
    for (const { journal, row } of file.all('SELECT journal, row FROM sealed')) {
      target.run('INSERT INTO sealed (journal, row) VALUES (?, ?)', [String(journal), Number(row)]);
    }
  });
  return target.get('PRAGMA journal_mode=DELETE')?.['journal_mode'] === 'delete';
}
