import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type * as Package from 'node-sqlite3-wasm';
import { HubError } from '#base/hub-error.ts';
import { syncToDisk } from './durable-file.ts';
import { CorruptDatabaseError, brokenDisk, onDisk, storageFailure } from './storage-failure.ts';

/** The loaded package. Everything after loading is synchronous. */
export type Sqlite = typeof Package;

export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** One open database file. Every call is synchronous; a failure leaves no statement and no transaction open. */
export type Database = {
  /** Executes one statement and returns the number of changed rows. Outside `transaction` it commits by itself. */
  readonly run: (sql: string, values?: readonly SqlValue[]) => number;
  /** All rows. Tables are STRICT, so the values have the types of their columns. Read long results in pages. */
  readonly all: (sql: string, values?: readonly SqlValue[]) => SqlRow[];
  readonly get: (sql: string, values?: readonly SqlValue[]) => SqlRow | undefined;
  /** Executes a script of several statements without values. */
  readonly exec: (script: string) => void;
  /** Commits all that `work` did, or nothing if it throws. The data is on disk when this returns. */
  readonly transaction: <Result>(work: () => Result) => Result;
  /** Moves the log into the database file and closes it. Throws if a part is still in the log. */
  readonly close: () => void;
  /** Stops using the file without writing a byte: for a damaged file that must be kept as it is. */
  readonly abandon: () => void;
};

type DatabaseSize = {
  /** The size of a page in a file that is created; SQLite's own if left out. */
  readonly pageBytes?: number;
  /** How much of the file stays in memory; SQLite's own 2 MB if left out. */
  readonly cacheKiB?: number;
  /** How many pages the log takes before they are moved into the file, which costs two fsyncs. */
  readonly logPages?: number;
};

type Statement = InstanceType<Sqlite['Statement']>;
type Connection = InstanceType<Sqlite['Database']>;

let loading: Promise<Sqlite> | undefined;

/**
 * Compiles SQLite, once per thread, to baseline code: optimised code would cost 40 MB of memory and gain nothing at a
 * hub's pace. The flag holds for the whole process, so it is reset at once.
 */
export function loadSqlite(): Promise<Sqlite> {
  loading ??= compileSqlite();
  return loading;
}

