import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export type PortHolder = {
  /** `null` where this user may not look into the process. */
  readonly pid: number | null;
  readonly name: string | null;
};

const LISTENING = '0A';

/** Who listens on a TCP port of this machine, on whatever address; `undefined` when nobody does. Linux only. */
export function findPortHolder(port: number): PortHolder | undefined {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === LISTENING && local.endsWith(`:${hexPort}`) && inode !== undefined) inodes.add(inode);
    }
  }
  return inodes.size === 0 ? undefined : (findProcess(inodes) ?? { pid: null, name: null });
}

function findProcess(inodes: ReadonlySet<string>): PortHolder | undefined {
  const pids = readNames('/proc').filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    const holds = readNames(folder).some((name) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readTarget(`${folder}/${name}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
    if (holds) return { pid: Number(pid), name: readLines(`/proc/${pid}/comm`)[0] ?? null };
  }
  return undefined;
}

/** Processes end while they are looked at, and those of others are closed: both count as empty. */
function orEmpty<Value>(read: () => Value, empty: Value): Value {
  try {
    return read();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall === 'string') return empty;
    throw error;
  }
}
const readLines = (path: string): string[] => orEmpty(() => readFileSync(path, 'utf8').split('\n'), []);
const readNames = (path: string): string[] => orEmpty(() => readdirSync(path), []);
const readTarget = (path: string): string => orEmpty(() => readlinkSync(path), '');
