import type { Log } from '#base/log.ts';
import { repeat } from '#base/time/repeat.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { InstancePorts, KeptFile, LanPlace, ProgramLife } from '#integrations/ports.ts';
import { createHash } from 'node:crypto';
import { isJsonObject, parseJson } from '#base/json.ts';

/** The hub cares for the program, whatever that is for. */
export type ProgramCare = ReturnType<typeof createProgramCare>;

type NewAddresses = { readonly type: 'addresses'; readonly addresses: readonly LanPlace[] };
type Kept = { readonly type: 'kept'; readonly seq: number; readonly isKept: boolean };

type ProgramCareDeps = Pick<InstancePorts, 'file' | 'lanAddresses' | 'startTimer' | 'random'> & {
  readonly log: Log;
  readonly onKept: (isKept: boolean) => void;
};

const LOOK_EVERY_MS = 5_000;
const MOST_LOGGED = 100;
/** Another program may have the port for now, or the disk no room. */
const RETRY_DELAYS = { minMs: 10_000, maxMs: 600_000 };

/** For people, where the process is gone. */
export function wordsOfEnd(why: string, isOften: boolean): string {
  if (!isOften) return `The Matter program ended and is started again (${why})`;
  return `The Matter program ended five times soon after its start (${why}). The hub tries again within the hour; to try now, switch it off and on`;
}

export function createProgramCare(deps: ProgramCareDeps) {
  const { file, lanAddresses, startTimer, random, log, onKept } = deps;
  const { load, save } = createNodeFile(file, log);
  const inTurn = createTurnQueue();
  const logged = new Set<string>();
  const delays = createRetryDelays(RETRY_DELAYS, random);
  let stopWaiting = (): void => undefined;
  let addresses = lanAddresses();
  let isFull = false;

  const isSaved = async (text: string): Promise<boolean> => {
    try {
      await save(text);
      isFull = false;
      return true;
    } catch (cause) {
      // The program tries it again until it succeeds.
      if (!isFull) log.error('what Matter must remember cannot be written', { cause });
      isFull = true;
      return false;
    }
  };
  return {
    load,
    /** The addresses of the LAN now; from here on, the watch reports other ones. */
    addresses: (): readonly LanPlace[] => (addresses = lanAddresses()),
    /** Tells the program when the addresses change. The result ends it. */
    watchAddresses: (send: (message: NewAddresses) => unknown): (() => void) =>
      repeat(startTimer, LOOK_EVERY_MS, () => {
        const now = lanAddresses();
        if (JSON.stringify(now) === JSON.stringify(addresses)) return;
        addresses = now;
        send({ type: 'addresses', addresses });
      }),
    /** Writes what the program must remember, in its order, and says whether that is on disk. */
    keep: ({ seq, text }: { readonly seq: number; readonly text: string }, answer: (outcome: Kept) => void): void =>
      void inTurn(async () => {
        const isKept = await isSaved(text);
        onKept(isKept);
        answer({ type: 'kept', seq, isKept });
      }),
    /** Into the log, each text once: what is wrong with a device comes with each of its changes. */
    logFault: (reason: string): void => {
      if (logged.has(reason) || logged.size >= MOST_LOGGED) return;
      logged.add(reason);
      log.warn('the Matter program reports a fault', { reason });
    },
    /** It runs, but could not start what it is for. It begins anew after a while, which grows with each time in a row. */
    tryAgain: ({ renew }: Pick<ProgramLife<never>, 'renew'>): void => {
      stopWaiting();
      stopWaiting = startTimer(delays.nextMs(), renew);
    },
    /** It has started, so nothing is tried again. */
    noteStarted: (): void => {
      stopWaiting();
      delays.reset();
    },
    stop: (): void => stopWaiting(),
  };
}

const VERSION = 1;

/** Keeps on disk what the node must remember. */
function createNodeFile(file: KeptFile, log: Log) {
  return {
    /** `null` for a new node. A damaged file is set aside: `isLost` says so. */
    load: async (): Promise<{ readonly text: string | null; readonly isLost: boolean }> => {
      const content = await file.read();
      if (content === undefined) return { text: null, isLost: false };
      const text = textFrom(content);
      if (text !== undefined) return { text, isLost: false };
      await file.setAside();
      log.error('what Matter must remember is damaged: the file is set aside, and Matter begins anew');
      return { text: null, isLost: true };
    },
    /** On disk once resolved. */
    save: (text: string): Promise<void> =>
      file.write(JSON.stringify({ version: VERSION, sha256: hashOf(text), node: text })),
  };
}

function textFrom(content: string): string | undefined {
  const json = parseJson(content);
  if (!isJsonObject(json)) return undefined;
  const { version, sha256, node } = json;
  return version === VERSION && typeof node === 'string' && sha256 === hashOf(node) ? node : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
