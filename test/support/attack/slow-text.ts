import { startProcessorWatch } from '#test/support/machine/bounds.ts';
import { costRatio } from './work-count.ts';

/*
 * Looks for a text that takes a reader of a header field, a query or a cursor long: the count of steps does not see into
 * regular expressions. A text is one token, another that is repeated to fill the size, and a third at its end.
 */

export type SlowSearch = {
  readonly parse: (text: string) => unknown;
  /** What the text can begin and end with. */
  readonly ends: readonly string[];
  readonly repeated: readonly string[];
  readonly size: number;
};

/** Texts that take less processor time than this are not looked at. */
const NOTHING_MS = 2;
/** How many times as long four times the text takes: 4 is linear, 16 is quadratic. */
export const MAX_RATIO = 8;

/** The text of which four times as much takes the most times as long, and how many were tried. */
export function findSlowest({ parse, ends, repeated, size }: SlowSearch): {
  readonly text: string;
  readonly ratio: number;
  readonly tried: number;
} {
  let slowest = { text: '', ratio: 0 };
  let tried = 0;
  for (const start of ends) {
    for (const token of repeated) {
      for (const end of ends) {
        tried += 1;
        const textOf = (length: number): string => start + token.repeat(Math.ceil(length / token.length)) + end;
        const [quarter, whole] = [textOf(size / 4), textOf(size)];
        if (leastMs(() => attempt(parse, whole)) < NOTHING_MS) continue;
        const ratio = costRatio(
          () => attempt(parse, quarter),
          () => attempt(parse, whole),
        );
        if (ratio > slowest.ratio) slowest = { text: JSON.stringify([start, token, end]), ratio };
      }
    }
  }
  return { ...slowest, tried };
}

function leastMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least >= NOTHING_MS; tries += 1) {
    const processorMs = startProcessorWatch();
    run();
    least = Math.min(least, processorMs());
  }
  return least;
}

/** A refusal is an answer too. */
function attempt(parse: (text: string) => unknown, text: string): void {
  try {
    const answer = parse(text);
    if (answer instanceof Promise) answer.catch(() => undefined);
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof ReferenceError) throw cause;
  }
}