async function compileSqlite(): Promise<Sqlite> {
  setFlagsFromString('--liftoff-only');
  try {
    // A static import would compile before the flag is set.
    const module = await import('node-sqlite3-wasm');
    return 'default' in module ? module.default : module;
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}

/**
 * The one place that opens a file (S1). The caller must own the file, because the package's lock cannot tell a dead owner
 * from a living one. A rollback journal does not survive a crash, so WAL is set and asserted before any other statement.
 */
export function openDatabase(sqlite: Sqlite, file: string, size: DatabaseSize = {}): Database {
  const { pageBytes, cacheKiB, logPages = 250 } = size;
  const connection = translated(file, () => new sqlite.Database(file));
  const database = wrapConnection(connection, file);
  try {
    // Decides only in a new file, and only before everything else.
    if (pageBytes !== undefined) database.all(`PRAGMA page_size=${pageBytes}`);
    database.all('PRAGMA locking_mode=EXCLUSIVE');
    const mode = database.get('PRAGMA journal_mode=WAL')?.['journal_mode'];
    if (mode !== 'wal') throw new CorruptDatabaseError(`the journal mode is ${String(mode)}, not wal`);
    database.all('PRAGMA synchronous=FULL');
    database.all('PRAGMA journal_size_limit=1048576');
    assertPragmas(database);
    database.all(`PRAGMA wal_autocheckpoint=${logPages}`);
    if (cacheKiB !== undefined) database.all(`PRAGMA cache_size=-${cacheKiB}`);
    database.all('PRAGMA foreign_keys=ON');
    database.all('PRAGMA trusted_schema=OFF');
    // The first read creates the log. The package syncs files, but never folders, so the log's name must be put on disk
    // before a commit that only the log contains is acknowledged.
    database.get('PRAGMA user_version');
    syncToDisk(dirname(file));
    return database;
  } catch (cause) {
    database.abandon();
    throw cause;
  }
}

/** Opens a file that is not written any more. It must be closed and in no WAL mode, so that reading needs no other file. */
export function openReadOnly(
  sqlite: Sqlite,
  file: string,
  { cacheKiB }: Pick<DatabaseSize, 'cacheKiB'> = {},
): Database {
  const connection = translated(file, () => new sqlite.Database(file, { readOnly: true }));
  const database = wrapConnection(connection, file);
  try {
    // The lock of the package is a folder, which each statement would make and remove.
    database.all('PRAGMA locking_mode=EXCLUSIVE');
    if (cacheKiB !== undefined) database.all(`PRAGMA cache_size=-${cacheKiB}`);
    database.all('PRAGMA trusted_schema=OFF');
    return database;
  } catch (cause) {
    database.abandon();
    throw cause;
  }
}

/** A database in memory, which is lost when it is closed. */
export function openMemoryDatabase(sqlite: Sqlite): Database {
  return wrapConnection(new sqlite.Database(':memory:'), ':memory:');
}

function assertPragmas(database: Database): void {
  const answers = [
    database.get('PRAGMA locking_mode'),
    database.get('PRAGMA synchronous'),
    database.get('PRAGMA journal_size_limit'),
  ];
  const wanted = [{ locking_mode: 'exclusive' }, { synchronous: 2 }, { journal_size_limit: 1_048_576 }];
  if (JSON.stringify(answers) !== JSON.stringify(wanted)) {
    throw new Error(`sqlite did not accept its settings: ${JSON.stringify(answers)}`);
  }
}

function wrapConnection(connection: Connection, file: string): Database {
  const statements = new Map<string, Statement>();

  const withStatement = <Result>(sql: string, values: readonly SqlValue[], use: (statement: Statement) => Result) => {
    for (const value of values) assertStorable(value);
    const statement = statements.get(sql) ?? connection.prepare(assertSingle(sql));
    statements.set(sql, statement);
    try {
      return use(statement);
    } catch (cause) {
      // A statement whose step failed once fails for ever, so the next caller gets a new one.
      statements.delete(sql);
      finalizeQuietly(statement);
      throw cause;
    }
  };
  const run = (sql: string, values: readonly SqlValue[] = []): number =>
    translated(file, () => withStatement(sql, values, (statement) => statement.run([...values]).changes));
  // Always reads to the end: a statement left on a row keeps its transaction open and its writes uncommitted.
  const all = (sql: string, values: readonly SqlValue[] = []): SqlRow[] =>
    translated(file, () => withStatement(sql, values, (statement) => statement.all([...values]) as SqlRow[]));

  return {
    run,
    all,
    get: (sql, values = []) => all(sql, values)[0],
    exec: (script) => translated(file, () => connection.exec(script)),
    transaction: (work) => {
      if (connection.inTransaction) throw new Error('transactions do not nest');
      run('BEGIN IMMEDIATE');
      try {
        const result = work();
        run('COMMIT');
        return result;
      } catch (cause) {
        // Some failures (a full disk) have rolled back already.
        if (connection.inTransaction) run('ROLLBACK');
        throw cause;
      }
    },
    close: () => {
      for (const statement of statements.values()) finalizeQuietly(statement);
      statements.clear();
      translated(file, () => connection.close());
      // SQLite does not report that it could not empty the log.
      if (onDisk(() => existsSync(`${file}-wal`))) throw brokenDisk();
    },
    abandon: () => {
      // Closing would write a checkpoint. A handle that is never closed costs two descriptors, once.
      statements.clear();
      releaseFileLock(file);
    },
  };
}

/** Removes the package's lock. The caller must hold the state lock or own the file in another way. */
export function releaseFileLock(file: string): void {
  onDisk(() => rmSync(`${file}.lock`, { recursive: true, force: true }));
}

function translated<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw storageFailure(cause, file);
  }
}

function finalizeQuietly(statement: Statement): void {
  try {
    statement.finalize();
  } catch (cause) {
    // sqlite3_finalize repeats the failure of the last step, which was thrown already.
    if (!(cause instanceof Error) || cause.name !== 'SQLite3Error') throw cause;
  }
}

function assertSingle(sql: string): string {
  if (/;\s*\S/.test(sql)) throw new Error(`only the first of several statements would run: ${sql}`);
  return sql;
}

/** The package would silently store a different value for each of these (S4). */
function assertStorable(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
      throw new HubError('VALIDATION_FAILED', 'Text must not contain NUL characters or halves of surrogate pairs.');
    }
    return;
  }
  if (typeof value === 'number' ? Number.isFinite(value) : value === null || value instanceof Uint8Array) return;
  throw new TypeError(`a ${typeof value} (${String(value)}) cannot be stored`);
}
