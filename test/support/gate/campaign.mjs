// campaign.mjs [PATH…]: everything at full size, with new seeds, and held to its limits in time, processor and memory.
// A file that fails runs three more times, alone. The report is var/campaign.md; each part of it is written at its end.
import { execFileSync } from 'node:child_process';
import { writeReport } from './report.mjs';
import { ROOT, runVitest } from './vitest-run.mjs';

const MORE = 3;
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
for (const project of ['test', 'real', 'campaign']) {
  const came = runVitest(['--project', project, ...paths], environment);
  if (came.fault !== '' && (came.files.length > 0 || paths.length === 0)) faults.push(`${project}: ${came.fault}`);
  for (const { file, reasons } of came.files) {
    const figures = came.figures.filter((figure) => figure.file === file);
    files[file] = { commit, runs: 1, failures: reasons.length > 0 ? 1 : 0, reasons, figures };
  }
  for (const [file, one] of Object.entries(files)) {
    if (one.runs > 1 || one.failures === 0) continue;
    for (let time = 0; time < MORE; time += 1) {
      const again = runVitest([file], environment);
      const isRight =
        again.fault === '' && again.files.every(({ reasons, passed }) => reasons.length === 0 && passed > 0);
      one.runs += 1;
      one.failures += isRight && again.files.length > 0 ? 0 : 1;
    }
  }
  writeReport({ files, faults });
}
const minutes = Math.round((Date.now() - startedMs) / 60_000);
const { HEARTHD_TEST_RUNS: size, HEARTHD_TEST_SEED: seed } = environment;
const isWhole = paths.length === 0 && size === 'full' && seed === 'new';
const report = writeReport({ files, faults, ...(isWhole ? { whole: { commit, minutes } } : {}) });
const failed = Object.values(files).filter(({ runs, failures }) => runs === failures).length;
process.stdout.write(`${report}: ${Object.keys(files).length} files, ${failed} failed each time, in ${minutes} min\n`);
process.exit(failed === 0 && faults.length === 0 ? 0 : 1);
