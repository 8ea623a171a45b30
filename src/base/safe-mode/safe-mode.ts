import { join } from 'node:path';
import { codeOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, parseJson } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createSecretFiles, type SecretFiles, keepFailure } from '#base/secret-files.ts';
import { StartError } from '#base/start-error.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { type LastRun, openServedMark, processName, type Run, type ServedMark, takeServedMark } from './served-mark.ts';

/**
 * Puts off what ends the hub again and again. The hub notes what it serves right before it does; where a run has no
 * orderly end, the next one finds the note. Three such ends within an hour put off what was served then.
 */
export type SafeMode = {
  /** Whether it is put off: it must not run before a person releases it. */
  readonly holds: (what: string) => boolean;
  /**
   * Call it right before something of a stranger is dealt with; `null` where nothing could be put off for it. It costs a
   * write where something else was served before, and returns that.
   */
  readonly note: (what: string | null) => string | null;
  /** Does a step of the start. If it fails for a reason that nobody foresaw, and the hub ends, that counts as an end. */
  readonly during: <Result>(what: string, work: () => Promise<Result>) => Promise<Result>;
  /** Lets it run again. On disk when it resolves, and throws HubError where it is not. False if it was not put off. */
  readonly release: (what: string) => Promise<boolean>;
  /** Says that the hub has an orderly end, unless this has failed, and notes nothing from then on. */
  readonly stop: (failed?: string) => void;
};

type SafeModeDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  /** Beside the database and in no backup: a restored one knows nothing of how this process ended. */
  readonly files: SecretFiles;
  /** In a folder that outlives the process, and best that no boot outlives. */
  readonly markPath: string;
  readonly run: Run;
  /** Milliseconds since the machine was started. */
  readonly bootMs: () => number;
  /** Another thread of this process says what is put off. */
  readonly isQuiet?: boolean;
};

const NAME = 'safe-mode.json';
const MOST_ENDS = 3;
const WITHIN_MS = 3_600_000;
/** A message may end the hub only some turns of the event loop later; an idle hub serves nobody. */
const LINGER_MS = 1_000;
const PUT_OFF = `the hub ended ${MOST_ENDS} times within an hour while it served this: it is put off`;

type End = { readonly serving: string; readonly atMs: number };
type Kept = { readonly ends: readonly End[]; readonly off: readonly string[] };

/**
 * Counts the end of the last run, if that had no orderly one in this boot of the machine: a power cut is no one's fault.
 * Call it only while nobody else can run on the state.
 */
export async function openSafeMode(deps: SafeModeDeps): Promise<SafeMode> {
  const { files, log } = deps;
  const inTurn = createTurnQueue();
  const known = await readKept(deps);
  const off = new Set(known.off);
  let ends = known.ends;
  const ended = endOf(takeServedMark(deps.markPath, deps.run, log), deps);
  if (ended !== undefined) {
    ends = [...ends, ended].filter(({ atMs }) => ended.atMs - atMs < WITHIN_MS);
    if (ends.filter(({ serving }) => serving === ended.serving).length >= MOST_ENDS) off.add(ended.serving);
    await writeKept(deps, { ends, off: [...off] }).catch((cause: unknown) =>
      log.warn('safe mode cannot count how the hub ended', { cause }),
    );
  }
  if (deps.isQuiet !== true) for (const serving of off) log.error(PUT_OFF, { serving });
  const notes = createNotes(deps);
  let failed: string | undefined;
  return {
    holds: (what) => off.has(what),
    note: notes.note,
    during: async (what, work) => {
      const before = notes.note(what);
      try {
        const result = await work();
        if (failed === what) failed = undefined;
        notes.note(before);
        return result;
      } catch (cause) {
        const isForeseen = cause instanceof HubError || cause instanceof StartError || codeOf(cause) !== undefined;
        if (!isForeseen) failed = what;
        throw cause;
      }
    },
    release: (what) =>
      inTurn(async () => {
        if (!off.has(what)) return false;
        const left = {
          ends: ends.filter(({ serving }) => serving !== what),
          off: [...off].filter((one) => one !== what),
        };
        try {
          await (left.off.length + left.ends.length > 0 ? writeKept(deps, left) : files.remove(NAME));
        } catch (cause) {
          throw keepFailure('end of safe mode', cause);
        }
        off.delete(what);
        ends = left.ends;
        return true;
      }),
    stop: (failedNow) => notes.stop(failedNow ?? failed),
  };
}

