/** How each person sees the home, as one record, and the icons of rooms. Those of devices are in their records. */
export const HOME_VIEW = `
CREATE TABLE home_view (
  user TEXT PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
ALTER TABLE room ADD COLUMN icon TEXT;
`;
