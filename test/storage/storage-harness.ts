import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Log } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { loadSqlite } from '#storage/engine/database.ts';
import { openEngine, type StorageEngine } from '#storage/open/storage-engine.ts';
import { openStorage, type OwnedEngine, type StorageDeps } from '#storage/open/open-storage.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { NOW_MS } from './storage-makers.ts';

export const sqlite = await loadSqlite();

/** Memory where there is such a folder: thousands of fsyncs would make the tests wait for the disk. */
export const STATE_ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder of its own for the test, gone after it. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(STATE_ROOT, 'hearthd-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type Bench = {
  readonly folders: { readonly state: string; readonly runtime: string };
  readonly database: string;
  readonly time: ReturnType<typeof createManualTime>;
  readonly log: Log;
  readonly lines: string[];
  readonly failures: unknown[];
  /** Opens the engine without the state lock, as a test that owns the folder may. */
  readonly open: (more?: Pick<StorageDeps, 'version'>) => StorageEngine;
  readonly openOwned: (more?: Pick<StorageDeps, 'openSafeMode' | 'version'>) => Promise<OwnedEngine>;
};

/** A state folder, a clock that stands still, and ways to open what is in there. Engines are closed after the test. */
export function createBench(root = makeFolder(), startMs = NOW_MS): Bench {
  const folders = { state: join(root, 'state'), runtime: join(root, 'run') };
  const time = createManualTime(startMs);
  const { log, lines } = createRecordingLog();
  const failures: unknown[] = [];
  const deps = {
    folders,
    log,
    wallMs: time.clock.wallMs,
    startTimer: time.startTimer,
    random: systemRandom,
    onFailure: (cause: unknown) => void failures.push(cause),
  };
  return {
    folders,
    database: join(folders.state, 'hearthd.db'),
    time,
    log,
    lines,
    failures,
    open: (more = {}) => {
      const engine = openEngine({ ...deps, ...more, sqlite });
      onTestFinished(() => engine.close());
      return engine;
    },
    openOwned: async (more = {}) => {
      const engine = await openStorage({ ...deps, ...more });
      onTestFinished(() => engine.close());
      return engine;
    },
  };
}
