import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createPrivateFile, ensureOwnFolder, readSmallFile, renameOnDisk, syncToDisk } from './durable-file.ts';
import type { StatePaths } from './state-paths.ts';
import { onDisk } from './storage-failure.ts';

/** How many schemas this version knows, by kind of file. */
export type KnownSchemas = {
  readonly database: number;
  readonly journal: number;
  readonly month: number;
  readonly year: number;
};

type WrittenBy = {
  readonly schemas: KnownSchemas;
  /** The version of the program. */
  readonly version?: string | undefined;
};

/** Earlier packages read this one, and take anything else in it than one number for none. */
const OF_DATABASE = 'schema';
const OF_OTHERS = 'schemas';

/**
 * Writes the numbers of the schemas into files. The package of an older hearthd reads them before it stops a newer one,
 * because only the newer one could be started again. A failure to write them does not prevent the start.
 */
export function noteSchemas(paths: StatePaths, { schemas, version }: WrittenBy, log: Log): void {
  if (paths.isCopy) return;
  const { database, ...others } = schemas;
  const lines = [...(version === undefined ? [] : [['hearthd', version]]), ...Object.entries(others)];
  const texts = {
    [OF_OTHERS]: lines.map((words) => `${words.join(' ')}\n`).join(''),
    [OF_DATABASE]: `${database}\n`,
  };
  for (const [name, text] of Object.entries(texts)) {
    try {
      writeNote(paths, name, text);
    } catch (cause) {
      if (!(cause instanceof HubError) && errnoOf(cause) === undefined) throw cause;
      log.warn('the number of the schema could not be written to its file', { name, cause });
    }
  }
}

/** The version that wrote the state last; `undefined` if nobody noted it. */
export function noteOfVersion(state: string): string | undefined {
  return /^hearthd ([\w.+~-]{1,32})$/m.exec(readNote(join(state, OF_OTHERS)) ?? '')?.[1];
}

function writeNote(paths: StatePaths, name: string, text: string): void {
  const path = join(dirname(paths.database), name);
  if (readNote(path) === text) return;
  ensureOwnFolder(paths.temporary);
  const temporary = join(paths.temporary, name);
  createPrivateFile(temporary);
  onDisk(() => writeFileSync(temporary, text));
  syncToDisk(temporary);
  renameOnDisk(temporary, path);
}

/** `undefined` if there is none that can be read: it is then written again. */
function readNote(path: string): string | undefined {
  try {
    return readSmallFile(path)?.toString();
  } catch (cause) {
    if (cause instanceof HubError) return undefined;
    throw cause;
  }
}
