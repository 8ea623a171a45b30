/**
 * Requests with an `Idempotency-Key`, and what their callers got. They go with the login or API token. `weight` is what
 * a row counts in the limit of all. A second index would be a third page in each of the two writes.
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
CREATE TRIGGER request_key_of_session AFTER DELETE ON session BEGIN
  DELETE FROM request_key WHERE caller = OLD.id;
END;
CREATE TRIGGER request_key_of_api_token AFTER DELETE ON api_token BEGIN
  DELETE FROM request_key WHERE caller = OLD.id;
END;
`;
