/** The API token that made the change, if no login did. */
export const AUDIT_API_TOKEN = `
ALTER TABLE audit ADD COLUMN api_token TEXT;
`;
