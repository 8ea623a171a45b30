import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '#test/support/median.ts';

/** One line of the table: what the hub needs beside what its reference needs, both from the same run. */
export type Figure = {
  readonly what: string;
  readonly hub: string;
  readonly reference: string;
  /** Hub divided by reference. */
  readonly ratio: number;
  /** The ratio to reach: at most this, or at least. `undefined` where none is set. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
};

export const RESULTS_FOLDER = join(import.meta.dirname, '../../../var/bench');
export const FIGURES_FILE = join(RESULTS_FOLDER, 'figures.jsonl');

/** Rounds of each measurement; the median counts. */
export const ROUNDS = Number(process.env['ROUNDS'] ?? 5);

/** Prints a figure and keeps it for the table. */
export function recordFigure(figure: Figure): void {
  const { what, hub, reference, ratio } = figure;
  process.stdout.write(`${what}: ${hub}, reference ${reference}, ratio ${ratio.toFixed(2)}\n`);
  appendFileSync(FIGURES_FILE, `${JSON.stringify(figure)}\n`);
}

export function isReached({ ratio, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined;
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;
}

/** The value below which this share of them lies. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

/**
 * Runs the measurements in turn, round after round, so that what the machine does meanwhile hits all of them alike;
 * the answer is the median of each.
 */
export async function interleave<Name extends string>(
  measurements: Readonly<Record<Name, () => Promise<number>>>,
  rounds = ROUNDS,
): Promise<Record<Name, number>> {
  const names = Object.keys(measurements) as Name[];
  const found = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) found.get(name)?.push(await measurements[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(found.get(name) ?? [])])) as Record<Name, number>;
}
