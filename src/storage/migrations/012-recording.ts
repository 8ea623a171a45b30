/** How features are recorded, where a person decided it. */
export const RECORDING = `
CREATE TABLE recording (
  number INTEGER PRIMARY KEY,
  device TEXT NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record)),
  UNIQUE (device, key)
) STRICT;
`;
