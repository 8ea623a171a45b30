/** The rooms to which a person is limited, as a JSON array of ids, and the end of the person's time. */
export const USER_LIMITS = `
ALTER TABLE user ADD COLUMN room_ids TEXT CHECK (room_ids IS NULL OR json_valid(room_ids));
ALTER TABLE user ADD COLUMN valid_until_ms REAL;
ALTER TABLE user ADD COLUMN has_ended INTEGER NOT NULL DEFAULT 0 CHECK (has_ended IN (0, 1));
`;
