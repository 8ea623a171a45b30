import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Small secrets kept as files of their own, so that neither the database nor a backup holds them. */
export type SecretFiles = {
  /** `undefined` where there is none. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
  /** Old or new content after a power cut, never a part; on disk once resolved. */
  readonly write: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Fine where there is none. */
  readonly remove: (name: string) => Promise<void>;
};

const OWNER_ONLY = 0o600;
/** Keys have 32 bytes, a password of a broker a line. */
const MAX_BYTES = 64 * 1024;

/** Keeps each secret as a 0600 file in a folder that is made 0700 where it is missing. */
export function createSecretFiles(folder: string): SecretFiles {
  return {
    read: async (name) => {
      const path = join(folder, name);
      try {
        return await readSecret(path);
      } catch (cause) {
        if (isMissing(cause)) return undefined;
        throw cause;
      }
    },
    write: async (name, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, name);
      const draft = `${path}.new`;
      await rm(draft, { force: true });
      try {
        await writeThrough(draft, bytes);
        await rename(draft, path);
      } catch (cause) {
        await rm(draft, { force: true });
        throw cause;
      }
      await syncFolder(folder);
    },
    remove: async (name) => {
      try {
        await rm(join(folder, name));
      } catch (cause) {
        if (isMissing(cause)) return;
        throw cause;
      }
      await syncFolder(folder);
    },
  };
}

/** What is no file is never waited for. */
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

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is only safe from a power cut once the folder itself is on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}
