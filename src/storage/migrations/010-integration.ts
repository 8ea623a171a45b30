/**
 * The configured integrations. Until now there was one MQTT broker in `meta`; it becomes an instance of `mqtt`, and one
 * of `zigbee2mqtt` that speaks through it. Their ids are those under which devices are stored. The names of the files of
 * passwords stay. A value that cannot be read is left out, as before.
 */
export const INTEGRATION = `
CREATE TABLE integration (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record)),
  removed_at_ms REAL
) STRICT;

CREATE TABLE integration_state (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (json_valid(state))
) STRICT, WITHOUT ROWID;

WITH kept AS (
  SELECT coalesce((SELECT value FROM meta WHERE key = 'broker' AND json_valid(value) AND json_type(value) = 'object'), '{}') AS broker,
    EXISTS (SELECT 1 FROM meta WHERE key IN ('broker', 'broker_reached')) AS is_chosen
), flags AS (
  SELECT broker,
    iif(is_chosen, 'true', 'false') AS is_chosen,
    iif(json_type(broker, '$.enabled') = 'false', 'false', 'true') AS enabled,
    json_extract(broker, '$.password') AS password
  FROM kept
)
INSERT INTO integration (id, kind, record)
SELECT 'mqtt', 'mqtt', json_object(
  'name', 'MQTT broker', 'enabled', json(enabled), 'uniqueId', NULL,
  'settings', json_patch('{}', json_object(
    'address', iif(json_type(broker, '$.address') = 'text', json_extract(broker, '$.address'), NULL),
    'user', iif(json_type(broker, '$.user') = 'text', json_extract(broker, '$.user'), NULL))),
  'settingsVersion', 1,
  'secrets', json(iif(password IN ('mqtt-password.a', 'mqtt-password.b'), json_object('password', password), '{}')),
  'mayReachHub', json('true'), 'isChosen', json(is_chosen), 'revision', 1, 'isForgetting', json('false'))
FROM flags
UNION ALL
SELECT 'zigbee2mqtt', 'zigbee2mqtt', json_object(
  'name', 'Zigbee2MQTT', 'enabled', json(enabled), 'uniqueId', NULL,
  'settings', json_patch('{"broker":"mqtt"}', json_object(
    'base_topic', iif(json_type(broker, '$.base_topic') = 'text', json_extract(broker, '$.base_topic'), NULL))),
  'settingsVersion', 1, 'secrets', json_object(),
  'mayReachHub', json('false'), 'isChosen', json(is_chosen), 'revision', 1, 'isForgetting', json('false'))
FROM flags;

DELETE FROM meta WHERE key IN ('broker', 'broker_reached');
`;
