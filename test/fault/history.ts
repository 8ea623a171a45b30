import { join } from 'node:path';
import type { SampleBatch } from '#core/past/history/history-store.ts';
import type { StoredValue } from '#core/device/device.ts';
import type { RestoreKeep, SessionTouch } from '#storage/tables/stored-noun.ts';
import { openEngine, type StorageEngine } from '#storage/open/storage-engine.ts';
import type { StorageCalls } from '#storage/open/storage-operations.ts';
import { loadSqlite } from '#storage/engine/database.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { type Mistake, watchSqlite } from './broken-sqlite.ts';
import type { DiskEvent, DiskImage } from './disk-event.ts';
import { recordDisk, type Swallowed } from './disk-recorder.ts';
import { readBackups, readKept, readSamples, readUses, readValues, type Facts } from './facts.ts';

export const packageSqlite = await loadSqlite();

/** What a test does to a hub; after each step the hub has acknowledged all of it. */
export type Life = {
  /** One operation, or values and the time until they must be on disk. */
  readonly step: (work: (operations: StorageCalls) => void | Promise<void>) => Promise<void>;
  readonly sendValues: (values: readonly StoredValue[]) => Promise<void>;
  /** Uses of sessions, and the time until they must be on disk. */
  /** Samples, and the time until they must be on disk. */
  readonly sendSamples: (batch: SampleBatch) => Promise<void>;
  readonly touch: (touches: readonly SessionTouch[]) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly reopen: () => Promise<void>;
  /** Puts the newest backup in the place of the database and opens the hub anew. */
  readonly restore: (keep: RestoreKeep) => Promise<void>;
};

/** A history of a hub from its first opening on. */
export type History = {
  readonly name: string;
  /** Makes what lies on the disk before. */
  readonly prepare?: (root: string) => Promise<void> | void;
  readonly live: (life: Life) => Promise<void>;
  /** Whether a database is found to be damaged at the start of it. */
  readonly startsDamaged?: boolean;
};

/** A history as it was recorded: after `at` events, these facts were acknowledged. */
export type Recording = {
  readonly start: DiskImage;
  readonly events: readonly DiskEvent[];
  readonly isFolder: (node: number) => boolean;
  readonly acknowledged: readonly { readonly at: number; readonly facts: Facts }[];
};

export type Mistakes = { readonly sqlite?: Mistake | undefined; readonly swallowed?: Swallowed };

export function foldersOf(root: string) {
  return { state: join(root, 'state'), runtime: join(root, 'run') };
}

/** Opens the storage of a folder as the product does. */
export function openHub(root: string, sqlite: typeof packageSqlite, time = createManualTime(NOW_MS)) {
  const { log, lines } = createRecordingLog();
  const failures: unknown[] = [];
  const engine: StorageEngine = openEngine({
    sqlite,
    folders: foldersOf(root),
    log,
    wallMs: time.clock.wallMs,
    startTimer: time.startTimer,
    onFailure: (cause) => void failures.push(cause),
  });
  return { engine, lines, failures };
}

/** Lives through a history in an empty folder and records all that reaches the disk. */
export async function recordHistory(history: History, root: string, mistakes: Mistakes = {}): Promise<Recording> {
  await history.prepare?.(root);
  const { sqlite, closeAll } = watchSqlite(packageSqlite, mistakes.sqlite);
  const time = createManualTime(NOW_MS);
  const acknowledged: { at: number; facts: Facts }[] = [];
  const disk = recordDisk(root, mistakes.swallowed);
  let values = new Map<string, string>();
  const touched = new Map<string, string>();
  let engine: StorageEngine | undefined;
  const operations = (): StorageCalls => {
    if (engine === undefined) throw new Error('the hub of this history is closed');
    return engine.operations;
  };
  const acknowledge = (): void => {
    const uses = readUses(operations()).map(([key, lastUsed]): [string, string] => [key, touched.get(key) ?? lastUsed]);
    const facts = {
      kept: readKept(operations()),
      values: new Map([...values, ...uses]),
      samples: readSamples(operations()),
      backups: readBackups(operations()),
    };
    acknowledged.push({ at: disk.events.length, facts });
  };
  const open = async (): Promise<void> => {
    engine = openHub(root, sqlite, time).engine;
    values = readValues(operations());
    acknowledge();
  };
  const life: Life = {
    step: async (work) => {
      await work(operations());
      acknowledge();
    },
    sendValues: async (sent) => {
      for (const value of sent) operations().devices.saveValue(value);
      await time.advance(30_000);
      for (const value of sent) values.set(`${value.deviceId} ${value.key}`, JSON.stringify(value.value));
      acknowledge();
    },
    sendSamples: async (batch) => {
      operations().history.append(batch);
      await time.advance(30_000);
      acknowledge();
    },
    touch: async (touches) => {
      operations().sessions.touchSessions(touches);
      await time.advance(30_000);
      for (const { id, lastUsedAtMs } of touches) touched.set(`session ${id}`, String(lastUsedAtMs));
      acknowledge();
    },
    close: async () => {
      engine?.close();
      engine = undefined;
    },
    reopen: open,
    restore: async (keep) => {
      const path = operations().backups.findPath(operations().backups.list()[0]?.id ?? '') ?? '';
      operations().backups.restore(path, keep);
      await life.close();
      await open();
    },
  };
  try {
    await open();
    await history.live(life);
  } finally {
    disk.stop();
    closeAll();
  }
  const { start, events, isFolder } = disk;
  return { start, events, isFolder, acknowledged };
}
