import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HubError } from '#base/hub-error.ts';
import { openDatabase } from '#storage/engine/database.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import type { StorageCalls } from '#storage/open/storage-operations.ts';
import { watchFiles, type Fault } from '#test/storage/fs-faults.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { watchSqlite } from './broken-sqlite.ts';
import { readKept, readSamples, readValues } from './facts.ts';
import { foldersOf, openHub, packageSqlite, type History, type Life, type Mistakes } from './history.ts';

const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The codes of a failing file operation: a bad disk, a full one, a read-only one, a process with too many files. */
export const CODES = ['EIO', 'ENOSPC', 'EROFS', 'EMFILE'] as const;

/** How a life ended in which one file operation failed. */
export type Outcome = {
  readonly at: number;
  readonly code: string;
  /** File operations of the whole life. */
  readonly operations: number;
  /** The failures that a caller got, in order. */
  readonly told: readonly string[];
  /** What was wrong with it. */
  readonly faults: readonly string[];
  readonly kept: string;
  readonly values: string;
  readonly samples: string;
};

/**
 * Lives through a history again and again, and each time lets one file operation fail, each in turn. A caller that gets
 * a failure tries again ten seconds later, as a client does. The history must then end as if nothing had happened.
 */
export async function failEach(
  history: History,
  pick: (at: number) => readonly string[],
  mistakes: Mistakes = {},
): Promise<{ lives: number; bad: Outcome[] }> {
  const root = mkdtempSync(join(ROOT, 'hearthd-failure-'));
  try {
    const model = join(root, 'model');
    await history.prepare?.(model);
    const liveOnce = async (fault: Extract<Fault, { kind: 'fail' }>): Promise<Outcome> => {
      const folder = join(root, 'life');
      cpSync(model, folder, { recursive: true });
      try {
        return await liveThrough(history, { folder, fault, mistakes });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    };
    const whole = await liveOnce({ kind: 'fail', at: Infinity, code: 'none' });
    const outcomes: Outcome[] = [];
    for (let at = 1; at <= whole.operations; at += 1) {
      for (const code of pick(at)) outcomes.push(await liveOnce({ kind: 'fail', at, code }));
    }
    const isBad = ({ faults, kept, values, samples }: Outcome): boolean =>
      faults.length > 0 || kept !== whole.kept || values !== whole.values || samples !== whole.samples;
    return { lives: outcomes.length, bad: [whole, ...outcomes].filter(isBad) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type LifeDeps = {
  readonly folder: string;
  readonly fault: Extract<Fault, { kind: 'fail' }>;
  readonly mistakes: Mistakes;
};

export async function liveThrough(history: History, { folder, fault, mistakes }: LifeDeps): Promise<Outcome> {
  const { sqlite, closeAll } = watchSqlite(packageSqlite, mistakes.sqlite);
  const time = createManualTime(NOW_MS);
  const told: string[] = [];
  const faults: string[] = [];
  let engine: StorageEngine | undefined;
  let failures: readonly unknown[] = [];

  /** Tries once more, as only one operation fails. */
  const insist = async (work: () => void | Promise<void>): Promise<void> => {
    try {
      return await work();
    } catch (cause) {
      const isTold = cause instanceof HubError && /^(STORAGE_|INVALID_BACKUP$)/.test(cause.code);
      told.push(isTold ? cause.code : String(cause));
      if (!isTold) faults.push(String(cause));
    }
    await time.advance(10_000);
    if (failures.length > 0) open();
    await work();
  };
  const open = (): void => {
    engine?.close();
    engine = undefined;
    ({ engine, failures } = openHub(folder, sqlite, time));
  };
  const operations = (): StorageCalls => {
    if (engine === undefined) throw new Error('the hub of this history is closed');
    return engine.operations;
  };
  const close = (): void => {
    const closing = engine;
    engine = undefined;
    closing?.close();
  };
  const life: Life = {
    step: (work) => insist(() => work(operations())),
    sendValues: async (sent) => {
      for (const value of sent) operations().devices.saveValue(value);
      await time.advance(40_000);
    },
    sendSamples: async (batch) => {
      operations().history.append(batch);
      await time.advance(40_000);
    },
    touch: async (touches) => {
      operations().sessions.touchSessions(touches);
      await time.advance(40_000);
    },
    close: () => insist(close),
    reopen: () => insist(open),
    restore: async (keep) => {
      let path = '';
      await insist(() => {
        path = operations().backups.findPath(operations().backups.list()[0]?.id ?? '') ?? '';
      });
      await insist(() => {
        if (engine === undefined) open();
        try {
          operations().backups.restore(path, keep);
        } finally {
          close();
        }
        open();
      });
    },
  };
  const watch = watchFiles(fault);
  try {
    await insist(open);
    await history.live(life);
  } catch (cause) {
    faults.push(`it did not work again: ${String(cause)}`);
  } finally {
    watch.stop();
  }
  closeAll();
  const left = readLeft(folder);
  return { ...fault, operations: watch.operations(), told, ...left, faults: [...faults, ...left.faults] };
}

/** Reads what is on the disk afterwards, without any failure. */
function readLeft(folder: string): Pick<Outcome, 'faults' | 'kept' | 'values' | 'samples'> {
  try {
    const { engine } = openHub(folder, packageSqlite);
    const kept = readKept(engine.operations);
    const values = JSON.stringify([...readValues(engine.operations)]);
    const samples = JSON.stringify([...readSamples(engine.operations).values()]);
    const { recovered } = engine.operations.health.readHealth();
    engine.close();
    const database = openDatabase(packageSqlite, join(foldersOf(folder).state, 'hearthd.db'));
    const verdict = String(database.get('PRAGMA integrity_check')?.['integrity_check']);
    database.close();
    const faults = [...(verdict === 'ok' ? [] : [verdict]), ...(recovered === null ? [] : [recovered.reason])];
    return { kept, values, samples, faults };
  } catch (cause) {
    return { kept: '', values: '', samples: '', faults: [`it does not open: ${String(cause)}`] };
  }
}
