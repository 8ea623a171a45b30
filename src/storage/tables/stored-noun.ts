import type { Session, SessionId } from '#auth/session/session.ts';
import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { StoredValue } from '#core/device/device.ts';
import type { Database } from '#storage/engine/database.ts';
import type { Operations } from './operation.ts';

/** Everything storage knows of one stored noun, apart from the migration that makes its tables. */
export type StoredNoun = {
  /** Its operations on an open database; their names are those of the port that its owner declares. */
  readonly open: (deps: NounDeps) => Operations;
  /** What a file of any origin must hold to, beyond its schema, before it can become the database. */
  readonly checks: readonly ContentCheck[];
  /** Copies from the live database what a restore must not undo. */
  readonly carryOver?: (live: Database, restored: Database, keep: RestoreKeep) => void;
};

export type NounDeps = { readonly database: Database; readonly later: LaterWrites; readonly log: Log };

/** Where operations leave what may wait up to 30 s. */
export type LaterWrites = {
  readonly addValue: (value: StoredValue) => void;
  readonly addTouches: (touches: readonly SessionTouch[]) => void;
  /** Written with the next of these, whenever that is: it arms no timer. */
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  /** Drops what waits for keys that were just written. */
  readonly forgetMeta: (keys: Iterable<string>) => void;
  /** Drops what waits for sessions that were just written or ended. */
  readonly forgetTouches: (ids: readonly SessionId[]) => void;
};

export type SessionTouch = Pick<Session, 'id' | 'lastUsedAtMs' | 'address'>;

export type ContentCheck = {
  /** The first schema that has what is checked. */
  readonly since: number;
  readonly table: string;
  /** Columns whose integers must be safe in JavaScript: SQLite's reach further. */
  readonly integers?: readonly string[];
  /** Columns that SQLite knows only as JSON text, with what each value must be. */
  readonly json?: Readonly<Record<string, (value: JsonValue) => boolean>>;
  /** Anything else that is wrong with the table, as a sentence. */
  readonly findFault?: (database: Database) => string | undefined;
};

/**
 * What of the present outlives a restore beside the audit log, the passwords and the end of API tokens; everything else
 * is as it was when the backup was made.
 */
export type RestoreKeep = {
  /** The one login that is not ended, if its user is in the backup; every other one is. */
  readonly session: SessionId | null;
  /** Keys of meta whose present values stay, as the marks of the clock must. */
  readonly meta: readonly string[];
};
