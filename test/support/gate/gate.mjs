// gate.mjs PROJECT… [PATH…] [-t NAME]: runs the projects one after the other. A file that fails runs once more, alone,
// after all others. What then passes is unsteady: it is printed, noted in test/campaign.md, and refuses nobody. What
// fails twice refuses the change, and so do more than LIMIT files that failed once.
import { firstLine, noteUnsteady, round } from './report.mjs';
import { runVitest } from './vitest-run.mjs';

/** More is a fault of the change, or of the machine. */
const LIMIT = 3;
const NAMES = new Set(['test', 'real']);

const call = process.argv.slice(2);
const pathsAt = call.findIndex((one) => !NAMES.has(one));
const projects = pathsAt === -1 ? call : call.slice(0, pathsAt);
const asked = pathsAt === -1 ? [] : call.slice(pathsAt);
const nameAt = asked.findIndex((one) => /^(?:-t|--testNamePattern)(?:=|$)/.test(one));
const name = nameAt === -1 ? [] : asked.slice(nameAt, nameAt + (asked[nameAt].includes('=') ? 1 : 2));
const startedMs = Date.now();

const files = new Map();
const figures = [];
let refusal = '';
const failed = () => [...files.values()].filter(({ reasons }) => reasons.length > 0);
for (const project of projects) {
  const came = runVitest(['--project', project, ...asked]);
  // A path may have no file in one of the projects.
  if (came.files.length > 0 || asked.length === 0) refusal ||= came.fault;
  for (const one of came.files) files.set(one.file, one);
  figures.push(...came.figures);
  if (refusal !== '' || failed().length > LIMIT) break;
}
if (failed().length > LIMIT) refusal ||= `${failed().length} files failed, and more than ${LIMIT} are not tried again`;

for (const { file, reasons } of failed()) {
  const again = refusal === '' ? runVitest([file, ...name]) : undefined;
  const second = again?.files.find((one) => one.file === file);
  const isUnsteady = again?.fault === '' && second?.reasons.length === 0 && second.passed > 0;
  const verdict = isUnsteady ? 'UNSTEADY (failed, then passed alone)' : `FAILED${again === undefined ? '' : ' TWICE'}`;
  process.stderr.write(`${verdict}: ${file}\n${reasons.map((one) => `  ${firstLine(one)}\n`).join('')}`);
  if (!isUnsteady) continue;
  files.set(file, second);
  if (noteUnsteady(file, reasons)) process.stderr.write('  named twice now: mend it, or make it a campaign\n');
}
const wrong = failed().reduce((sum, { reasons }) => sum + reasons.length, 0);
const passed = [...files.values()].reduce((sum, one) => sum + one.passed, 0);
// The tests of a file that failed may be skipped because of that.
const skipped = [...files.values()]
  .filter(({ reasons }) => reasons.length === 0)
  .flatMap((one) => one.skipped.map((test) => `${one.file} > ${test}`));
if (wrong > 0) refusal ||= 'a file failed twice';
if (files.size === 0) refusal ||= 'no test file has this path';
if (skipped.length > 0 && name.length === 0) {
  process.stderr.write(`skipped, because a program or a right is missing here:\n`);
  for (const one of skipped) process.stderr.write(`  ${one}\n`);
  if (process.env['CI'] === 'true') refusal ||= 'CI skips nothing';
}

const beyond = figures.filter(({ value, limit }) => !(value < limit));
for (const { file, name: what, value, limit } of beyond)
  process.stdout.write(`FIGURE ${file}: ${what}: ${round(value)} (limit ${limit})\n`);
process.stdout.write(`${figures.length} figures, ${beyond.length} beyond their limits, which only campaigns hold\n`);
if (refusal !== '') process.stderr.write(`refused: ${refusal}\n`);
const minutes = ((Date.now() - startedMs) / 60_000).toFixed(1);
const next = projects.includes('real') ? '' : 'npm run gate also runs the built program, a broker and a browser; ';
process.stdout.write(`in ${minutes} min; ${next}npm run campaign runs everything at full size\n`);
// CI reads this line: it stands alone.
process.stdout.write(`${passed} passed, ${wrong} failed, ${skipped.length} skipped\n`);
process.exit(refusal === '' ? 0 : 1);
