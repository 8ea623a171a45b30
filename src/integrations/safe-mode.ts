import type { Clock } from '#base/time/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';

/** Stops an integration that crashes the hub from being started again and again. */
export type SafeMode = {
  /** The hub died twice within two minutes of taking data from it: it must not start before a person releases it. */
  readonly holds: (integration: string) => boolean;
  /**
   * To be awaited before the integration starts, and before the hub takes a device list from it. Resolves once a mark
   * is on disk, which outlives a crash; `undefined` if there is one already. If several may have been the cause of the
   * last death, they begin one after the other, so that the next death shows which one it is.
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

/**
 * What is stored for an integration: deaths in a row, whether the hub has just taken data from it, and whether it was the
 * last one that began, so that a death now is its own.
 */
type Mark = { readonly deaths: number; readonly is_taking: boolean; readonly is_suspect: boolean };
type Taking = { readonly sinceMs: number; cancel: () => void };

const WITHIN_MS = 120_000;
const MAX_DEATHS = 2;
const HELD = 'the hub died twice within two minutes of taking data from an integration: it is not started';
/** For how long a suspect is watched before the next one begins: what kills the hub mostly does so at once. */
const WATCHED_MS = 10_000;

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
  const stopped = new AbortController();
  let isFileThere = true;

  const holds = (id: string): boolean => (deaths.get(id) ?? 0) >= MAX_DEATHS;
  const writeMarks = async (): Promise<void> => {
    const marks = [...new Set([...deaths.keys(), ...taking.keys()])].map((id): [string, Mark] => [
      id,
      { deaths: deaths.get(id) ?? 0, is_taking: taking.has(id), is_suspect: id === suspect },
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
  const suspects = new Set([...deaths.keys()].filter((id) => !holds(id)));
  const watchedMs = suspects.size < 2 ? 0 : Math.min(WATCHED_MS, WITHIN_MS / suspects.size);
  const inLine = createTurnQueue();
  let suspect: string | undefined;
  const begin = (id: string): Promise<void> => {
    taking.set(id, { sinceMs: clock.monotonicMs(), cancel: startTimer(WITHIN_MS, () => settle(id)) });
    return save();
  };
  /** Resolves once it is marked; the next in line begins after it was watched. */
  const beginInLine = (id: string): Promise<void> =>
    new Promise((resolve) => {
      void inLine(async () => {
        if (stopped.signal.aborted) return resolve();
        suspect = id;
        await begin(id);
        resolve();
        await waitMs(watchedMs, startTimer, stopped.signal);
        suspect = undefined;
        await save();
      });
    });
  const settle = (id: string): void => {
    taking.delete(id);
    deaths.delete(id);
    void save();
  };
  const held = [...deaths.keys()].filter(holds);
  for (const integration of held) log.error(HELD, { integration });
  if (held.length > 0) await save();
  return {
    holds,
    beforeTaking: (id) => {
      if (stopped.signal.aborted) return undefined;
      const old = taking.get(id);
      if (old === undefined) return suspects.delete(id) && watchedMs > 0 ? beginInLine(id) : begin(id);
      old.cancel();
      old.cancel = startTimer(WITHIN_MS, () => settle(id));
      // The hub takes data again and again, and lives: earlier deaths had another cause.
      return clock.monotonicMs() - old.sinceMs >= WITHIN_MS && deaths.delete(id) ? save() : undefined;
    },
    release: async (id) => {
      if (!holds(id)) return false;
      deaths.delete(id);
      await save();
      return true;
    },
    stop: async () => {
      stopped.abort();
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
  const marks = Object.entries(isJsonObject(kept['integrations']) ? kept['integrations'] : {}).filter(isMark);
  const isKnown = marks.some(([, mark]) => mark['is_suspect'] === true);
  for (const [id, mark] of marks) {
    const isHeld = mark.deaths >= MAX_DEATHS;
    const isCause = isKnown ? mark['is_suspect'] === true : mark['is_taking'] === true;
    const hasDied = isCause && kept['boot'] === bootId;
    if (isHeld || hasDied) deaths.set(id, mark.deaths + (isHeld ? 0 : 1));
  }
  return deaths;
}

function isMark(entry: readonly [string, JsonValue]): entry is [string, JsonObject & { readonly deaths: number }] {
  return isJsonObject(entry[1]) && typeof entry[1]['deaths'] === 'number';
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
