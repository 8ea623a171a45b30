import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { DeviceLimits } from '#core/device/device-limits.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';

/** Devices that were shown for less than this are forgotten first: a hostile list can invent thousands. */
const LONG_MS = 86_400_000;
/** Devices deleted in one transaction, which then takes a few MB of the log. */
const BATCH = 5_000;
/** Bytes; about the size of a record without features. */
const BARE_SIZE = 1_000;

/** A record that is not JSON is set aside when it is loaded. */
const RECORD = `iif(json_valid(record), record, '{}')`;
const HAS_PERSONS_MARK = `(room_id IS NOT NULL OR json_extract(${RECORD}, '$.ownName') IS NOT NULL
  OR json_extract(${RECORD}, '$.markedSensitive') IS TRUE OR json_extract(${RECORD}, '$.isLeftOn') IS NOT NULL
  OR json_extract(${RECORD}, '$.measures[0]') IS NOT NULL)`;
const LIVED_LONG = `removed_at_ms - json_extract(${RECORD}, '$.createdAtMs') >= ${LONG_MS}`;
/** The devices that are kept come first. */
const ORDER_OF_HIDDEN = `${HAS_PERSONS_MARK} DESC, ${LIVED_LONG} DESC, removed_at_ms DESC, number DESC`;
const ORDER_OF_SHOWN = `${HAS_PERSONS_MARK} DESC, number`;

/**
 * Limits each integration by itself first, so that none takes the room of another, then all together. `is_bare` marks a
 * device that is loaded without its features, because those of the devices before it have used up the room.
 */
const MARK = `
  WITH ranked AS (
    SELECT number, integration, octet_length(record) AS size, row_number() OVER (ORDER BY ${ORDER_OF_SHOWN}) AS rank
    FROM device WHERE removed_at_ms IS NULL
  ), placed AS (
    SELECT *, row_number() OVER (PARTITION BY integration ORDER BY rank) AS place FROM ranked
  ), kept AS (
    SELECT number, row_number() OVER (ORDER BY rank) AS place, sum(size) OVER (ORDER BY rank) AS used_in_all,
      sum(size) OVER (PARTITION BY integration ORDER BY rank) AS used
    FROM placed WHERE place <= ?1
  )
  INSERT INTO temp.excess (number, is_bare)
  SELECT number, 0 FROM placed WHERE place > ?1
  UNION ALL
  SELECT number, place <= ?2 FROM kept WHERE place > ?2 OR used > ?3 OR used_in_all > ?4
  UNION ALL
  SELECT number, 0 FROM (
    SELECT number FROM device WHERE removed_at_ms IS NOT NULL ORDER BY ${ORDER_OF_HIDDEN} LIMIT -1 OFFSET ?5
  )`;

/** Allows twice the size that values have in memory, because keys and times are stored with them. */
const FIRST_BEYOND = `
  SELECT min(device) AS device FROM (
    SELECT device, sum(octet_length(states)) OVER (ORDER BY device) AS used FROM device_value
  ) WHERE used > ?`;

