import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WEB = join(BUNDLE, '../web');
type Entry = { readonly path: string; readonly file: string };
/** Only German says this: the file that has it is the language. */
const GERMAN = 'Willkommen zu Hause';

/** English with words that are 40 % longer; what stands in a hole of a sentence stays. */
const LONGER = `
const vowels = { a: 'aa', e: 'ee', i: 'ii', o: 'oo', u: 'uu', A: 'Aa', E: 'Ee', I: 'Ii', O: 'Oo', U: 'Uu' };
const stretch = (text) => text.replace(/\\{\\w+\\}|\\[|\\]|[A-Za-z]+/g, (word) => {
  if (!/^[A-Za-z]/.test(word)) return word;
  let more = Math.round(word.length * 0.4);
  const longer = word.replace(/[aeiou]/gi, (one) => (more-- > 0 ? vowels[one] : one));
  return longer + 'n'.repeat(Math.max(0, more));
});
const grown = (value, key) => {
  if (key === 'locale') return value;
  if (typeof value === 'string') return stretch(value);
  if (typeof value === 'function') return (...given) => grown(value(...given), '');
  if (Array.isArray(value)) return value.map((one) => grown(one, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, grown(one, key)]));
};
const { hub, ...parts } = wordsInEnglish();
export const de = grown(parts, '');
`;

/** Lets a browser that reads German get a language instead whose every word is longer than the English one. */
export async function speakLonger(page: Page): Promise<void> {
  const files = ['', 'home/', 'rule/'].flatMap((folder) =>
    readdirSync(join(ROOT, 'src/web/strings', folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `./src/web/strings/${folder}${name}`),
  );
  const imports = files.map((file) => `import '${file}';`).join('\n');
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports}\nimport { wordsInEnglish } from './src/web/strings/language/language.ts';\n${LONGER}`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    absWorkingDir: ROOT,
  });
  const manifest = JSON.parse(readFileSync(join(WEB, 'manifest.json'), 'utf8')) as readonly Entry[];
  const german = manifest.find(
    ({ file }) => file.endsWith('.js') && readFileSync(join(WEB, file), 'utf8').includes(GERMAN),
  );
  if (german === undefined) throw new Error('no file of the page has German words');
  await page.route(`**${german.path}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }),
  );
}
