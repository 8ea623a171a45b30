/** Templates that people imported; those that come with the hub are in the program. */
export const AUTOMATION_TEMPLATE = `
CREATE TABLE automation_template (
  key TEXT PRIMARY KEY,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
