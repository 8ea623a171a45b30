/** Notifications with their acknowledgements, and the channels by which they leave the hub. */
export const NOTIFICATION = `
CREATE TABLE notification (
  id TEXT PRIMARY KEY,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;

CREATE TABLE notification_channel (
  id TEXT PRIMARY KEY,
  secret TEXT,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;

CREATE TABLE quiet_hours (
  user TEXT PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
`;
