import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { listBackups } from './backups.ts';
import { type KnownSchemas, noteOfVersion } from './schema-note.ts';
import { StorageRefusal } from './storage-failure.ts';

type NewerFile = { readonly path: string; readonly schema: number; readonly knownSchema: number };

const SHELF = [
  ['month', /^\d{4}-\d{2}\.db$/],
  ['year', /^hours-\d{4}\.db$/],
] as const;

/**
 * The files of the state folder that a newer hearthd wrote. Only their heads are read, so nothing changes on disk. What is
 * in a log beside a file, after a crash, shows when the file is opened.
 */
export function findNewerFiles(state: string, schemas: KnownSchemas): readonly NewerFile[] {
  const history = join(state, 'history');
  const shelf = namesIn(history).flatMap((name) => {
    const [kind] = SHELF.find(([, pattern]) => pattern.test(name)) ?? [];
    return kind === undefined ? [] : [{ path: join(history, name), knownSchema: schemas[kind] }];
  });
  const files = [
    { path: join(state, 'hearthd.db'), knownSchema: schemas.database },
    { path: join(state, 'journal.db'), knownSchema: schemas.journal },
    ...shelf,
  ];
  return files.flatMap((file) => {
    const schema = schemaOf(file.path) ?? 0;
    return schema > file.knownSchema ? [{ ...file, schema }] : [];
  });
}

/** Throws StorageRefusal `too_new` if there is such a file. */
export function refuseNewerFiles(state: string, schemas: KnownSchemas): void {
  const [first, ...others] = findNewerFiles(state, schemas);
  if (first === undefined) return;
  const found = `${basename(first.path)} has schema ${first.schema}; this one knows ${first.knownSchema}`;
  const more = others.length === 0 ? '' : `, and ${others.length} more files`;
  throw new StorageRefusal('too_new', newerSentence(`${found}${more}`, join(state, 'backups')));
}

/** Says to a person what is wrong, and what they can do. */
export function newerSentence(detail: string, backups: string): string {
  const backup = listBackups(backups).find(({ kind }) => kind === 'pre-migration');
  const remedy = backup === undefined ? '' : `, or go back to the backup ${backup.id} with hearthd restore`;
  const version = noteOfVersion(dirname(backups));
  const able =
    version === undefined ? 'that version, or one that knows this schema,' : `hearthd ${version} or a later one`;
  return `the state was written by a newer hearthd (${detail}): install ${able} again${remedy}`;
}

/** The database header, bytes 0 to 15 and 60 to 63 (sqlite.org/fileformat2.html, 1.3); `undefined` where it is none. */
function schemaOf(path: string): number | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const head = Buffer.alloc(64);
      const isDatabase =
        readSync(fd, head, 0, head.length, 0) === head.length && head.toString('latin1', 0, 6) === 'SQLite';
      return isDatabase ? head.readUInt32BE(60) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    // What opens the file says what is wrong with it.
    if (errnoOf(cause) === undefined) throw cause;
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return [];
  }
}
