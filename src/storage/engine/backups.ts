import { existsSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '#base/log.ts';
import { openDatabase, type Database, type Sqlite } from './database.ts';
import { createPrivateFile, ensureOwnFolder, renameOnDisk, syncToDisk } from './durable-file.ts';
import { quickCheck, schemaVersion } from './schema.ts';
import { CorruptDatabaseError, brokenDisk, fullDisk, onDisk } from './storage-failure.ts';
import type { StatePaths } from './state-paths.ts';

/** `script`: an API token asked for it, whose nightly run must not push out those that a person made. */
export type BackupKind = 'daily' | 'manual' | 'script' | 'pre-migration' | 'pre-restore';

export type Backup = {
  /** Time and kind, as `20261121T040622Z-daily`: sorts by time. */
  readonly id: string;
  readonly kind: BackupKind;
  readonly createdAtMs: number;
  readonly bytes: number;
};

export type BackupFolder = {
  /** Newest first. */
  readonly listBackups: () => Backup[];
  /** The backup is complete and verified when this returns; older ones of its kind beyond the number kept are deleted. */
  readonly makeBackup: (kind: BackupKind, nowMs: number) => Backup;
  /** Makes a daily backup if the last one is a day or more away, before or after now; else returns `undefined`. */
  readonly makeDailyBackupIfDue: (nowMs: number) => Backup | undefined;
  /** Absolute path of a backup; `undefined` if there is none with this id. */
  readonly findBackupPath: (id: string) => string | undefined;
};

const KEPT: Record<BackupKind, number> = { daily: 7, manual: 10, script: 3, 'pre-migration': 3, 'pre-restore': 3 };
const DAY_MS = 86_400_000;
const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(daily|manual|script|pre-migration|pre-restore)\.db$/;

type BackupDeps = { readonly sqlite: Sqlite; readonly paths: StatePaths; readonly log: Log };

export function createBackupFolder(deps: BackupDeps, database: Database): BackupFolder {
  const { paths } = deps;
  const makeBackup = (kind: BackupKind, nowMs: number): Backup => {
    refuseWithoutRoom(paths);
    ensureOwnFolder(paths.backups);
    ensureOwnFolder(paths.temporary);
    const temporary = join(paths.temporary, 'backup.db');
    try {
      createPrivateFile(temporary);
      database.run('VACUUM INTO ?', [temporary]);
      verifyBackup(deps.sqlite, temporary, schemaVersion(database));
      const id = freeId(paths.backups, kind, nowMs);
      renameOnDisk(temporary, join(paths.backups, `${id}.db`));
      const backup = readBackup(paths.backups, `${id}.db`);
      deps.log.info('backup made', { backup: id });
      pruneBackups(paths.backups, backup, deps.log);
      return backup;
    } finally {
      onDisk(() => rmSync(temporary, { force: true }));
    }
  };
  return {
    listBackups: () => listBackups(paths.backups),
    makeBackup,
    makeDailyBackupIfDue: (nowMs) => {
      const last = listBackups(paths.backups).find((backup) => backup.kind === 'daily');
      const isDue = last === undefined || Math.abs(nowMs - last.createdAtMs) >= DAY_MS;
      return isDue ? makeBackup('daily', nowMs) : undefined;
    },
    findBackupPath: (id) => {
      const path = join(paths.backups, `${id}.db`);
      return NAME.test(`${id}.db`) && existsSync(path) ? path : undefined;
    },
  };
}

/** All backups in a folder, newest first. A missing folder has none. */
export function listBackups(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  const names = onDisk(() => readdirSync(folder)).filter((name) => NAME.test(name));
  return names
    .toSorted()
    .toReversed()
    .map((name) => readBackup(folder, name));
}

function readBackup(folder: string, name: string): Backup {
  const [, year, month, day, hour, minute, second, kind] = NAME.exec(name) ?? [];
  return {
    id: name.slice(0, -'.db'.length),
    kind: kind as BackupKind,
    createdAtMs: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
    bytes: onDisk(() => statSync(join(folder, name))).size,
  };
}

/** A backup must leave the space that the hub needs to keep running. */
function refuseWithoutRoom(paths: StatePaths): void {
  const { bavail, bsize } = onDisk(() => statfsSync(dirname(paths.backups)));
  const { size } = onDisk(() => statSync(paths.database));
  if (bavail * bsize < 2 * size + 1_048_576) throw fullDisk();
}

/** Opens the backup as a restore would. This also puts it into WAL mode, so that it can be copied into place. */
function verifyBackup(sqlite: Sqlite, path: string, schema: number): void {
  try {
    const backup = openDatabase(sqlite, path);
    try {
      const verdict = quickCheck(backup);
      if (verdict !== 'ok' || schemaVersion(backup) !== schema) {
        throw new CorruptDatabaseError(`the new backup is damaged: ${verdict}`);
      }
    } finally {
      backup.close();
    }
  } catch (cause) {
    // The disk damaged the copy: the live database may well be sound.
    throw cause instanceof CorruptDatabaseError ? brokenDisk(cause) : cause;
  }
  syncToDisk(path);
}

/** Matches the results of `stampFromMs`. */
export const STAMP = /^\d{8}T\d{6}Z$/;

/** Time stamp of file and folder names, to the second. */
export function stampFromMs(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function freeId(folder: string, kind: BackupKind, nowMs: number): string {
  let ms = nowMs;
  while (existsSync(join(folder, `${stampFromMs(ms)}-${kind}.db`))) ms += 1000;
  return `${stampFromMs(ms)}-${kind}`;
}

/** Never deletes the backup just made, which has the oldest name if the clock went back. */
function pruneBackups(folder: string, made: Backup, log: Log): void {
  const others = listBackups(folder).filter(({ id, kind }) => kind === made.kind && id !== made.id);
  for (const { id } of others.slice(KEPT[made.kind] - 1)) {
    onDisk(() => rmSync(join(folder, `${id}.db`), { force: true }));
    log.debug('old backup removed', { backup: id });
  }
}
