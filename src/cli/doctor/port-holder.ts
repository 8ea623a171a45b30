import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { errnoOf } from '#base/errno.ts';

export type PortHolder = {
  /** `null` if this user may not inspect the process. */
  readonly pid: number | null;
  readonly name: string | null;
  /** The systemd service that it belongs to. */
  readonly unit: string | null;
};

const LISTENING = '0A';
const UNKNOWN: PortHolder = { pid: null, name: null, unit: null };

/** The processes that listen on a TCP port of this machine; several may, on different addresses. Linux only. */
export function findPortHolders(port: number): readonly PortHolder[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === LISTENING && local.endsWith(`:${hexPort}`) && inode !== undefined) inodes.add(inode);
    }
  }
  if (inodes.size === 0) return [];
  const found = findProcesses(inodes);
  return inodes.size === 0 ? found : [...found, UNKNOWN];
}

/** Finds the processes of these sockets, and removes from the set the sockets that have one. */
function findProcesses(inodes: Set<string>): PortHolder[] {
  const found: PortHolder[] = [];
  for (const pid of readNames('/proc').filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`;
    const held = readNames(folder).flatMap(
      (name) => /^socket:\[(\d+)\]$/.exec(readTarget(`${folder}/${name}`))?.[1] ?? [],
    );
    const isHolder = held.some((inode) => inodes.has(inode));
    if (!isHolder) continue;
    const unit = /\/([^/]+\.service)(?:\/|$)/.exec(readLines(`/proc/${pid}/cgroup`).join('/'))?.[1] ?? null;
    found.push({ pid: Number(pid), name: readLines(`/proc/${pid}/comm`)[0] ?? null, unit });
    // Several processes may share a socket, as after a fork: the first one is named.
    for (const inode of held) inodes.delete(inode);
    if (inodes.size === 0) break;
  }
  return found;
}

/** A process may end during the check or belong to another user: both count as empty. */
function orEmpty<Value>(read: () => Value, empty: Value): Value {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) !== undefined) return empty;
    throw error;
  }
}
const readLines = (path: string): string[] => orEmpty(() => readFileSync(path, 'utf8').split('\n'), []);
const readNames = (path: string): string[] => orEmpty(() => readdirSync(path), []);
const readTarget = (path: string): string => orEmpty(() => readlinkSync(path), '');
