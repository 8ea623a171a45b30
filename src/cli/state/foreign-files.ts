import { closeSync, constants, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A hub has some fifty files; whoever fills its folder must not hold root up. */
const MAX_LOOKED_AT = 10_000;

/**
 * What lies below the folder and does not belong to the user. Folders are entered by their descriptors: no link is
 * followed, whatever is put in the place of a folder meanwhile, and no file is opened.
 */
export function findForeign(folder: string, uid: number): readonly string[] {
  const found: string[] = [];
  let lookedAt = 0;
  const look = (path: string, shown: string): void => {
    const descriptor = openOrSkip(path);
    if (descriptor === undefined) return;
    try {
      const inside = `/proc/self/fd/${descriptor}`;
      for (const name of readdirSync(inside)) {
        lookedAt += 1;
        if (lookedAt > MAX_LOOKED_AT) return;
        const stats = lstatSync(join(inside, name), { throwIfNoEntry: false });
        if (stats === undefined) continue;
        if (stats.uid !== uid) found.push(join(shown, name));
        if (stats.isDirectory()) look(join(inside, name), join(shown, name));
      }
    } finally {
      closeSync(descriptor);
    }
  };
  // The folder itself may be behind a link.
  look(`${folder}/.`, folder);
  return found;
}

/** Folders come and go while they are looked at, and some are closed to whoever is not root. */
function openOrSkip(path: string): number | undefined {
  try {
    return openSync(path, FOLDER);
  } catch (cause) {
    if (errnoOf(cause) !== undefined) return undefined;
    throw cause;
  }
}
