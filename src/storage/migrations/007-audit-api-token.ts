/** Which API token did it, where no login did. */
export const AUDIT_API_TOKEN = `
ALTER TABLE audit ADD COLUMN api_token TEXT;
`;
