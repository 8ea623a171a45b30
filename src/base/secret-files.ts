import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDurably, writeDurably } from './durable-file.ts';
import { errnoOf } from './errno.ts';
import { HubError } from './hub-error.ts';

/** Small secrets kept as files of their own, so that neither the database nor a backup holds them. */
export type SecretFiles = ReturnType<typeof createSecretFiles>;

const OWNER_ONLY = 0o600;
/** Keys have 32 bytes, a password of a broker a line. */
const MAX_BYTES = 64 * 1024;

/** Keeps each secret as a 0600 file in a folder that is made 0700 where it is missing. */
export function createSecretFiles(folder: string) {
  return {
    /** `undefined` where there is none. */
    read: async (name: string): Promise<Buffer | undefined> => {
      const path = join(folder, name);
      try {
        return await readSecret(path);
      } catch (cause) {
        if (isMissing(cause)) return undefined;
        throw cause;
      }
    },
    /** Old or new content after a power cut, never a part; on disk once resolved. */
    write: async (name: string, bytes: Uint8Array): Promise<void> => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(join(folder, name), bytes, OWNER_ONLY);
    },
    /** Fine where there is none. */
    remove: async (name: string): Promise<void> => {
      try {
        await removeDurably(join(folder, name));
      } catch (cause) {
        if (!isMissing(cause)) throw cause;
      }
    },
  };
}

/** Why something was not kept, as a caller may read it: STORAGE_FULL or STORAGE_UNAVAILABLE. */
export function keepFailure(what: string, cause: unknown): HubError {
  const code = errnoOf(cause);
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new HubError('STORAGE_FULL', `There is no room to keep the ${what}.`, { cause })
    : new HubError('STORAGE_UNAVAILABLE', `The ${what} cannot be kept now.`, { cause });
}

/** Reads a regular file, and never waits for anything else that has its name. */
async function readSecret(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error(`${path} is not what the hub has put there`);
    // A restored or hand-copied file may have come back readable for others.
    if ((stats.mode & 0o077) !== 0) await file.chmod(OWNER_ONLY);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function isMissing(cause: unknown): boolean {
  return errnoOf(cause) === 'ENOENT';
}
