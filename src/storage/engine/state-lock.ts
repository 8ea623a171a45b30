import { createHash } from 'node:crypto';
import { linkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import type { Random } from '#base/random.ts';
import { readSmallFile, syncToDisk } from './durable-file.ts';
import { StorageRefusal, fileFailure } from './storage-failure.ts';

/** The right to use the state folder. Only its holder may open files in it or remove their locks. */
type StateLock = { readonly release: () => Promise<void> };

/**
 * Takes the folder for this process, or throws StorageRefusal `in_use` (S2). The lock is a name in the kernel's abstract
 * socket space, which the kernel frees however the holder ends. The name is made from a random secret in the folder, so
 * that no other user can take it first. It holds within one network namespace; beyond that the control socket shows that a
 * hub is running.
 */
export async function acquireStateLock(folder: string, random: Random): Promise<StateLock> {
  const server = await listenOn(`\0hearthd:${lockName(folder, random)}`, folder);
  return { release: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function listenOn(name: string, folder: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => void socket.destroy());
    server.once('error', (cause) => {
      const taken = errnoOf(cause) === 'EADDRINUSE';
      reject(taken ? new StorageRefusal('in_use', `another hearthd is using ${folder}`) : cause);
    });
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

function lockName(folder: string, random: Random): string {
  const path = join(folder, 'lock-secret');
  try {
    const secret = readSmallFile(path) ?? createSecret(path, random);
    return createHash('sha256').update(secret).digest('hex');
  } catch (cause) {
    if (errnoOf(cause) !== 'EROFS') throw fileFailure(cause);
    // The folder is read-only, so there is no secret: the folder's own number is the name.
    const { dev, ino } = statSync(folder);
    return `${dev}:${ino}`;
  }
}

/** Creates the file whole or not at all. Of two daemons that start at once, the first one's secret counts. */
function createSecret(path: string, random: Random): Buffer {
  const secret = random(32);
  const temporary = `${path}.${random(8).toString('hex')}.tmp`;
  writeFileSync(temporary, secret, { mode: 0o600 });
  try {
    syncToDisk(temporary);
    linkSync(temporary, path);
    return secret;
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw cause;
    const other = readSmallFile(path);
    if (other === undefined) throw cause;
    return other;
  } finally {
    rmSync(temporary, { force: true });
  }
}
