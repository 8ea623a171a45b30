/** Dates under a name; the key is chosen by people. */
export const CALENDAR = `
CREATE TABLE calendar (
  key TEXT PRIMARY KEY,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
