/** Modes and variables, by the keys that people gave them. */
export const MODE_VARIABLE = `
CREATE TABLE mode_set (
  key TEXT PRIMARY KEY,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;

CREATE TABLE variable (
  key TEXT PRIMARY KEY,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
