/**
 * Who came in, who was refused and who changed what. It names accounts that may be gone. A session that was ended because
 * a spent token of it came back stays known: no token of it marks a known client any more.
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
