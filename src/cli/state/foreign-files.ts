import { closeSync, constants, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A hub has some fifty files; an attacker who fills its folder must not hold up root. */
const MAX_LOOKED_AT = 10_000;

/**
 * Lists files and folders below the folder that do not belong to the user. Enters folders by their descriptors: this
 * never follows a link, even if one replaces a folder meanwhile, and opens no file.
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
  // A link may lead to the folder itself.
  look(`${folder}/.`, folder);
  return found;
}

/** Folders come and go during the check, and some can be read only by root. */
function openOrSkip(path: string): number | undefined {
  try {
    return openSync(path, FOLDER);
  } catch (cause) {
    if (errnoOf(cause) !== undefined) return undefined;
    throw cause;
  }
}
