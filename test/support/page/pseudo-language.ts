import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

const WEB = join(BUNDLE, '../web');

/** Every word is 40 % longer; what stands in a hole of a sentence stays. */
const LONGER = `
const vowels = { a: 'aa', e: 'ee', i: 'ii', o: 'oo', u: 'uu', A: 'Aa', E: 'Ee', I: 'Ii', O: 'Oo', U: 'Uu' };
const stretch = (text) => text.replace(/\\{\\w+\\}|\\[|\\]|[A-Za-z]+/g, (word) => {
  if (!/^[A-Za-z]/.test(word)) return word;
  let more = Math.round(word.length * 0.4);
  const longer = word.replace(/[aeiou]/gi, (one) => (more-- > 0 ? vowels[one] : one));
  return longer + 'n'.repeat(Math.max(0, more));
});
const grown = (value, key) => {
  if (key === 'locale') return 'de';
  if (typeof value === 'string') return stretch(value);
  if (typeof value === 'function') return (...given) => grown(value(...given), '');
  if (Array.isArray(value)) return value.map((one) => grown(one, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, grown(one, key)]));
};
`;
/** How the language counts and what it makes of the hub's words are no words. */
const NO_WORDS = /^(?:isOne|counted|listed|anyOf|lengthWords|hub)$/;

/** Lets a browser that reads German get English instead whose every word is longer. */
export async function speakLonger(page: Page): Promise<void> {
  await page.route(/\/de-[^/]+\/words-[\w-]+\.js$/, async (route) => {
    const name = route.request().url().split('/').at(-1) ?? '';
    await route.fulfill({ contentType: 'text/javascript', body: await grownFrom(name) });
  });
}

async function grownFrom(name: string): Promise<string> {
  const source = readFileSync(join(WEB, `en.${name}`), 'utf8');
  const names = [...source.matchAll(/export ?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim().split(' as ').at(-1) ?? ''),
  );
  const contents = names.map((one) =>
    NO_WORDS.test(one) ? `export { ${one} } from 'words';` : `export const ${one} = grown(words.${one}, '');`,
  );
  const { outputFiles } = await build({
    stdin: { contents: `import * as words from 'words';\n${LONGER}\n${contents.join('\n')}` },
    plugins: [
      {
        name: 'english',
        setup: (plugins) => {
          plugins.onResolve({ filter: /^words$/ }, () => ({ path: name, namespace: 'english' }));
          plugins.onLoad({ filter: /.*/, namespace: 'english' }, () => ({ contents: source }));
          plugins.onResolve({ filter: /^\.\// }, ({ path }) => ({ path, external: true }));
        },
      },
    ],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
}
