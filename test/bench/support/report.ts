import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Figure, FIGURES_FILE, isReached, RESULTS_FOLDER } from './figure.ts';

/** Removes the old figures before the run and writes the table after it. */
export function setup(): () => void {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  rmSync(FIGURES_FILE, { force: true });
  return writeReport;
}

function writeReport(): void {
  if (!existsSync(FIGURES_FILE)) return;
  const lines = readFileSync(FIGURES_FILE, 'utf8').trim().split('\n');
  const figures = lines.map((line) => JSON.parse(line) as Figure);
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  writeFileSync(join(RESULTS_FOLDER, 'bench.json'), `${JSON.stringify({ machine, figures }, null, 2)}\n`);
  const { processor, cores, memory_gib: memory, node } = machine;
  const table = [
    `On ${processor}, ${cores} cores, ${memory} GiB, Node.js ${node}; medians of rounds in turn with the reference.`,
    '',
    '| figure | hub | reference | ratio | target | |',
    '|---|---|---|---|---|---|',
    ...figures.map(rowOf),
    '',
  ].join('\n');
  writeFileSync(join(RESULTS_FOLDER, 'bench.md'), table);
  process.stdout.write(`\n${table}`);
}

function rowOf(figure: Figure): string {
  const { what, hub, reference, ratio, target } = figure;
  const wanted = target === undefined ? '' : 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  const reached = isReached(figure);
  const mark = reached === undefined ? '' : reached ? 'reached' : '**missed**';
  return `| ${[what, hub, reference, ratio.toFixed(2), wanted, mark].join(' | ')} |`;
}
