/**
 * Counts the lines of src by folder and writes them into the table of src/README.md: `npm run lines`. Words of all languages
 * and what a program wrote count apart, because nobody reads them to understand the hub.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const README = 'src/README.md';
const TABLE = /(<!-- lines -->\n)[^]*?(<!-- \/lines -->)/;
const WORDS = /^src\/web\/strings\/|^src\/words\/|\/words\/(?:[a-z]{2}\.ts|[a-z]{2}\/)/;
const GENERATED = /^src\/web\/client\/(?:api|vocabulary|rule-forms)\.ts$/;

const files = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file));
const rows = new Map();
for (const file of files) {
  const [, folder = ''] = file.split('/');
  const name = GENERATED.test(file) ? 'generated' : WORDS.test(file) ? 'words' : folder.includes('.') ? 'src' : folder;
  const row = rows.get(name) ?? { files: 0, lines: 0 };
  rows.set(name, { files: row.files + 1, lines: row.lines + readFileSync(file, 'utf8').split('\n').length - 1 });
}
const apart = ['words', 'generated'];
const line = (name, count) => `| ${name} | ${count.files.toLocaleString('en')} | ${count.lines.toLocaleString('en')} |`;
const code = [...rows].filter(([name]) => !apart.includes(name)).sort(([, a], [, b]) => b.lines - a.lines);
const sum = (of) => code.reduce((total, [, count]) => total + count[of], 0);
const table = [
  '| folder | files | lines |',
  '|---|---|---|',
  ...code.map(([name, count]) => line(name === 'src' ? '`src` itself' : `\`${name}\``, count)),
  line('**together**', { files: sum('files'), lines: sum('lines') }),
  ...apart.flatMap((name) => (rows.has(name) ? [line(name, rows.get(name))] : [])),
].join('\n');
writeFileSync(README, readFileSync(README, 'utf8').replace(TABLE, `$1\n${table}\n\n$2`));
process.stdout.write(`${table}\n`);
