/** API tokens that ended before their time: no restored backup brings one back. Numbered as they ended; it names accounts that may be gone. */
export const REVOKED_API_TOKEN = `
CREATE TABLE revoked_api_token (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL
) STRICT;
`;
