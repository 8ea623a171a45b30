/**
 * Who signed in, who was refused and who changed what. Rows may name deleted accounts. `reused_session` lists the sessions
 * that ended because a spent token was used again: their tokens no longer mark a known client.
 */
export const AUDIT = `
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  party TEXT NOT NULL,
  type TEXT NOT NULL,
  peer TEXT,
  user_id TEXT,
  actor_id TEXT,
  session TEXT,
  detail TEXT,
  count INTEGER NOT NULL,
  first_at_ms REAL NOT NULL,
  at_ms REAL NOT NULL,
  epoch TEXT NOT NULL,
  wall_ms REAL
) STRICT;
CREATE INDEX audit_by_party ON audit (kind, party);

CREATE TABLE reused_session (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`;
