/** The scenes, each as one record: nothing is ever searched in them. */
export const SCENE = `
CREATE TABLE scene (
  id TEXT PRIMARY KEY,
  selector TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
