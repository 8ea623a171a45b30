import type { Session, SessionId } from '#auth/session/session.ts';
import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { StoredValue } from '#core/device/device.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';
import type { SoundRow } from './columns.ts';
import type { Operations } from './operation.ts';

/** Everything storage knows of one stored noun, apart from the migration that makes its tables. */
export type StoredNoun = {
  /** Its operations on an open database; their names are those of the port that its owner declares. */
  readonly open: (deps: NounDeps) => Operations;
  /**
   * What a file of any origin must fulfil, apart from its schema, before it can become the database, and each row when it
   * is loaded.
   */
  readonly checks: readonly ContentCheck[];
  /** Copies from the live database what a restore must not undo. */
  readonly carryOver?: (live: Database, restored: Database, keep: RestoreKeep) => void;
};

export type NounDeps = {
  readonly database: Database;
  readonly later: LaterWrites;
  readonly log: Log;
  /** The rows of a table that its checks find good, with the JSON that these read: each loader takes these. The rows need their whole key. */
  readonly sound: (table: string, rows: readonly SqlRow[]) => readonly SoundRow[];
};

/** Takes what may wait up to 30 s before it is written. */
export type LaterWrites = {
  readonly addValue: (value: StoredValue) => void;
  readonly addTouches: (touches: readonly SessionTouch[]) => void;
  /** Written with the next values or touches, whenever they come: starts no timer. */
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  /** Entries of meta that are newer than those in the table. */
  readonly ridingMeta: () => ReadonlyMap<string, string>;
  /** Writes them inside the caller's transaction, so that what the caller writes then is newer. */
  readonly settleMeta: () => void;
  /** Call it once that is committed. */
  readonly forgetRidingMeta: () => void;
  /** Drops waiting touches of sessions that were just written. */
  readonly forgetTouches: (ids: readonly SessionId[]) => void;
};

export type SessionTouch = Pick<Session, 'id' | 'lastUsedAtMs' | 'address'>;

export type ContentCheck = {
  /** The first schema that has what is checked. */
  readonly since: number;
  /** The last one that has it. */
  readonly until?: number;
  readonly table: string;
  /** Columns with integers that must be safe in JavaScript, because SQLite's range is larger. */
  readonly integers?: readonly string[];
  /** Columns that SQLite knows only as JSON text, with what each value must be. */
  readonly json?: Readonly<Record<string, (value: JsonValue) => boolean>>;
  /** Asked of a row when it is loaded, not of a file that is restored. */
  readonly isGood?: (row: SqlRow) => boolean;
  /** The columns to change in a row that must not be set aside; `undefined` for one that may. */
  readonly mend?: (row: SqlRow) => SqlRow | undefined;
  /** Asked only when a row is loaded: a restore keeps none from the file, or looks at them in another way. */
  readonly isOfLoading?: boolean;
  /** Anything else that is wrong with the table of a file, as a sentence. */
  readonly findFault?: (database: Database) => string | undefined;
};

/**
 * A restore keeps these parts of the present state, beside the audit log, the passwords and the revocation of API
 * tokens. Everything else becomes as it was when the backup was made.
 */
export type RestoreKeep = {
  /** The one login that does not end, if its user is in the backup. */
  readonly session: SessionId | null;
  /** Keys of meta that keep their present values, as the marks of the clock must. */
  readonly meta: readonly string[];
};
