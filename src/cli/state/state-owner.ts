import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { CliError, EXIT } from '#cli/exit-code.ts';
import { findForeign } from './foreign-files.ts';
import type { Place } from '#cli/typed-command.ts';

export type StateOwner = { readonly uid: number; readonly gid: number };

type Step = { readonly path: string; readonly stats: Stats };

const MAX_LINKS = 40;

/**
 * The user with whose rights root must touch the state, because an attacker who controls the hub may have put anything
 * there. `undefined` if this process is not root, or root owns the state. Throws CliError 77 if a third user could put
 * another folder in its place, unless that user can change the program as well.
 */
export function findStateOwner(stateDir: string, { file }: Pick<Place, 'file'>): StateOwner | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  const { steps, isThere } = walk(stateDir);
  // Only root may create a missing folder; any other user who could might do so at the next moment.
  const state = isThere ? steps.at(-1)?.stats : undefined;
  const owner = state ?? { uid: 0, gid: 0 };
  const others = steps.filter(({ stats }) => stats.uid !== 0 && stats.uid !== owner.uid);
  const stranger = others.find(({ stats }) => !hasHandIn(file, stats));
  if (stranger !== undefined && !isThere) {
    const how = `start one as user ${stranger.stats.uid}, the owner of ${stranger.path}`;
    throw new CliError(EXIT.noInput, `there is no hub in ${stateDir}: ${how}`);
  }
  if (stranger !== undefined) {
    const { path, stats } = stranger;
    throw refusal(`${path} belongs to user ${stats.uid}, who could put another folder in the place of ${stateDir}`);
  }
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const [foreign] = isThere ? findForeign(stateDir, 0) : [];
  if (foreign === undefined) return undefined;
  throw refusal(`${stateDir} belongs to root, but ${foreign} in it does not: chown -R it to the user of the hub`);
}

/** Whether the user could make the path lead elsewhere, or owns what is there. */
export function hasHandIn(path: string, { uid }: Pick<StateOwner, 'uid'>): boolean {
  return walk(path).steps.some(({ stats }) => stats.uid === uid);
}

function refusal(message: string): CliError {
  return new CliError(EXIT.noPermission, message);
}

/**
 * Every existing folder and link on the way to the path, and its target as the last one. A user who owns none of them
 * can never make the path lead elsewhere.
 */
function walk(path: string): { readonly steps: readonly Step[]; readonly isThere: boolean } {
  const steps: Step[] = [];
  const names = resolve(path).split('/');
  let links = 0;
  let at = '/';
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(at, name);
    const stats = statsOf(next);
    if (stats === undefined) return { steps, isThere: false };
    if (next !== '/') steps.push({ path: next, stats });
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw refusal(`${path} leads through too many links`);
    const target = readlinkSync(next);
    if (isAbsolute(target)) at = '/';
    names.unshift(...target.split('/'));
  }
  return { steps, isThere: true };
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if (errnoOf(cause) === 'ENOTDIR') return undefined;
    throw cause;
  }
}
