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
const MAX_RATIO = 8;

/** The first text that costs more for each character the longer it is. */
export function findSlow({ parse, ends, repeated, size }: SlowSearch): readonly string[] {
  for (const start of ends) {
    for (const token of repeated) {
      for (const end of ends) {
        const textOf = (length: number): string => start + token.repeat(Math.ceil(length / token.length)) + end;
        const [quarter, whole] = [textOf(size / 4), textOf(size)];
        if (leastMs(() => attempt(parse, whole)) < NOTHING_MS) continue;
        const ratio = costRatio(
          () => attempt(parse, quarter),
          () => attempt(parse, whole),
        );
        if (ratio > MAX_RATIO) return [`${JSON.stringify([start, token, end])} grows by ${ratio.toFixed(1)}`];
      }
    }
  }
  return [];
}

function leastMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least >= NOTHING_MS; tries += 1) {
    const { user, system } = process.cpuUsage();
    run();
    const after = process.cpuUsage({ user, system });
    least = Math.min(least, (after.user + after.system) / 1_000);
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
