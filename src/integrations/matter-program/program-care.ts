import type { Log } from '#base/log.ts';
import { repeat } from '#base/time/repeat.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import type { LanPlace } from '#integrations/ports.ts';
import { createNodeFile, type NodeFile } from './node-file.ts';

/** What the hub does for the program, whatever that is for. */
export type ProgramCare = {
  readonly load: NodeFile['load'];
  /** Those of the LAN now; the watch tells what is another one from here on. */
  readonly addresses: () => readonly LanPlace[];
  /** Tells the program when the addresses change. The result ends it. */
  readonly watchAddresses: (send: (message: NewAddresses) => unknown) => () => void;
  /** Writes what the program must remember, in its order, and says whether that is on disk. */
  readonly keep: (asked: { readonly seq: number; readonly text: string }, answer: (kept: Kept) => void) => void;
  /** Into the log, each text once: what is wrong with a device comes with each of its changes. */
  readonly logFault: (reason: string) => void;
};

type NewAddresses = { readonly type: 'addresses'; readonly addresses: readonly LanPlace[] };
type Kept = { readonly type: 'kept'; readonly seq: number; readonly isKept: boolean };

export type ProgramCareDeps = Pick<InstancePorts, 'file' | 'lanAddresses' | 'startTimer'> & {
  readonly log: Log;
  readonly onKept: (isKept: boolean) => void;
};

const LOOK_EVERY_MS = 5_000;
const MOST_LOGGED = 100;

export function createProgramCare({ file, lanAddresses, startTimer, log, onKept }: ProgramCareDeps): ProgramCare {
  const { load, save } = createNodeFile(file, log);
  const inTurn = createTurnQueue();
  const logged = new Set<string>();
  let addresses = lanAddresses();

  const isSaved = async (text: string): Promise<boolean> => {
    try {
      await save(text);
      return true;
    } catch (cause) {
      log.error('what Matter must remember cannot be written', { cause });
      return false;
    }
  };
  return {
    load,
    addresses: () => (addresses = lanAddresses()),
    watchAddresses: (send) =>
      repeat(startTimer, LOOK_EVERY_MS, () => {
        const now = lanAddresses();
        if (JSON.stringify(now) === JSON.stringify(addresses)) return;
        addresses = now;
        send({ type: 'addresses', addresses });
      }),
    keep: ({ seq, text }, answer) =>
      void inTurn(async () => {
        const isKept = await isSaved(text);
        onKept(isKept);
        answer({ type: 'kept', seq, isKept });
      }),
    logFault: (reason) => {
      if (logged.has(reason) || logged.size >= MOST_LOGGED) return;
      logged.add(reason);
      log.warn('the Matter program reports a fault', { reason });
    },
  };
}
