import { HubError } from '#base/hub-error.ts';
import { parseJson } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { SET_ASIDE } from '#storage/migrations/025-set-aside.ts';
import { ReadJson, type SoundRow } from '#storage/tables/columns.ts';
import type { ContentCheck, StoredNoun } from '#storage/tables/stored-noun.ts';
import { TABLES } from '#storage/tables/table-list.ts';
import { type AsideKeeping, createAsideKeeping } from './aside-keeping.ts';
import { type AsideRecord, keyOf, moveRow, nameOf } from './aside-row.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';
import { withoutConstraints } from '#storage/engine/schema.ts';

export type SetAside = Pick<AsideKeeping, 'forget' | 'totals'> & {
  /**
   * The rows that are as they should be, in their order, with what was mended. The others are moved aside; if the disk
   * takes no writes, they are left out until it does.
   */
  readonly sound: (table: string, rows: readonly SqlRow[]) => readonly SoundRow[];
  /** Checks all rows of a table. */
  readonly sweep: (table: string) => void;
  /** Moves what could not be moved when it was found. Call it outside of transactions. */
  readonly moveWaiting: () => void;
  /** The records of this run and of the last days, the newest first, after those that are still to be moved. */
  readonly list: () => readonly AsideRecord[];
};

type SetAsideDeps = Pick<Runtime, 'log' | 'wallMs'> & {
  readonly database: Database;
  /** The checks of another schema, before an upgrade. */
  readonly checks?: readonly ContentCheck[];
};

type Place = { readonly table: string; readonly key: SqlRow };

const TOLD_MS = 7 * 86_400_000;
const MOST_LISTED = 100;
const ROWS_AT_ONCE = 200;

/** Texts in a file that was restored may be of any length, and its times may be none. */
const LIST = `SELECT substr(noun, 1, 100) AS noun, substr(id, 1, 100) AS id, substr(reason, 1, 200) AS reason, at_ms
  FROM set_aside WHERE part_of IS NULL AND (number > ? OR at_ms BETWEEN ? AND ?) ORDER BY number DESC LIMIT ?`;

const CHECKS: readonly ContentCheck[] = Object.values<StoredNoun>(TABLES).flatMap(({ checks }) => checks);

/** Checks rows of the live database when they are loaded: one that the hub cannot read would end each start. */
export function createSetAside({ database, log, wallMs, checks: all = CHECKS }: SetAsideDeps): SetAside {
  const keeping = createAsideKeeping(database);
  const waiting = new Map<string, { readonly place: Place; readonly record: AsideRecord }>();
  const checksOf = (table: string): readonly ContentCheck[] => all.filter((check) => check.table === table);

  /** All in one transaction. A row may have been replaced by a good one while it waited. */
  const move = (places: readonly Place[]): void => {
    // Rows that point to one that goes are changed, and may be wrong themselves.
    const moved = withoutConstraints(database, () =>
      database.transaction(() =>
        places.flatMap((place) => settle(database, place, { checks: checksOf(place.table), atMs: wallMs() })),
      ),
    );
    for (const { noun, id, reason } of moved) log.error('a record of a wrong form was set aside', { noun, id, reason });
  };
  const wait = ({ place, row, reason = '' }: Found, cause: HubError): void => {
    const record = { noun: place.table, id: nameOf(row, place.key), reason, atMs: wallMs() };
    const name = `${record.noun} ${record.id}`;
    if (!waiting.has(name)) {
      log.error('a record of a wrong form is left out, and cannot be set aside now', { ...record, cause });
    }
    waiting.set(name, { place, record });
  };
  /** `left`: how many of the rows are still in the table. */
  const sort = (
    table: string,
    rows: readonly SqlRow[],
  ): { readonly good: readonly SoundRow[]; readonly left: number } => {
    const checks = checksOf(table);
    const judged = rows.map((row) => ({ row, ...judge(row, checks) }));
    const bad = judged.filter(({ reason }) => reason !== undefined);
    const good = judged.flatMap(({ row, reason, mended, read }): SoundRow[] =>
      reason === undefined ? [{ ...row, ...read }] : mended === undefined ? [] : [mended],
    );
    if (bad.length === 0) return { good, left: rows.length };
    const found = bad.map((one) => ({ ...one, place: { table, key: keyOf(database, table, one.row) } }));
    try {
      move(found.map(({ place }) => place));
      return { good, left: good.length };
    } catch (cause) {
      if (!(cause instanceof HubError)) throw cause;
      for (const one of found) wait(one, cause);
      return { good, left: rows.length };
    }
  };
  return {
    ...keeping,
    sound: (table, rows) => sort(table, rows).good,
    sweep: (table) => {
      for (let kept = 0; ;) {
        const rows = database.all(`SELECT * FROM ${table} LIMIT ? OFFSET ?`, [ROWS_AT_ONCE, kept]);
        kept += sort(table, rows).left;
        if (rows.length < ROWS_AT_ONCE) return;
      }
    },
    moveWaiting: () => {
      if (waiting.size === 0) return;
      move([...waiting.values()].map(({ place }) => place));
      waiting.clear();
    },
    list: () => {
      const moved = database
        .all(LIST, [keeping.lastOfBefore(), wallMs() - TOLD_MS, wallMs(), MOST_LISTED])
        .map((row) => ({
          noun: String(row['noun']),
          id: String(row['id']),
          reason: String(row['reason']),
          atMs: Number(row['at_ms']),
        }));
      return [...[...waiting.values()].map(({ record }) => record), ...moved].slice(0, MOST_LISTED);
    },
  };
}

