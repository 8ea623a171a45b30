/** The provider for which a script with the token may speak. */
export const API_TOKEN_PROVIDER = `
ALTER TABLE api_token ADD COLUMN provider TEXT;
`;
