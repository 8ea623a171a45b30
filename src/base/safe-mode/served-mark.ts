import { closeSync, constants, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { isJsonObject, parseJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';

/** The mark is a file that names what a process serves, and outlives it. */
export type ServedMark = ReturnType<typeof openServedMark>;

/** The run of a program: `boot` is the machine's, `process` one process in it. */
export type Run = { readonly boot: string; readonly process: string };

export type LastRun = Run & { readonly serving: string | null };

/** The kernel writes one page whole or not at all, whenever it kills the process. */
const MARK_BYTES = 512;

/** Opens the mark of this run in the place of that of the last one. */
export function openServedMark(path: string, run: Run) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  /** Few things are served, again and again. */
  const pages = new Map<string | null, Buffer>();
  const pageOf = (serving: string | null): Buffer => {
    const known = pages.get(serving);
    if (known !== undefined) return known;
    if (pages.size >= MOST_PAGES) pages.clear();
    const page = Buffer.alloc(MARK_BYTES, ' ');
    page.write(JSON.stringify({ ...run, serving }));
    pages.set(serving, page);
    return page;
  };
  return {
    /** One write without fsync, of 1 to 2 µs: it survives every end of the process, and no power cut. */
    write: (serving: string | null): void => void writeSync(file, pageOf(serving), 0, MARK_BYTES, 0),
    /** Says that the process has an orderly end. */
    remove: (): void => {
      closeSync(file);
      removeServedMark(path);
    },
  };
}

const MOST_PAGES = 256;

/**
 * Takes away what the last run left that had no orderly end, so that the next one does not count it again; `undefined` where
 * there is none, this process is that run, or it cannot be taken.
 */
export function takeServedMark(path: string, run: Run, log: Log): LastRun | undefined {
  try {
    const last = readServedMark(path, run);
    if (last !== undefined) removeServedMark(path);
    return last;
  } catch (cause) {
    log.warn('what the last run of the hub served cannot be read: safe mode does not know how it ended', { cause });
    return undefined;
  }
}

function readServedMark(path: string, { process }: Run): LastRun | undefined {
  const kept = parseJson(readMark(path));
  if (!isJsonObject(kept) || kept['process'] === process) return undefined;
  const { boot, process: last, serving } = kept;
  if (typeof boot !== 'string' || typeof last !== 'string') return undefined;
  return { boot, process: last, serving: typeof serving === 'string' ? serving : null };
}

function readMark(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return '';
    throw cause;
  }
}

function removeServedMark(path: string): void {
  rmSync(path, { force: true });
}

/** Names this process among all of this boot, the same in each of its threads. */
export function processName(): string {
  // proc_pid_stat(5): the name in parentheses may have spaces; the start, in ticks since the boot, is field 22.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return `${process.pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
}
