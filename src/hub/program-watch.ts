import { repeat } from '#base/time/repeat.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { FromProgram, ToProgram } from '#integrations/ports.ts';

export type StartProgram = (name: string, onMessage: (said: FromProgram) => void) => Program;

export type Program = {
  /** Does nothing once it has ended. */
  readonly send: (message: ToProgram) => void;
  /** Resolves with the reason of its end, in words. */
  readonly ended: Promise<string>;
  /** Ends it at once, without a word. */
  readonly kill: () => void;
};

/** A program says this of its own accord. */
export type ProgramWord = Exclude<FromProgram, { readonly isPong: true }>;

type StartWatchedProgram = (name: string, onMessage: (said: ProgramWord) => void) => Program;

const ASK_EVERY_MS = 10_000;
/** A minute: a slow machine that swaps may need that long for one answer. */
const MOST_UNANSWERED = 6;

/**
 * A program that hangs does not end by itself: it is asked whether it is there, and killed if it says nothing at all.
 * Questions are counted and not the time, which also passes while the hub itself does not run.
 */
export function createProgramWatch(startProgram: StartProgram, startTimer: StartTimer): StartWatchedProgram {
  return (name, onMessage) => {
    let unanswered = 0;
    let isSilent = false;
    const program = startProgram(name, (said) => {
      unanswered = 0;
      if (!('isPong' in said)) onMessage(said);
    });
    const stop = repeat(startTimer, ASK_EVERY_MS, () => {
      if (unanswered === MOST_UNANSWERED) {
        isSilent = true;
        program.kill();
        return;
      }
      unanswered += 1;
      program.send({ isPing: true });
    });
    const ended = program.ended.then((why) => {
      stop();
      return isSilent ? 'it did not answer for a minute' : why;
    });
    return { ...program, ended };
  };
}
