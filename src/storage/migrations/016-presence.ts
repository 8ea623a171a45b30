export const PRESENCE = `
CREATE TABLE presence (
  key TEXT PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
