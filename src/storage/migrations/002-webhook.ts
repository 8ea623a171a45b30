/** The secret signs what is sent to a receiver and opens nothing at the hub. */
export const WEBHOOK = `
CREATE TABLE webhook (
  id TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
