/** API tokens that were revoked, in that order: no restored backup makes one valid again. Rows may name deleted accounts. */
export const REVOKED_API_TOKEN = `
CREATE TABLE revoked_api_token (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL
) STRICT;
`;
