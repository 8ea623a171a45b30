/** Credentials are files beside the database. How far each has come rides in the journal, as an entry of meta. */
export const EXPORTER = `
CREATE TABLE exporter (
  id TEXT PRIMARY KEY,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
