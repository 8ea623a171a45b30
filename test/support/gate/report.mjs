// What the gate and campaigns leave for people: test/campaign.md, and var/campaign.md until that is committed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, VAR } from './vitest-run.mjs';

const COMMITTED = join(ROOT, 'test/campaign.md');
const UNSTEADY = '## Unsteady at the gate';
const STATE = join(VAR, 'campaign.json');

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Adds a line to the committed report. Returns whether a line named the file before. */
export function noteUnsteady(file, reasons) {
  const text = textOf(COMMITTED).trimEnd();
  const noted = unsteadyAtGate();
  const isAgain = (noted ?? '').includes(`\`${file}\``);
  const day = new Date().toISOString().slice(0, 10);
  const head = noted === undefined ? `${text}\n\n${UNSTEADY}\n\n` : `${text}\n`;
  writeFileSync(COMMITTED, `${head}- ${day} \`${file}\`: ${reasons.map(firstLine).join('; ')}\n`);
  return isAgain;
}

/** What gates have noted, until the file is mended and its lines are removed; `undefined` where no gate ever did. */
function unsteadyAtGate() {
  const [, noted] = textOf(COMMITTED).split(UNSTEADY);
  return noted?.trim();
}

/**
 * Writes var/campaign.md. `files` has for each file that ran: how often it ran and failed, what failed, and its figures.
 * `faults` are runs that broke off. What did not run stays as it was; after a `whole` campaign nothing else is there.
 */
export function writeReport({ files, faults, whole }) {
  const before = existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : { files: {} };
  const state =
    whole === undefined
      ? { whole: before.whole, faults, files: { ...before.files, ...files } }
      : { whole: { ...whole, date: new Date().toISOString().slice(0, 10) }, faults, files };
  writeFileSync(STATE, JSON.stringify(state));
  const path = join(VAR, 'campaign.md');
  writeFileSync(path, render(state));
  return path;
}

function render({ whole, faults, files }) {
  const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const linesOf = (isListed) =>
    entries
      .filter(([, { runs, failures }]) => isListed(runs, failures))
      .flatMap(([file, { commit, runs, failures, reasons }]) => [
        `- \`${file}\`: failed ${failures} of ${runs}, at ${commit}`,
        ...reasons.map((one) => `  - ${firstLine(one)}`),
      ]);
  const figures = entries.flatMap(([file, one]) =>
    one.figures.map(
      ({ name, value, limit }) =>
        `| ${file.replace(/^test\//, '')} | ${name} | ${round(value)} | ${round(limit)} | ${value < limit ? '' : 'beyond'} |`,
    ),
  );
  const list = (lines) => (lines.length === 0 ? 'None.' : lines.join('\n'));
  return `# The last campaign

\`npm run campaign\` wrote this; test/README.md explains it. What is \`failed\` is mended before anything new is begun.

${whole === undefined ? 'Only parts of a campaign ran.' : `Whole at commit ${whole.commit}, ${whole.date}: ${entries.length} files in ${whole.minutes} min.`}

## Failed

${list([...faults.map((one) => `- ${firstLine(one)}`), ...linesOf((runs, failures) => failures > 0 && failures === runs)])}

## Unsteady

${list(linesOf((runs, failures) => failures > 0 && failures < runs))}

## Figures

| file | figure | seen | limit | |
|---|---|---|---|---|
${figures.join('\n')}

${UNSTEADY}

${unsteadyAtGate() ?? ''}`
    .trimEnd()
    .concat('\n');
}

export function firstLine(text) {
  return text.split('\n')[0].slice(0, 200);
}

/** Four digits: more say nothing about a time. */
export function round(value) {
  return Number(value.toPrecision(4));
}
