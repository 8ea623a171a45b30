// gate.mjs PROJECT… [PATH…] [-t NAME]: runs the projects one after the other. A file that fails runs once more, alone,
// after all others. What then passes is unsteady: it is printed, noted in test/campaign.md, and refuses nobody. What
// fails twice refuses the change, and so do more than LIMIT files that failed once.
import { rmSync } from 'node:fs';
import { noteUnsteady, readFigures } from './report.mjs';
import { FIGURES, runVitest } from './vitest-run.mjs';

/** More is a fault of the change, or of the machine. */
const LIMIT = 3;
const NAMES = new Set(['test', 'real']);

const projects = process.argv.slice(2).filter((one) => NAMES.has(one));
const asked = process.argv.slice(2).filter((one) => !NAMES.has(one));
const nameAt = asked.indexOf('-t');
const name = nameAt === -1 ? [] : asked.slice(nameAt, nameAt + 2);
const startedMs = Date.now();
rmSync(FIGURES, { force: true });

const skipped = [];
const failed = new Map();
let passed = 0;
let wrong = 0;
let refusal = '';
for (const project of projects) {
  const came = runVitest(['--project', project, ...asked]);
  refusal ||= came.fault;
  passed += came.passed;
  skipped.push(...came.skipped);
  for (const [file, tests] of came.failed) failed.set(file, tests);
  if (refusal !== '' || failed.size > LIMIT) break;
}
if (failed.size > LIMIT) refusal ||= `${failed.size} files failed, and more than ${LIMIT} are not tried again`;

for (const [file, tests] of failed) {
  const again = refusal === '' ? runVitest([file, '--maxWorkers=1', ...name]) : undefined;
  const isUnsteady = again?.fault === '' && again.failed.size === 0 && again.passed > 0;
  const verdict = isUnsteady ? 'UNSTEADY (failed, then passed alone)' : `FAILED${again === undefined ? '' : ' TWICE'}`;
  process.stderr.write(`${verdict}: ${file}\n${tests.map((one) => `  ${one}\n`).join('')}`);
  if (isUnsteady && noteUnsteady(file, tests))
    process.stderr.write('  named twice now: mend it, or make it a campaign\n');
  if (isUnsteady) passed += tests.length;
  else wrong += tests.length;
}
if (wrong > 0) refusal ||= 'a file failed twice';
if (passed + wrong === 0) refusal ||= 'no test has this path or name';
if (skipped.length > 0 && name.length === 0) {
  process.stderr.write(`skipped, because a program or a right is missing here:\n`);
  for (const one of skipped) process.stderr.write(`  ${one}\n`);
  if (process.env['CI'] === 'true') refusal ||= 'CI skips nothing';
}

const figures = readFigures();
const beyond = figures.filter(({ value, limit }) => !(value < limit));
for (const { file, name: what, value, limit } of beyond)
  process.stdout.write(`FIGURE ${file}: ${what}: ${Number(value.toPrecision(4))} (limit ${limit})\n`);
process.stdout.write(`${figures.length} figures, ${beyond.length} beyond their limits, which only campaigns hold\n`);
if (refusal !== '') process.stderr.write(`refused: ${refusal}\n`);
const minutes = ((Date.now() - startedMs) / 60_000).toFixed(1);
const next = projects.includes('real') ? '' : 'npm run gate also runs the built program, a broker and a browser; ';
process.stdout.write(`in ${minutes} min; ${next}npm run campaign runs everything at full size\n`);
// CI reads this line: it stands alone.
process.stdout.write(`${passed} passed, ${wrong} failed, ${skipped.length} skipped\n`);
process.exit(refusal === '' ? 0 : 1);
