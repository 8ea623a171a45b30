import type { Sqlite } from '#storage/engine/database.ts';

/** Mistakes that a hub could make. The instrument that looks for one must find it. */
export type Mistake =
  | 'a rollback journal instead of the log'
  | 'synchronous=NORMAL'
  | 'failures that are passed over'
  | 'no transactions';

export type WatchedSqlite = {
  readonly sqlite: Sqlite;
  /** Closes the connections that are still open, as the end of a process would. */
  readonly closeAll: () => void;
};

type Connection = InstanceType<Sqlite['Database']>;
type Statement = ReturnType<Connection['prepare']>;

/** The package with its connections watched and, if asked for, with a mistake in the statements that it gets. */
export function watchSqlite(sqlite: Sqlite, mistake?: Mistake): WatchedSqlite {
  const connections = new Set<Connection>();
  const Database = new Proxy(sqlite.Database, {
    construct: (Target, args: [file?: string]): Connection => {
      const connection = new Target(...args);
      connections.add(connection);
      const prepare = connection.prepare.bind(connection);
      if (mistake !== undefined) connection.prepare = (sql) => WRONGLY[mistake](prepare, sql);
      return connection;
    },
  });
  return {
    sqlite: { ...sqlite, Database },
    closeAll: () => {
      for (const connection of connections) closeQuietly(connection);
      connections.clear();
    },
  };
}

type Prepare = (sql: string) => Statement;

const WRONGLY: Record<Mistake, (prepare: Prepare, sql: string) => Statement> = {
  'a rollback journal instead of the log': (prepare, sql) =>
    sql === 'PRAGMA journal_mode=WAL'
      ? pretending(prepare('PRAGMA journal_mode=DELETE'), [{ journal_mode: 'wal' }])
      : prepare(sql),
  'synchronous=NORMAL': (prepare, sql) => {
    if (sql === 'PRAGMA synchronous=FULL') return prepare('PRAGMA synchronous=NORMAL');
    return sql === 'PRAGMA synchronous' ? pretending(prepare(sql), [{ synchronous: 2 }]) : prepare(sql);
  },
  'failures that are passed over': (prepare, sql) =>
    /^(INSERT|UPDATE|DELETE|COMMIT)/.test(sql) ? passingOver(prepare(sql)) : prepare(sql),
  'no transactions': (prepare, sql) => prepare(/^(BEGIN|COMMIT|ROLLBACK)/.test(sql) ? 'SELECT 1' : sql),
};

/** Runs a statement, but gives this answer instead of its own. */
function pretending(statement: Statement, answer: ReturnType<Statement['all']>): Statement {
  const all = statement.all.bind(statement);
  statement.all = () => {
    all();
    return answer;
  };
  return statement;
}

function passingOver(statement: Statement): Statement {
  const run = statement.run.bind(statement);
  statement.run = (values) => {
    try {
      return run(values);
    } catch (cause) {
      // Only SQLite's own failure belongs to the mistake; anything else would hide a fault of the test.
      if (!(cause instanceof Error) || cause.name !== 'SQLite3Error') throw cause;
      return { changes: 1, lastInsertRowid: 0 };
    }
  };
  return statement;
}

function closeQuietly(connection: Connection): void {
  try {
    if (connection.isOpen) connection.close();
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'SQLite3Error') throw cause;
  }
}
