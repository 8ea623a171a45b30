import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file as a whole: after a power cut it has its old or its new content, never a part. On disk once resolved.
 * (The storage thread has ways of its own, which do not yield: `storage/engine/durable-file.ts`.)
 */
export async function writeDurably(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  try {
    await writeNewFile(draft, bytes, mode);
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
  await syncToDisk(dirname(path));
}

/** Removes a file that must be there; its absence is on disk once resolved. */
export async function removeDurably(path: string): Promise<void> {
  await rm(path);
  await syncToDisk(dirname(path));
}

/** Flushes the content of a file, or the names in a folder: a new name is safe from a power cut only after that. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeNewFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
