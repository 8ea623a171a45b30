import { isJsonObject, parseJson } from '#base/json.ts';
import type { Database } from '#storage/engine/database.ts';
import { putMetaRow } from '#storage/tables/meta-table.ts';

/** All that is set aside, and until when. */
export type AsideTotals = {
  /** Without the rows that went with another one. */
  readonly records: number;
  readonly bytes: number;
  /** When the oldest of them go; `null` without any, and while the clock has not been set since they were found. */
  readonly untilMs: number | null;
};

export type AsideKeeping = ReturnType<typeof createAsideKeeping>;

/** Rows with these numbers and lower ones were there at this time. A clock that was wrong when they came counts for nothing. */
type Seen = { readonly to: number; readonly atMs: number };

const SEEN = 'set_aside_seen';
const KEPT_MS = 90 * 86_400_000;
/** As much as a home has in all; what this run found stays in any case. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The number up to which rows have more than so many bytes after them. */
const TOO_MUCH = `SELECT max(number) AS last FROM
  (SELECT number, sum(octet_length(content)) OVER (ORDER BY number DESC) AS bytes FROM set_aside) WHERE bytes > ?`;

export function createAsideKeeping(database: Database, mostBytes = MOST_BYTES) {
  const lastNumber = (sql = 'SELECT max(number) AS last FROM set_aside', values: readonly number[] = []): number =>
    Number(database.get(sql, values)?.['last'] ?? 0);
  let before = lastNumber();
  const readSeen = (): readonly Seen[] =>
    seenFromText(String(database.get('SELECT value FROM meta WHERE key = ?', [SEEN])?.['value'] ?? ''));
  return {
    /** The last row that an earlier run set aside. */
    lastOfBefore: (): number => before,
    /** Removes what was kept for its time, or is too much. Call it only while the clock can be trusted. Returns how many records. */
    forget: (nowMs: number): number => {
      const known = readSeen();
      const last = lastNumber();
      const isNews = last > (known.at(-1)?.to ?? 0);
      const seen = isNews ? [...known, { to: last, atMs: nowMs }] : known;
      const old = seen.findLast(({ atMs }) => atMs <= nowMs - KEPT_MS)?.to ?? 0;
      const over = Math.max(old, Math.min(before, lastNumber(TOO_MUCH, [mostBytes])));
      if (!isNews && over === 0) return 0;
      const removed = database.transaction(() => {
        // A record takes the rows along that came with it.
        const count = database.run('DELETE FROM set_aside WHERE part_of IS NULL AND number <= ?', [over]);
        // Numbers begin anew in an empty table.
        const left = lastNumber() === 0 ? [] : seen.filter(({ to }) => to > over);
        putMetaRow(database, SEEN, JSON.stringify(left.map(({ to, atMs }) => [to, atMs])));
        return count;
      });
      before = Math.min(before, lastNumber());
      return removed;
    },
    totals: (): AsideTotals => {
      const row = database.get(`SELECT count(*) AS records, (SELECT sum(octet_length(content)) FROM set_aside) AS bytes,
        min(number) AS first FROM set_aside WHERE part_of IS NULL`);
      const first = row?.['first'] ?? null;
      const seen = first === null ? undefined : readSeen().find(({ to }) => to >= Number(first));
      return {
        records: Number(row?.['records'] ?? 0),
        bytes: Number(row?.['bytes'] ?? 0),
        untilMs: seen === undefined ? null : seen.atMs + KEPT_MS,
      };
    },
  };
}

/** Reads the marks. A text that no hub wrote counts as none: the rows are then seen anew. */
function seenFromText(text: string): readonly Seen[] {
  const value = parseJson(text);
  if (!Array.isArray(value) || isJsonObject(value)) return [];
  return value.flatMap((one) => {
    const [to, atMs] = Array.isArray(one) ? one : [];
    return typeof to === 'number' && typeof atMs === 'number' ? [{ to, atMs }] : [];
  });
}
