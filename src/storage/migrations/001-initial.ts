/**
 * Times are REAL: hub time has fractions of a millisecond.
 * A device's values are keyed by its short number and written to a log of changes first (see value-log.ts).
 */
export const INITIAL = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'resident', 'guest')),
  password_hash TEXT NOT NULL,
  created_at_ms REAL NOT NULL,
  updated_at_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  client_name TEXT,
  address TEXT NOT NULL,
  created_at_ms REAL NOT NULL,
  last_used_at_ms REAL NOT NULL,
  expires_at_ms REAL NOT NULL,
  epoch TEXT NOT NULL,
  rotating INTEGER NOT NULL CHECK (rotating IN (0, 1)),
  generation INTEGER NOT NULL,
  token_hash BLOB NOT NULL,
  next_token_hash BLOB,
  spent_at_ms TEXT NOT NULL CHECK (json_valid(spent_at_ms))
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_user ON session (user_id);

CREATE TABLE room (
  id TEXT PRIMARY KEY,
  selector TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at_ms REAL NOT NULL,
  updated_at_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE device (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  integration TEXT NOT NULL,
  external_id TEXT NOT NULL,
  selector TEXT NOT NULL UNIQUE,
  room_id TEXT REFERENCES room (id) ON DELETE SET NULL,
  removed_at_ms REAL,
  record TEXT NOT NULL CHECK (json_valid(record)),
  UNIQUE (integration, external_id)
) STRICT;

CREATE TABLE device_value (
  device INTEGER PRIMARY KEY REFERENCES device (number) ON DELETE CASCADE,
  states TEXT NOT NULL CHECK (json_valid(states))
) STRICT;

CREATE TABLE value_log (
  number INTEGER PRIMARY KEY,
  change_count INTEGER NOT NULL,
  changes TEXT NOT NULL CHECK (json_valid(changes))
) STRICT;
`;
