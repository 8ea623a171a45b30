import type { Database } from '#storage/engine/database.ts';

/** Bytes of all kept versions, as packed: a hundred of each of five hundred automations could be gigabytes. */
const VERSION_BYTES = 32 * 1024 * 1024;

/** Deletes the oldest versions of the automations that have most, never the newest of one; inside a transaction. */
export function makeRoomForVersions(database: Database, mostBytes = VERSION_BYTES): void {
  const sizes = database
    .all('SELECT automation, sum(length(definition)) AS bytes FROM automation_version GROUP BY automation', [])
    .map((row) => ({ automation: String(row['automation']), bytes: Number(row['bytes']) }))
    .toSorted((left, right) => left.bytes - right.bytes);
  let room = mostBytes;
  for (const [at, { automation, bytes }] of sizes.entries()) {
    // What smaller ones leave is for the larger.
    const share = Math.floor(room / (sizes.length - at));
    if (bytes > share) keepNewest(database, automation, share);
    room -= Math.min(bytes, share);
  }
}

function keepNewest(database: Database, automation: string, mostBytes: number): void {
  database.run(
    `DELETE FROM automation_version WHERE automation = ?1 AND version IN (
      SELECT version FROM (
        SELECT version, sum(length(definition)) OVER (ORDER BY version DESC) AS bytes,
          row_number() OVER (ORDER BY version DESC) AS place
        FROM automation_version WHERE automation = ?1)
      WHERE bytes > ?2 AND place > 1)`,
    [automation, mostBytes],
  );
}
