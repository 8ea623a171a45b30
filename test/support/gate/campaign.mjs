// campaign.mjs [PATH…]: everything at full size, with new seeds, and held to its limits in time, processor and memory.
// A file that fails runs three more times, alone. The report is var/campaign.md; each part of it is written at its end.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readFigures, writeReport } from './report.mjs';
import { FIGURES, ROOT, runVitest } from './vitest-run.mjs';

const MORE = 3;
/** No more files at once than there are cores, and one after the other where each measures. */
const WORKERS = { test: 2, real: 2, campaign: 1 };
const environment = {
  HEARTHD_CAMPAIGN: '1',
  HEARTHD_TEST_SEED: process.env['HEARTHD_TEST_SEED'] ?? 'new',
  HEARTHD_TEST_RUNS: process.env['HEARTHD_TEST_RUNS'] ?? 'full',
};

const paths = process.argv.slice(2);
const startedMs = Date.now();
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim();

const files = {};
const faults = [];
for (const [project, workers] of Object.entries(WORKERS)) {
  rmSync(FIGURES, { force: true });
  const came = runVitest(['--project', project, '--maxWorkers', String(workers), ...paths], environment);
  if (came.fault !== '') faults.push(`${project}: ${came.fault}`);
  const figures = readFigures();
  for (const file of came.files) {
    const one = { commit, runs: 1, failures: 0, tests: [], figures: figures.filter((figure) => figure.file === file) };
    if (came.failed.has(file)) Object.assign(one, { failures: 1, tests: came.failed.get(file) });
    files[file] = one;
  }
  for (const file of came.failed.keys()) {
    for (let time = 0; time < MORE; time += 1) {
      const again = runVitest([file, '--maxWorkers=1'], environment);
      files[file].runs += 1;
      if (again.fault !== '' || again.failed.size > 0 || again.passed === 0) files[file].failures += 1;
    }
  }
  writeReport({ files });
}
const minutes = Math.round((Date.now() - startedMs) / 60_000);
const isWhole = paths.length === 0 && faults.length === 0;
const report = writeReport({ files, ...(isWhole ? { whole: { commit, minutes } } : {}) });
const failed = Object.values(files).filter(({ runs, failures }) => runs === failures).length;
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${report}: ${Object.keys(files).length} files, ${failed} failed each time, in ${minutes} min\n`);
process.exit(failed === 0 && faults.length === 0 ? 0 : 1);