/** The end of the last run, if it had no orderly one while it served something. */
function endOf(last: LastRun | undefined, { run, bootMs, log }: SafeModeDeps): End | undefined {
  if (last?.boot !== run.boot) return undefined;
  log.warn('the last run of the hub had no orderly end', { serving: last.serving ?? 'nothing' });
  return last.serving === null ? undefined : { serving: last.serving, atMs: bootMs() };
}

function createNotes({ markPath, run, startTimer, log }: SafeModeDeps) {
  let mark: ServedMark | undefined;
  let isUsable = true;
  let now: string | null = null;
  let isFresh = false;
  let stopLook: (() => void) | undefined;
  /** A full or read-only disk must not separate the home from its devices. */
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (cause) {
      isUsable = false;
      log.warn('safe mode cannot note what is served: after a crash it would not know the cause', { cause });
    }
  };
  const write = (what: string | null): void => {
    now = what;
    attempt(() => (mark ??= openServedMark(markPath, run)).write(what));
  };
  const look = (): void => {
    stopLook = isFresh ? startTimer(LINGER_MS, look) : undefined;
    if (!isFresh) write(null);
    isFresh = false;
  };
  return {
    note: (what: string | null): string | null => {
      isFresh = true;
      const before = now;
      if (what === before || !isUsable) return before;
      write(what);
      stopLook ??= startTimer(LINGER_MS, look);
      return before;
    },
    stop: (failed: string | undefined): void => {
      stopLook?.();
      if (failed !== undefined && isUsable) write(failed);
      else attempt(() => mark?.remove());
      isUsable = false;
    },
  };
}

/** A file that cannot be read counts as empty. */
async function readKept({ files, run, log }: SafeModeDeps): Promise<Kept> {
  try {
    const text = await files.read(NAME);
    const kept = text === undefined ? {} : parseJson(text.toString());
    if (!isJsonObject(kept)) throw new Error('it is not JSON');
    const { boot, ends, off } = kept;
    return {
      ends: boot === run.boot && Array.isArray(ends) ? ends.flatMap(readEnd) : [],
      off: [...(Array.isArray(off) ? off.filter((one) => typeof one === 'string') : []), ...heldBefore(kept)],
    };
  } catch (cause) {
    log.warn('what safe mode has put off cannot be read', { cause });
    return { ends: [], off: [] };
  }
}

function readEnd(end: unknown): End[] {
  if (!isJsonObject(end)) return [];
  const { serving, at_ms: atMs } = end;
  return typeof serving === 'string' && typeof atMs === 'number' ? [{ serving, atMs }] : [];
}

/** Up to version 0.1 the file had the integrations with their deaths, and two were enough. */
function heldBefore({ integrations }: JsonObject): string[] {
  const marks = Object.entries(isJsonObject(integrations) ? integrations : {});
  return marks.flatMap(([id, mark]) => (isJsonObject(mark) && Number(mark['deaths']) >= 2 ? [servedInstance(id)] : []));
}

function writeKept({ files, run }: SafeModeDeps, { ends, off }: Kept): Promise<void> {
  const json = { boot: run.boot, ends: ends.map(({ serving, atMs }) => ({ serving, at_ms: Math.round(atMs) })), off };
  return files.write(NAME, Buffer.from(JSON.stringify(json)));
}

/** An instance of an integration, as safe mode calls it. */
export function servedInstance(id: string): string {
  return `integration ${id}`;
}

export const SERVED_AUTOMATIONS = 'automations';

type ProcessDeps = Pick<SafeModeDeps, 'startTimer' | 'isQuiet' | 'log'> & {
  readonly folders: { readonly state: string; readonly runtime: string };
  readonly machine: { readonly bootId: string; readonly bootMs: () => number };
};

/** That of this process, the same in each of its threads. */
export function openSafeModeOf({ folders, machine, ...deps }: ProcessDeps): Promise<SafeMode> {
  return openSafeMode({
    ...deps,
    files: createSecretFiles(folders.state),
    markPath: join(folders.runtime, 'served'),
    run: { boot: machine.bootId, process: processName() },
    bootMs: machine.bootMs,
  });
}
