/** The automations, each with what it does now, and what it did before. Definitions of versions are deflated JSON. */
export const AUTOMATION = `
CREATE TABLE automation (
  id TEXT PRIMARY KEY,
  selector TEXT NOT NULL UNIQUE,
  deleted_at_ms REAL,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;

CREATE TABLE automation_version (
  automation TEXT NOT NULL REFERENCES automation (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  is_kept INTEGER NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record)),
  definition BLOB NOT NULL CHECK (length(definition) <= 131072),
  PRIMARY KEY (automation, version)
) STRICT;
`;
