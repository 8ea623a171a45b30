/** The last use has columns of its own, because it is written more often than the record. */
export const API_TOKEN = `
CREATE TABLE api_token (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,
  record TEXT NOT NULL CHECK (json_valid(record)),
  last_used_at_ms REAL,
  last_address TEXT
) STRICT;
CREATE INDEX api_token_by_user ON api_token (user_id);
`;
