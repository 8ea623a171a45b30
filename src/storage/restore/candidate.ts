import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import { HUB_VERSION_META } from '#core/hub-identity.ts';
import { openDatabase, openMemoryDatabase, type Database, type Sqlite } from '#storage/engine/database.ts';
import { SIDE_FILES, copyToDisk, ensureOwnFolder, syncToDisk } from '#storage/engine/durable-file.ts';
import { MIGRATIONS, migrate, schemaVersion, withoutConstraints } from '#storage/engine/schema.ts';
import { CorruptDatabaseError, StorageRefusal } from '#storage/engine/storage-failure.ts';
import type { ContentCheck, StoredNoun } from '#storage/tables/stored-noun.ts';
import { TABLES } from '#storage/tables/table-list.ts';

type CandidateDeps = {
  readonly sqlite: Sqlite;
  readonly temporary: string;
  /**
   * For the hub's own backups when the database is lost: what single rows have is looked at when they are loaded, and
   * before the upgrade by this function.
   */
  readonly sweep?: (database: Database, schema: number) => void;
};

/** A check found this content in a file. */
export type BackupContent = {
  readonly schema: number;
  readonly users: number;
  readonly devices: number;
  readonly rooms: number;
  /** Version of the hub that wrote the file last; `null` if it is from a version that did not note it. */
  readonly hubVersion: string | null;
};

/**
 * Copies a file of any origin and makes the copy ready to replace the live database: checks all of it, migrates it to the
 * present schema, applies `adjust`, closes it and syncs it to disk. Throws HubError INVALID_BACKUP, which says in words
 * what is wrong. The file itself is not changed.
 */
export function prepareCandidate(
  deps: CandidateDeps,
  from: string,
  adjust: (database: Database, content: BackupContent) => void = () => undefined,
): string {
  const path = join(deps.temporary, 'candidate.db');
  try {
    ensureOwnFolder(deps.temporary);
    copyToDisk(from, path);
    const database = openDatabase(deps.sqlite, path);
    try {
      const content = checkContent(deps, database);
      migrate(database, MIGRATIONS, (schema) => deps.sweep?.(database, schema));
      adjust(database, content);
    } finally {
      database.close();
    }
    syncToDisk(path);
    return path;
  } catch (cause) {
    removeCandidate(deps);
    // A daily backup may have been deleted for a newer one in the meantime.
    if (!existsSync(from)) throw new HubError('NOT_FOUND', 'There is no such backup.');
    throw cause instanceof CorruptDatabaseError ? refused('It is damaged or not a database.', cause) : cause;
  }
}

/** Checks all of a file of any origin, on a copy. */
export function checkCandidate(deps: CandidateDeps, from: string): BackupContent {
  const found: BackupContent[] = [];
  prepareCandidate(deps, from, (_database, content) => void found.push(content));
  removeCandidate(deps);
  const [content] = found;
  if (content === undefined) throw new Error('a candidate was not checked');
  return content;
}

function removeCandidate({ temporary }: CandidateDeps): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(join(temporary, `candidate.db${suffix}`), { force: true });
}

function refused(reason: string, cause?: unknown): HubError {
  return new HubError('INVALID_BACKUP', `This file cannot be restored. ${reason}`, { cause });
}

/** The schema comes first: a file with a foreign schema may contain triggers and checks of its own. */
function checkContent({ sqlite, sweep }: CandidateDeps, database: Database): BackupContent {
  const schema = schemaVersion(database);
  if (schema === 0) throw refused('It does not come from hearthd.');
  if (schema > MIGRATIONS.length) {
    const newer = new StorageRefusal('too_new', `schema ${schema}; this hearthd knows ${MIGRATIONS.length}`);
    throw refused('It was made by a newer version of hearthd.', newer);
  }
  if (schemaOf(database) !== expectedSchema(sqlite, schema)) throw refused('It does not come from hearthd.');
  const isWhole = sweep === undefined ? checkWhole(database) : withoutConstraints(database, checkWhole);
  if (!isWhole || database.all('PRAGMA foreign_key_check').length > 0) throw refused('It is damaged.');
  if (sweep === undefined) checkTables(database, schema);
  const countOf = (table: string): number => Number(database.get(`SELECT count(*) AS n FROM ${table}`)?.['n']);
  const version = database.get('SELECT value FROM meta WHERE key = ?', [HUB_VERSION_META])?.['value'];
  // Shown to people, and the file may come from anywhere.
  const hubVersion = typeof version === 'string' && /^[\w.+~-]{1,40}$/.test(version) ? version : null;
  return { schema, users: countOf('user'), devices: countOf('device'), rooms: countOf('room'), hubVersion };
}

function checkWhole(database: Database): boolean {
  return database.get('PRAGMA integrity_check(1)')?.['integrity_check'] === 'ok';
}

function schemaOf(database: Database): string {
  return JSON.stringify(database.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name'));
}

function expectedSchema(sqlite: Sqlite, version: number): string {
  const model = openMemoryDatabase(sqlite);
  try {
    migrate(model, MIGRATIONS.slice(0, version));
    return schemaOf(model);
  } finally {
    model.close();
  }
}

/** The integers come first: walking through the rows afterwards relies on keys that JavaScript can represent. */
function checkTables(database: Database, schema: number): void {
  const nouns: readonly StoredNoun[] = Object.values(TABLES);
  const checks = nouns
    .flatMap((noun) => noun.checks)
    .filter(({ since, until = schema, isOfLoading }) => isOfLoading !== true && since <= schema && schema <= until);
  for (const check of checks) checkIntegers(database, check);
  for (const { findFault } of checks) {
    const fault = findFault?.(database);
    if (fault !== undefined) throw refused(fault);
  }
  for (const check of checks) checkJson(database, check);
}

function checkIntegers(database: Database, { table, integers = [] }: ContentCheck): void {
  for (const column of integers) {
    const sql = `SELECT count(*) AS n FROM ${table} WHERE ${column} NOT BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}`;
    if (database.get(sql)?.['n'] !== 0) throw refused('A number in it is out of range.');
  }
}

function checkJson(database: Database, { table, json = {} }: ContentCheck): void {
  for (const [column, isGood] of Object.entries(json)) {
    for (let row = nextText(database, { table, column, after: -1 }); row !== undefined;) {
      if (!isGood(JSON.parse(row.text) as JsonValue)) throw refused('Something in it cannot be read.');
      row = nextText(database, { table, column, after: row.key });
    }
  }
}

function nextText(
  database: Database,
  { table, column, after }: { table: string; column: string; after: number },
): { key: number; text: string } | undefined {
  const row = database.get(
    `SELECT rowid AS key, ${column} AS text FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1`,
    [after],
  );
  return row === undefined ? undefined : { key: Number(row['key']), text: String(row['text']) };
}
