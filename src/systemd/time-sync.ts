import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Log } from '#base/log.ts';

const runFile = promisify(execFile);

/** systemd-timesyncd creates it at its first synchronisation in this boot. */
const TIMESYNCD_MARK = '/run/systemd/timesync/synchronized';
/** Exists where systemd runs: only there can timedatectl answer. */
const SYSTEMD = '/run/systemd/system';
const ASK_AGAIN_MS = 60_000;
const ASK_AGAIN_SYNCED_MS = 3_600_000;

export function hasTimesyncdMark(): boolean {
  return existsSync(TIMESYNCD_MARK);
}

/** The kernel's flag, which chrony and ntpd set as well; rejects if timedatectl cannot be run. */
export async function askTimedatectl(): Promise<boolean> {
  const { stdout } = await runFile('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    timeout: 3_000,
  });
  return stdout.trim() === 'yes';
}

/** Whether the wall clock is synchronised. Asks timedatectl in the background: its answer counts at a later call. */
export function createTimeSync({
  monotonicMs,
  log,
}: {
  readonly monotonicMs: () => number;
  readonly log: Log;
}): () => boolean {
  let isSynced = false;
  let nextMs = Number.NEGATIVE_INFINITY;
  const ask = async (): Promise<void> => {
    try {
      isSynced = await askTimedatectl();
    } catch (cause) {
      isSynced = false;
      log.debug('timedatectl does not say whether the clock is synchronised', { cause });
    }
    nextMs = monotonicMs() + (isSynced ? ASK_AGAIN_SYNCED_MS : ASK_AGAIN_MS);
  };
  return () => {
    if (hasTimesyncdMark()) return true;
    if (monotonicMs() >= nextMs && existsSync(SYSTEMD)) {
      nextMs = Number.POSITIVE_INFINITY;
      void ask();
    }
    return isSynced;
  };
}
