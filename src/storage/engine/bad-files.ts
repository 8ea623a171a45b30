import { closeSync, lstatSync, openSync, readSync, readdirSync, renameSync, rmSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Log } from '#base/log.ts';
import { STAMP, stampFromMs } from './backups.ts';
import type { Sqlite } from './database.ts';
import { ensureFolder, ensureOwnFolder, syncToDisk } from './durable-file.ts';
import type { StatePaths } from './state-paths.ts';
import { onDisk } from './storage-failure.ts';

/** The start found a damaged database, and did this about it. */
export type Recovery = {
  readonly atMs: number;
  /** In words. */
  readonly reason: string;
  /** Id of the backup that replaced it; `null` if there was none or none was needed. */
  readonly from: string | null;
  /** Folder with the damaged files. */
  readonly folder: string | null;
};

export type OpenDeps = {
  readonly sqlite: Sqlite;
  readonly paths: StatePaths;
  readonly log: Log;
  readonly wallMs: () => number;
};

const KEPT_FOLDERS = 5;
const LOG_MAGICS: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683]);

/** SQLite would silently ignore a damaged log and overwrite it, which would hide the loss. */
export function setBadLogAside(deps: OpenDeps, database: string): Recovery | null {
  const path = `${database}-wal`;
  const stats = statsOf(path);
  if (stats === undefined || (stats.isFile() && (stats.size === 0 || isLog(path)))) return null;
  const reason = 'the write-ahead log is damaged: what was not yet in the database itself is lost';
  const folder = setFilesAside(deps, database, ['-wal']);
  deps.log.error(reason, { kept: folder });
  return { atMs: deps.wallMs(), reason, from: null, folder };
}

/** A power cut leaves zeros in a log that was just created. */
function isLog(path: string): boolean {
  return onDisk(() => {
    const fd = openSync(path, 'r');
    try {
      const start = Buffer.alloc(4);
      readSync(fd, start, 0, 4, 0);
      const magic = start.readUInt32BE();
      return magic === 0 || LOG_MAGICS.has(magic);
    } finally {
      closeSync(fd);
    }
  });
}

/** The same as `setFilesAside` for the main database. */
export function setAside(deps: OpenDeps, suffixes: readonly string[]): string | null {
  return setFilesAside(deps, deps.paths.database, suffixes);
}

/** Moves the files of a database that exist to a new folder, the first suffix first, and returns it; `null` if there are none. */
export function setFilesAside(
  { paths, log, wallMs }: OpenDeps,
  database: string,
  suffixes: readonly string[],
): string | null {
  const found = suffixes.map((suffix) => database + suffix).filter((path) => statsOf(path) !== undefined);
  if (found.length === 0) return null;
  let ms = wallMs();
  while (statsOf(join(paths.corrupt, stampFromMs(ms))) !== undefined) ms += 1000;
  const folder = join(paths.corrupt, stampFromMs(ms));
  ensureOwnFolder(paths.corrupt);
  ensureFolder(folder);
  for (const path of found) {
    onDisk(() => renameSync(path, join(folder, basename(path))));
    syncToDisk(folder);
    syncToDisk(dirname(path));
  }
  const isOurs = (name: string): boolean =>
    STAMP.test(name) && statsOf(join(paths.corrupt, name))?.isDirectory() === true;
  const old = onDisk(() => readdirSync(paths.corrupt)).filter((name) => name !== basename(folder) && isOurs(name));
  for (const name of old
    .toSorted()
    .toReversed()
    .slice(KEPT_FOLDERS - 1)) {
    onDisk(() => rmSync(join(paths.corrupt, name), { recursive: true, force: true }));
    log.info('the damaged files of an earlier start were removed', { folder: name });
  }
  return folder;
}

/** Looks at a path, and follows no link; `undefined` if nothing is there. */
export function statsOf(path: string): Stats | undefined {
  return onDisk(() => lstatSync(path, { throwIfNoEntry: false }));
}
