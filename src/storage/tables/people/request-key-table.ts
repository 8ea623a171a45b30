import { isNumber, isObject, isText, orNull, recordOf } from '#core/records/record-check.ts';
import type { KeptAnswer, KeptRequest, RequestKeyStore } from '#core/request-key/request-keys.ts';
import type { Database } from '#storage/engine/database.ts';
import { columnsOf, json, plain } from '#storage/tables/columns.ts';
import { read, write } from '#storage/tables/operation.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

/** Bytes that a row counts without its answer. */
const ROW_WEIGHT = 1_024;
const MAX_WEIGHT = 4 * 1024 * 1024;
const MAX_ROWS = MAX_WEIGHT / ROW_WEIGHT;
/** So much is left when the limit was reached, so that the next request does not reach it again. */
const LEFT_WEIGHT = 0.9 * MAX_WEIGHT;
/** The oldest requests of those with the most go, so that nobody can push out the requests of others. */
const TRIM = `
  DELETE FROM request_key WHERE number IN (
    SELECT number FROM (
      SELECT number, total(weight) OVER (ORDER BY own, number) AS total FROM (
        SELECT number, weight, total(weight) OVER (PARTITION BY caller ORDER BY number DESC) AS own FROM request_key
      )
    ) WHERE total > ?)`;

const COLUMNS = columnsOf<KeptRequest>({
  caller: plain('caller'),
  key: plain('key'),
  fingerprint: plain('fingerprint'),
  rights: plain('rights'),
  epoch: plain('epoch'),
  atMs: plain('at_ms'),
  answer: {
    ...json<KeptRequest['answer']>('answer'),
    toSql: (answer) => answer && JSON.stringify(answer),
  },
});
const SAVE = `INSERT OR REPLACE INTO request_key (${[...COLUMNS.names, 'weight'].join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const isKeptAnswer = recordOf<KeptAnswer>({
  place: orNull(isText),
  whole: orNull(recordOf({ status: isNumber, headers: isObject })),
});

/** Requests with a key. A restore brings back those of that moment, together with what they made. */
export const requestKeyTable = {
  open: openRequestKeys,
  checks: [
    { since: 26, table: 'request_key', integers: ['weight'], json: { answer: orNull(isKeptAnswer) } },
    { since: 26, table: 'request_key', findFault: findTooMany },
  ],
} satisfies StoredNoun;

function openRequestKeys({ database, sound }: NounDeps) {
  const where = 'WHERE caller = ? AND key = ?';
  const total = (): number => Number(database.get('SELECT total(weight) AS n FROM request_key')?.['n']);
  /** At least what the rows weigh: what goes is not subtracted before the limit is reached. */
  let most: number | undefined;
  const add = (weight: number): void => {
    most = (most ?? total()) + weight;
    if (most > MAX_WEIGHT) most = total();
    if (most <= MAX_WEIGHT) return;
    database.run(TRIM, [LEFT_WEIGHT]);
    // The transaction may fail.
    most = undefined;
  };
  return {
    findKey: read((caller: string, key: string): KeptRequest | undefined => {
      const rows = database.all(`SELECT * FROM request_key ${where}`, [caller, key]);
      return sound('request_key', rows).map(COLUMNS.fromRow)[0];
    }),
    saveKey: write((request: Parameters<RequestKeyStore['saveKey']>[0]): void =>
      database.transaction(() => {
        database.run(SAVE, [...COLUMNS.valuesOf({ ...request, answer: null }), ROW_WEIGHT]);
        add(ROW_WEIGHT);
      }),
    ),
    saveKeyAnswer: write((caller: string, key: string, answer: KeptAnswer): void =>
      database.transaction(() => {
        const text = JSON.stringify(answer);
        const bytes = Buffer.byteLength(text);
        database.run(`UPDATE request_key SET answer = ?, weight = ? ${where}`, [text, ROW_WEIGHT + bytes, caller, key]);
        add(bytes);
      }),
    ),
    deleteKey: write(
      (caller: string, key: string): void => void database.run(`DELETE FROM request_key ${where}`, [caller, key]),
    ),
    loadKeyEpochs: read((): string[] =>
      database.all('SELECT DISTINCT epoch FROM request_key').map(({ epoch }) => String(epoch)),
    ),
    deleteKeysBefore: write(
      (epoch: string, beforeMs: number): void =>
        void database.run('DELETE FROM request_key WHERE epoch = ? AND at_ms < ?', [epoch, beforeMs]),
    ),
  };
}

/** A file of ours never has more: a long list would hold up each request with a key. */
function findTooMany(database: Database): string | undefined {
  const count = Number(database.get('SELECT count(*) AS n FROM request_key')?.['n']);
  return count > MAX_ROWS ? 'It knows too many requests.' : undefined;
}