/** Keeps the device table within its limits, which an earlier version or a restored backup may exceed. */
export function createDeviceExcess(database: Database, log: Log) {
  database.run('PRAGMA temp_store=MEMORY');
  database.exec('CREATE TEMP TABLE excess (number INTEGER PRIMARY KEY, is_bare INTEGER NOT NULL)');
  let maxSize = Number.MAX_SAFE_INTEGER;
  let lastWithValues = Number.MAX_SAFE_INTEGER;
  let left = 0;

  const remove = (): void => {
    if (left === 0) return;
    while (left > 0) {
      database.transaction(() => {
        const marked = 'SELECT number FROM temp.excess WHERE is_bare = 0 ORDER BY number LIMIT ?';
        database.run(`DELETE FROM device WHERE number IN (${marked})`, [BATCH]);
        database.run(`DELETE FROM temp.excess WHERE number IN (${marked})`, [BATCH]);
      });
      left = Math.max(0, left - BATCH);
    }
  };
  const isWithin = (limits: DeviceLimits): boolean => {
    const sql = `SELECT count(*) AS devices, count(removed_at_ms) AS hidden, total(octet_length(record)) AS size FROM device`;
    const { devices, hidden, size } = database.get(sql) as Record<'devices' | 'hidden' | 'size', number>;
    const { shownOfIntegration, shown, remembered, sizeOfIntegration, sizeInAll } = limits;
    const most = Math.min(shownOfIntegration, shown);
    return devices - hidden <= most && hidden <= remembered && size <= Math.min(sizeOfIntegration, sizeInAll);
  };
  return {
    /** Finds and deletes the devices beyond the limits, and returns their number. */
    enforce: (limits: DeviceLimits): number => {
      maxSize = limits.size + BARE_SIZE;
      database.run('DELETE FROM temp.excess');
      const beyond = database.get(FIRST_BEYOND, [2 * limits.valuesInAll])?.['device'];
      lastWithValues = typeof beyond === 'number' ? beyond - 1 : Number.MAX_SAFE_INTEGER;
      if (isWithin(limits)) return 0;
      const { shownOfIntegration, shown, sizeOfIntegration, sizeInAll, remembered } = limits;
      database.run(MARK, [shownOfIntegration, shown, sizeOfIntegration, sizeInAll, remembered]);
      const found = Number(database.get('SELECT count(*) AS n FROM temp.excess WHERE is_bare = 0')?.['n']);
      left = found;
      try {
        remove();
      } catch (cause) {
        // They are not loaded in any case, and are deleted before the next devices are written.
        if (!(cause instanceof HubError)) throw cause;
        log.warn('devices beyond the limits cannot be deleted now', { left, cause });
      }
      return found;
    },
    /** Deletes the devices that could not be deleted when they were found. Call it before writing devices. */
    remove,
    /** The number of the last device whose values are loaded: there is no room for those of later ones. */
    lastWithValues: (): number => lastWithValues,
    /** Deletes all but `keep` of the hidden devices, and returns the ids of the deleted ones. */
    forgetHidden: (keep: number): readonly DeviceId[] => {
      const sql = `SELECT number, id FROM device WHERE removed_at_ms IS NOT NULL ORDER BY ${ORDER_OF_HIDDEN} LIMIT -1 OFFSET ?`;
      return deleteRows(database, database.all(sql, [keep]));
    },
    /** The same for all hidden devices of an integration. */
    forgetHiddenOf: (integration: string): readonly DeviceId[] => {
      const sql = 'SELECT number, id FROM device WHERE removed_at_ms IS NOT NULL AND integration = ?';
      return deleteRows(database, database.all(sql, [integration]));
    },
    /** The devices after this number that are within the limits. Hidden ones and those with too many features have none. */
    loadPage: (after: number, limit: number): readonly SqlRow[] =>
      database.all(
        `SELECT device.number, id, integration, external_id, selector, room_id, removed_at_ms, parent_external_id,
           CASE WHEN json_valid(record) AND octet_length(record) > iif(removed_at_ms IS NULL AND excess.number IS NULL, ?, ${BARE_SIZE})
             THEN json_set(record, '$.features', json('[]')) ELSE record END AS record
         FROM device LEFT JOIN temp.excess ON excess.number = device.number
         WHERE device.number > ? AND excess.is_bare IS NOT 0 ORDER BY device.number LIMIT ?`,
        [maxSize, after, limit],
      ),
  };
}

function deleteRows(database: Database, rows: readonly SqlRow[]): readonly DeviceId[] {
  if (rows.length === 0) return [];
  database.transaction(() => {
    for (const row of rows) database.run('DELETE FROM device WHERE number = ?', [Number(row['number'])]);
  });
  return rows.map((row) => String(row['id']) as DeviceId);
}
