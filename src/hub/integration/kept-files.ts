import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncToDisk, writeDurably } from '#base/durable-file.ts';
import { errnoOf } from '#base/errno.ts';
import type { KeptFile } from '#integrations/ports.ts';

export type KeptFiles = ReturnType<typeof createKeptFiles>;

const OWNER_ONLY = 0o600;

/** Keeps files of integrations beside the database. They are in no backup. */
export function createKeptFiles(stateDir: string) {
  const pathOf = (name: string): string => join(stateDir, name);
  return {
    /** The file that a kind names in its manifest. */
    open: (name: string): KeptFile => {
      const path = pathOf(name);
      return {
        read: async () => {
          try {
            return await readFile(path, 'utf8');
          } catch (cause) {
            if (errnoOf(cause) === 'ENOENT') return undefined;
            throw cause;
          }
        },
        write: async (text) => {
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await writeDurably(path, Buffer.from(text), OWNER_ONLY);
        },
        setAside: async () => {
          await rename(path, `${path}.damaged`);
          await syncToDisk(dirname(path));
        },
      };
    },
    /** Does nothing where there is none. */
    remove: async (name: string): Promise<void> => {
      const path = pathOf(name);
      for (const one of [path, `${path}.damaged`]) await rm(one, { force: true });
    },
  };
}
