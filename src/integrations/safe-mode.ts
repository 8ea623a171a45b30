import type { Clock } from '#base/time/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';

/** Stops an integration that crashes the hub from being started again and again. */
export type SafeMode = {
  /** The hub died twice within two minutes of taking data from it: it must not start before a person releases it. */
  readonly holds: (integration: string) => boolean;
  /**
   * To be awaited before the integration starts, and before the hub takes a device list from it. Resolves once a mark
   * is on disk, which outlives a crash; `undefined` if there is one already.
   */
  readonly beforeTaking: (integration: string) => Promise<void> | undefined;
  /** Lets the integration start again. On disk when it resolves. False if it was not held. */
  readonly release: (integration: string) => Promise<boolean>;
  /** Notes an orderly end, which removes all marks. */
  readonly stop: () => Promise<void>;
};

export type SafeModeDeps = {
  readonly file: {
    readonly read: () => Promise<Buffer | undefined>;
    /** On disk when it resolves. */
    readonly write: (bytes: Uint8Array) => Promise<void>;
    readonly remove: () => Promise<void>;
  };
  /** The machine's id of this boot. A power cut changes it, and is not the fault of an integration. */
  readonly bootId: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

/** What is stored for an integration: deaths in a row, and whether the hub has just taken data from it. */
type Mark = { readonly deaths: number; readonly is_taking: boolean };
type Taking = { readonly sinceMs: number; cancel: () => void };

const WITHIN_MS = 120_000;
const MAX_DEATHS = 2;

/**
 * Reads the marks of the last run. A mark that is still there means that the run had no orderly end. It counts as a
 * death unless the machine was restarted since. An integration that is held stays held, also after a restart of the
 * machine.
 */
export async function openSafeMode(deps: SafeModeDeps): Promise<SafeMode> {
  const { bootId, clock, startTimer, log } = deps;
  const inTurn = createTurnQueue();
  const deaths = await readDeaths(deps);
  const taking = new Map<string, Taking>();
  let isStopped = false;
  let isFileThere = true;

  const holds = (id: string): boolean => (deaths.get(id) ?? 0) >= MAX_DEATHS;
  const writeMarks = async (): Promise<void> => {
    const marks = [...new Set([...deaths.keys(), ...taking.keys()])].map((id): [string, Mark] => [
      id,
      { deaths: deaths.get(id) ?? 0, is_taking: taking.has(id) },
    ]);
    try {
      if (marks.length > 0) await deps.file.write(bytesOf({ boot: bootId, integrations: Object.fromEntries(marks) }));
      else if (isFileThere) await deps.file.remove();
      isFileThere = marks.length > 0;
    } catch (cause) {
      // A full or read-only disk must not separate the home from its devices.
      log.warn('safe mode cannot write its marks: after a crash it would not know which integration was the cause', {
        cause,
      });
    }
  };
  const save = (): Promise<void> => inTurn(writeMarks);
  const settle = (id: string): void => {
    taking.delete(id);
    deaths.delete(id);
    void save();
  };
  for (const id of deaths.keys()) {
    if (!holds(id)) continue;
    log.error('the hub died twice within two minutes of taking data from an integration: it is not started', {
      integration: id,
    });
    await save();
  }
  return {
    holds,
    beforeTaking: (id) => {
      if (isStopped) return undefined;
      const old = taking.get(id);
      old?.cancel();
      const nowMs = clock.monotonicMs();
      const cancel = startTimer(WITHIN_MS, () => settle(id));
      if (old === undefined) {
        taking.set(id, { sinceMs: nowMs, cancel });
        return save();
      }
      old.cancel = cancel;
      // The hub takes data again and again, and lives: earlier deaths had another cause.
      return nowMs - old.sinceMs >= WITHIN_MS && deaths.delete(id) ? save() : undefined;
    },
    release: async (id) => {
      if (!holds(id)) return false;
      deaths.delete(id);
      await save();
      return true;
    },
    stop: async () => {
      isStopped = true;
      for (const { cancel } of taking.values()) cancel();
      taking.clear();
      for (const id of deaths.keys()) if (!holds(id)) deaths.delete(id);
      await save();
    },
  };
}

function bytesOf(json: JsonValue): Buffer {
  return Buffer.from(JSON.stringify(json));
}

/** The deaths by integration, including the last run's if that died. */
async function readDeaths({ file, bootId, log }: SafeModeDeps): Promise<Map<string, number>> {
  const deaths = new Map<string, number>();
  const kept = await readMarks(file, log);
  for (const [id, mark] of Object.entries(isJsonObject(kept['integrations']) ? kept['integrations'] : {})) {
    if (!isJsonObject(mark) || typeof mark['deaths'] !== 'number') continue;
    const isHeld = mark['deaths'] >= MAX_DEATHS;
    const hasDied = mark['is_taking'] === true && kept['boot'] === bootId;
    if (isHeld || hasDied) deaths.set(id, mark['deaths'] + (isHeld ? 0 : 1));
  }
  return deaths;
}

/** A file that cannot be read counts as empty. */
async function readMarks(file: SafeModeDeps['file'], log: Log): Promise<JsonObject> {
  try {
    const json: unknown = JSON.parse((await file.read())?.toString() ?? '{}');
    if (isJsonObject(json)) return json;
  } catch (cause) {
    log.warn('the marks of safe mode cannot be read', { cause });
  }
  return {};
}