/** Checks all rows of a database before it is upgraded from this schema, inside the transaction of that. */
export function sweepAll(deps: SetAsideDeps, schema: number): void {
  deps.database.exec(SET_ASIDE);
  const inside = { ...deps.database, transaction: <Result>(work: () => Result): Result => work() };
  const checks = CHECKS.filter(({ since, until = schema }) => since <= schema && schema <= until);
  const { sweep } = createSetAside({ ...deps, database: inside, checks });
  for (const table of new Set(checks.map((check) => check.table))) sweep(table);
}

type Found = Judgement & { readonly place: Place; readonly row: SqlRow };

type Judgement = {
  /** In words; `undefined` for a row that is as it should be. */
  readonly reason?: string | undefined;
  /** What it becomes in its place. */
  readonly mended?: SqlRow | undefined;
  /** By column. */
  readonly read: Readonly<Record<string, ReadJson>>;
};

function judge(row: SqlRow, checks: readonly ContentCheck[]): Judgement {
  const read: Record<string, ReadJson> = {};
  const [reason] = checks.flatMap((check) => findFault(row, check, read) ?? []);
  if (reason === undefined) return { read };
  return { reason, read, mended: checks.find(({ mend }) => mend !== undefined)?.mend?.(row) };
}

/** A loader may have asked for some of the columns. Notes what it reads, so that nobody reads it again. */
function findFault(
  row: SqlRow,
  { integers = [], json = {}, isGood = () => true }: ContentCheck,
  read: Record<string, ReadJson>,
): string | undefined {
  for (const column of integers) {
    const number = row[column];
    if (number !== undefined && !(Number.isSafeInteger(number) && Number(number) >= 0))
      return `${column} is out of range`;
  }
  for (const [column, isRight] of Object.entries(json)) {
    const text = row[column];
    if (text === undefined) continue;
    const value = parseJson(String(text));
    if (value === undefined) return `${column} is not JSON`;
    if (!isRight(value)) return `${column} is of a wrong form`;
    read[column] = new ReadJson(value);
  }
  return isGood(row) ? undefined : 'its columns do not fit each other';
}

type Settling = { readonly checks: readonly ContentCheck[]; readonly atMs: number };

function settle(database: Database, { table, key }: Place, { checks, atMs }: Settling): readonly AsideRecord[] {
  const names = Object.keys(key);
  const where = names.map((name) => `${name} IS ?`).join(' AND ');
  const row = database.get(`SELECT * FROM ${table} WHERE ${where}`, Object.values(key));
  if (row === undefined) return [];
  const { reason, mended } = judge(row, checks);
  return reason === undefined ? [] : [moveRow(database, { table, row, reason, mended }, { atMs })];
}
