/**
 * Requests with an `Idempotency-Key`, and what their callers got. They go with the login or API token. `weight` is what
 * a row counts in the limit of all; `answer` comes last, so that a search does not read it.
 */
export const REQUEST_KEY = `
CREATE TABLE request_key (
  number INTEGER PRIMARY KEY,
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  rights TEXT NOT NULL,
  epoch TEXT NOT NULL,
  at_ms REAL NOT NULL,
  weight INTEGER NOT NULL,
  answer TEXT CHECK (json_valid(answer)),
  UNIQUE (caller, key)
) STRICT;
CREATE INDEX request_key_by_caller ON request_key (caller, weight);
CREATE TRIGGER request_key_of_session AFTER DELETE ON session BEGIN
  DELETE FROM request_key WHERE caller = OLD.id;
END;
CREATE TRIGGER request_key_of_api_token AFTER DELETE ON api_token BEGIN
  DELETE FROM request_key WHERE caller = OLD.id;
END;
`;
