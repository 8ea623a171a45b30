import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isJsonObject, parseJson } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { RunChanges, StoredCounts, StoredPast, StoredRun } from '#core/automation-run/trace/run-store.ts';
import { DAYS_COUNTED } from '#core/automation-run/trace/run-counts.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';

/** The traces of automations: what changed waits until something else writes the file. */
export type KeptRuns = {
  readonly add: (changes: RunChanges) => void;
  readonly isEmpty: () => boolean;
  /** Inside the caller's transaction. */
  readonly write: () => void;
  /** To call once that is committed. */
  readonly clear: () => void;
  /** The same in a transaction of its own, if anything waits. */
  readonly writeNow: () => void;
  /** A page of the runs on disk, sorted by id, after this one. */
  readonly loadRuns: (after: string | null) => readonly StoredRun[];
  readonly loadPasts: () => readonly StoredPast[];
  readonly loadCounts: (fromDay: number) => readonly StoredCounts[];
};

const PAGE_RUNS = 500;
const MAX_PAST_BYTES = 1024 * 1024;

export function createKeptRuns(file: Database): KeptRuns {
  /** The newest of each; `null`: it is to be deleted. */
  const runs = new Map<string, StoredRun | null>();
  /** The ids of the rows, once somebody has to know. */
  let known: Set<string> | undefined;
  const onDisk = (): Set<string> => (known ??= new Set(file.all('SELECT id FROM run', []).map(({ id }) => String(id))));
  const pasts = new Map<AutomationId, StoredPast | null>();
  const counts = new Map<string, StoredCounts>();
  const clear = (): void => {
    for (const [id, run] of runs) {
      if (run === null) known?.delete(id);
      else known?.add(id);
    }
    for (const waiting of [runs, pasts, counts]) waiting.clear();
  };
  const isEmpty = (): boolean => runs.size + pasts.size + counts.size === 0;
  const write = (): void => {
    for (const [id, run] of runs) {
      if (run === null) file.run('DELETE FROM run WHERE id = ?', [id]);
      else putRun(file, run);
    }
    for (const [automation, past] of pasts) {
      if (past !== null) putPast(file, past);
      else {
        file.run('DELETE FROM run_past WHERE automation = ?', [automation]);
        file.run('DELETE FROM run_count WHERE automation = ?', [automation]);
      }
    }
    for (const count of counts.values()) putCount(file, count);
  };
  return {
    add: (changes) => {
      for (const id of changes.goneRuns) {
        // An automation that starts each second drops twenty thousand until the next write: most never were on disk.
        if (onDisk().has(id)) runs.set(id, null);
        else runs.delete(id);
      }
      for (const run of changes.runs) runs.set(run.id, run);
      for (const id of changes.goneAutomations) {
        pasts.set(id, null);
        for (const [name, { automation }] of counts) if (automation === id) counts.delete(name);
      }
      for (const past of changes.pasts) pasts.set(past.automation, past);
      for (const count of changes.counts) counts.set(`${count.automation} ${count.day}`, count);
    },
    isEmpty,
    write,
    clear,
    writeNow: () => {
      if (isEmpty()) return;
      file.transaction(write);
      clear();
    },
    loadRuns: (after) =>
      file.all('SELECT * FROM run WHERE id > ? ORDER BY id LIMIT ?', [after ?? '', PAGE_RUNS]).flatMap(runFrom),
    loadPasts: () => file.all('SELECT automation, packed FROM run_past').flatMap(pastFrom),
    loadCounts: (fromDay) =>
      file.all('SELECT * FROM run_count WHERE day >= ?', [fromDay]).map((row) => ({
        automation: String(row['automation']) as AutomationId,
        day: Number(row['day']),
        runs: Number(row['runs']),
        notMet: Number(row['not_met']),
        skipped: Number(row['skipped']),
        failed: Number(row['failed']),
      })),
  };
}

function putRun(file: Database, run: StoredRun): void {
  file.run(
    `INSERT OR REPLACE INTO run
     (id, automation, epoch, outcome, started_ms, finished_ms, merged, likeness, tells_presence, packed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      run.id,
      run.automation,
      run.epoch,
      run.outcome,
      run.startedAtMs,
      run.finishedAtMs,
      run.merged,
      run.likeness,
      run.tellsPresence ? 1 : 0,
      run.packed,
    ],
  );
}

/** A row of another version of the hub is left out, as one is that a bad disk changed. */
function runFrom(row: SqlRow): StoredRun[] {
  const { id, automation, epoch, started_ms, finished_ms, merged, likeness, tells_presence, packed } = row;
  const outcome = RUN_OUTCOMES.find((one) => one === row['outcome']);
  if (outcome === undefined || !(packed instanceof Uint8Array)) return [];
  return [
    {
      id: String(id),
      automation: String(automation) as AutomationId,
      epoch: String(epoch),
      outcome,
      startedAtMs: Number(started_ms),
      finishedAtMs: finished_ms === null ? null : Number(finished_ms),
      merged: Number(merged),
      likeness: String(likeness),
      tellsPresence: tells_presence === 1,
      packed,
    },
  ];
}

function putPast(file: Database, { automation, ...past }: StoredPast): void {
  const packed = deflateRawSync(JSON.stringify(past));
  file.run('INSERT OR REPLACE INTO run_past (automation, packed) VALUES (?, ?)', [automation, packed]);
}

function pastFrom({ automation, packed }: SqlRow): StoredPast[] {
  const past = packed instanceof Uint8Array ? unpackPast(packed) : undefined;
  return past === undefined ? [] : [{ automation: String(automation) as AutomationId, ...past }];
}

function unpackPast(packed: Uint8Array): Omit<StoredPast, 'automation'> | undefined {
  try {
    const past = parseJson(inflateRawSync(packed, { maxOutputLength: MAX_PAST_BYTES }).toString());
    // Only `putPast` writes this form.
    const isPast = past !== undefined && isJsonObject(past) && Array.isArray(past['nearMisses']);
    return isPast ? (past as unknown as Omit<StoredPast, 'automation'>) : undefined;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return undefined;
    throw cause;
  }
}

function putCount(file: Database, { automation, day, ...count }: StoredCounts): void {
  file.run('DELETE FROM run_count WHERE automation = ? AND day <= ?', [automation, day - DAYS_COUNTED]);
  file.run(
    `INSERT OR REPLACE INTO run_count (automation, day, runs, not_met, skipped, failed) VALUES (?, ?, ?, ?, ?, ?)`,
    [automation, day, count.runs, count.notMet, count.skipped, count.failed],
  );
}
