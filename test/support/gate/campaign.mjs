// campaign.mjs [PATH…]: everything at full size, with new seeds, and held to its limits in time, processor and memory.
// A file that fails runs three more times, alone. The report is var/campaign.md.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readFigures, writeReport } from './report.mjs';
import { FIGURES, ROOT, runVitest } from './vitest-run.mjs';

const MORE = 3;
const environment = {
  HEARTHD_CAMPAIGN: '1',
  HEARTHD_TEST_SEED: process.env['HEARTHD_TEST_SEED'] ?? 'new',
  HEARTHD_TEST_RUNS: process.env['HEARTHD_TEST_RUNS'] ?? 'full',
};

const paths = process.argv.slice(2);
const startedMs = Date.now();
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim();
rmSync(FIGURES, { force: true });

const files = {};
const faults = [];
// One after the other, and no more files at once than there are cores: what is measured here is compared.
for (const project of ['test', 'real', 'campaign']) {
  const came = runVitest(
    ['--project', project, '--maxWorkers', project === 'campaign' ? '1' : '2', ...paths],
    environment,
  );
  if (came.fault !== '') faults.push(`${project}: ${came.fault}`);
  for (const file of came.files) files[file] = { commit, runs: 1, failures: 0, tests: [], figures: [] };
  for (const [file, tests] of came.failed) Object.assign(files[file], { failures: 1, tests });
}
const figures = readFigures();
for (const [file, one] of Object.entries(files)) {
  one.figures = figures.filter((figure) => figure.file === file);
  if (one.failures === 0) continue;
  for (let time = 0; time < MORE; time += 1) {
    const again = runVitest([file, '--maxWorkers=1'], environment);
    one.runs += 1;
    if (again.fault !== '' || again.failed.size > 0 || again.passed === 0) one.failures += 1;
  }
}
const minutes = Math.round((Date.now() - startedMs) / 60_000);
const report = writeReport({ commit, isWhole: paths.length === 0, minutes, files });
const failed = Object.values(files).filter(({ runs, failures }) => runs === failures).length;
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${report}: ${Object.keys(files).length} files, ${failed} failed each time, in ${minutes} min\n`);
process.exit(failed === 0 && faults.length === 0 ? 0 : 1);
