/** The secret signs requests to a receiver; it gives no access to the hub. */
export const WEBHOOK = `
CREATE TABLE webhook (
  id TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
