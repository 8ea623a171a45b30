import type { Clock } from '#base/time/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';

/** Keeps an integration that ends the hub from being started again and again. */
export type SafeMode = {
  /** The hub died twice within two minutes of taking something of it: it is not to be started before somebody says so. */
  readonly holds: (integration: string) => boolean;
  /**
   * To await before the integration is started, and before anything large is taken from it; `undefined` where that is
   * marked already. Marked means: on disk, whatever becomes of this process.
   */
  readonly beforeTaking: (integration: string) => Promise<void> | undefined;
  /** Somebody has said so. On disk when it resolves; false where it was not held. */
  readonly release: (integration: string) => Promise<boolean>;
  /** An orderly end, after which nothing is marked any more. */
  readonly stop: () => Promise<void>;
};

export type SafeModeDeps = {
  readonly file: {
    readonly read: () => Promise<Buffer | undefined>;
    /** On disk when it resolves. */
    readonly write: (bytes: Uint8Array) => Promise<void>;
    readonly remove: () => Promise<void>;
  };
  /** The machine's name for this boot. A power cut ends it, and is no fault of an integration. */
  readonly bootId: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

/** What is kept of one integration: deaths in a row, and whether the hub runs with something taken of it. */
type Mark = { readonly deaths: number; readonly is_taking: boolean };
type Taking = { readonly sinceMs: number; cancel: () => void };

const WITHIN_MS = 120_000;
const MAX_DEATHS = 2;

/**
 * Reads what the last run left: a mark that is still there was not removed by an orderly end. It counts while the machine
 * was not started since; who is held stays so whatever happens to the machine.
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
      // A full or read-only disk must not keep the home from its devices.
      log.warn('what is taken of the integrations cannot be noted: a later start would not know what ended the hub', {
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
    log.error('the hub died twice within two minutes of taking something of it: it is not started', {
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
      // It takes again and again, and lives: earlier deaths had another reason.
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

/** Of each integration, with the death that the last run may have died of it. */
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

/** What cannot be read counts as never noted. */
async function readMarks(file: SafeModeDeps['file'], log: Log): Promise<JsonObject> {
  try {
    const json: unknown = JSON.parse((await file.read())?.toString() ?? '{}');
    if (isJsonObject(json)) return json;
  } catch (cause) {
    log.warn('what the last run took of the integrations cannot be read', { cause });
  }
  return {};
}
