/**
 * Rows that were of a wrong form, each whole, as JSON; bytes in it are hex. A row that goes with another one, because it
 * belongs to that, names it. An upgrade may make the table before its turn.
 */
export const SET_ASIDE = `
CREATE TABLE IF NOT EXISTS set_aside (
  number INTEGER PRIMARY KEY,
  part_of INTEGER REFERENCES set_aside (number) ON DELETE CASCADE,
  noun TEXT NOT NULL,
  id TEXT NOT NULL,
  reason TEXT NOT NULL,
  at_ms REAL NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content))
) STRICT;
`;
