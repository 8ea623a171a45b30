/**
 * Last values are written to the journal beside the database from now on. What the log in the database still holds moves
 * into the devices' rows: of each key the last entry counts, and the device's row is older than the log. The marks say up
 * to which row of which journal the database has what is in there.
 */
export const JOURNAL = `
INSERT OR REPLACE INTO device_value (device, states)
WITH entry (device, name, body, log, place) AS (
  SELECT device, json_extract(value, '$[0]'), value, 0, key FROM device_value, json_each(states)
  UNION ALL
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_remove(value, '$[0]'), number, key
  FROM value_log, json_each(changes)
), ranked AS (
  SELECT device, body, row_number() OVER (PARTITION BY device, name ORDER BY log DESC, place DESC) AS rank FROM entry
)
SELECT device, json_group_array(json(body)) FROM ranked
WHERE rank = 1 AND device IN (SELECT number FROM device) GROUP BY device;

DROP TABLE value_log;

CREATE TABLE journal_mark (
  key TEXT PRIMARY KEY,
  journal TEXT NOT NULL,
  row INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
