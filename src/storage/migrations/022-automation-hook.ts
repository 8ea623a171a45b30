/** Programs without an account call hooks with secrets, of which only hashes are stored. */
export const AUTOMATION_HOOK = `
CREATE TABLE automation_hook (
  automation TEXT NOT NULL REFERENCES automation (id) ON DELETE CASCADE,
  trigger_id TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  record TEXT NOT NULL CHECK (json_valid(record)),
  PRIMARY KEY (automation, trigger_id)
) STRICT;
`;
