/** Lets a change of an account be conditional on what it was made from. */
export const USER_REVISION = `
ALTER TABLE user ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
`;
