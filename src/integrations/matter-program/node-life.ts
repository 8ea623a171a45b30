import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import type { InstancePorts, Program } from '#integrations/ports.ts';

export type NodeLifeDeps<To, From> = Pick<InstancePorts, 'startProgram' | 'startTimer' | 'clock' | 'random'> & {
  readonly log: Log;
  /** With everything that the node is to know; asked for at each start. */
  readonly begin: () => Promise<To>;
  readonly onMessage: (message: From, send: Send<To>) => void;
  /** No node answers: until the next start, or until a person does something (`isOver`). */
  readonly onDown: (why: string, isOver: boolean) => void;
};

export type Send<To> = (message: To) => void;
/** What ends each node. */
export type Stop = { readonly type: 'stop' };

export type NodeLife<To> = {
  /** Keeps a node running until the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** False while no node is there. */
  readonly send: (message: To) => boolean;
  /** The node has reason to begin anew, which is no failure. */
  readonly renew: () => void;
};

const PROGRAM = 'matter-process';
const DELAYS = { minMs: 1_000, maxMs: 60_000 };
/** One that lived for this long had recovered. */
const RECOVERED_MS = 120_000;
const MOST_DEATHS = 5;
/** The frame waits two seconds for the end of a run. */
const STOP_WITHIN_MS = 1_500;

/** The hub and the program are always of the same version: what comes from it has its form. */
export function createNodeLife<To, From>(deps: NodeLifeDeps<To, From>): NodeLife<To> {
  const { startProgram, startTimer, clock, log } = deps;
  const delays = createRetryDelays(DELAYS, deps.random);
  let program: Program | undefined;
  let isRenewing = false;

  const send: Send<To> = (message) => program?.send(message);
  const runOnce = async (signal: AbortSignal): Promise<string> => {
    const message = await deps.begin();
    if (signal.aborted) return 'stopped';
    // What comes is from the program of this version alone.
    const own = startProgram(PROGRAM, (said) => {
      if (program === own) deps.onMessage(said as From, send);
    });
    program = own;
    own.send(message);
    const stopTimers: (() => void)[] = [];
    const stop = (): void => {
      own.send({ type: 'stop' } satisfies Stop);
      stopTimers.push(startTimer(STOP_WITHIN_MS, own.kill));
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await own.ended;
    } finally {
      signal.removeEventListener('abort', stop);
      for (const stopTimer of stopTimers) stopTimer();
      program = undefined;
    }
  };

  return {
    send: (message) => {
      send(message);
      return program !== undefined;
    },
    renew: () => {
      if (program === undefined) return;
      isRenewing = true;
      program.kill();
    },
    run: async (signal) => {
      let deaths = 0;
      while (!signal.aborted) {
        const startedMs = clock.monotonicMs();
        const why = await runOnce(signal);
        if (signal.aborted) return;
        if (isRenewing) {
          isRenewing = false;
          continue;
        }
        if (clock.monotonicMs() - startedMs > RECOVERED_MS) {
          deaths = 0;
          delays.reset();
        }
        deaths += 1;
        const isOver = deaths >= MOST_DEATHS;
        const restartInMs = delays.nextMs();
        log.error('the Matter program ended', { why, deaths, ...(isOver ? {} : { restart_in_ms: restartInMs }) });
        deps.onDown(why, isOver);
        if (isOver) return untilAborted(signal);
        await waitMs(restartInMs, startTimer, signal);
      }
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
