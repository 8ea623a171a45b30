/** Lets a change of an account depend on the revision that it was based on. */
export const USER_REVISION = `
ALTER TABLE user ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
`;
