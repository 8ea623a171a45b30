// The words of the page, apart from its code. The code imports English, `#web/strings/en/…` and what the hub says,
// `#words/en/…`; each of those modules becomes a file of its own beside the code, and every other language has a file of
// the same name with the same exports. Which folder of the hub the code came from decides which words it gets. What a kind
// of integration says stands in its folder, and is gathered here for the one module of the kinds.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const ENGLISH = /^#(web\/strings|words)\/en\/(.+)\.ts$/;
/** A module by its path in the folder of a language; `said/notifications` is what the hub says. */
const moduleOf = ([, root, path]) => (root === 'words' ? `said/${path}` : path);
const sourceOf = (language, module) =>
  module.startsWith('said/')
    ? `#words/${language}/${module.slice('said/'.length)}.ts`
    : `#web/strings/${language}/${module}.ts`;
/** What the first load needs is one file. */
const FIRST = ['grammar', 'home/device', 'home/home', 'hub/hub', 'page'];
/** What the kinds say. English is in the answers of the hub: only the other languages have these words. */
const KINDS = 'hub/kinds';
const ERRORS = 'hub/hub-errors';
const groupOf = (module) => (FIRST.includes(module) ? 'first' : module);
const fileOf = (group) => `words-${group.replaceAll('/', '-')}.js`;

/**
 * Leaves the words out of a bundle. `groups` has those that it asks for. The code of the first load takes its words at
 * one place, since the bundle would have an import of the file for each of its modules.
 */
export function wordsApart() {
  const groups = new Set(['first']);
  const apart = (group) => ({ path: `./${fileOf(group)}`, external: true, sideEffects: false });
  const plugin = {
    name: 'words-apart',
    setup: (plugins) => {
      plugins.onResolve({ filter: ENGLISH }, ({ path, namespace }) => {
        const module = moduleOf(ENGLISH.exec(path));
        const group = groupOf(module);
        groups.add(group);
        if (group !== 'first' || namespace === 'first-words') return apart(group);
        return { path, namespace: 'first-words', sideEffects: false };
      });
      plugins.onLoad({ filter: ENGLISH, namespace: 'first-words' }, async ({ path }) => {
        const file = join(plugins.initialOptions.absWorkingDir, 'src', path.slice(1));
        const names = await namesIn(file);
        return { contents: `export { ${names.join(', ')} } from '${path}';`, watchFiles: [file] };
      });
    },
  };
  return { plugin, groups };
}

/** What a module exports. */
async function namesIn(file) {
  const { metafile } = await build({ entryPoints: [file], format: 'esm', outdir: '.', write: false, metafile: true });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

/** By language, the files of its words with their content. */
export async function bundleWords(root, options, groups) {
  const strings = join(root, 'src/web/strings');
  const languages = readdirSync(strings).filter((name) => /^[a-z]{2}$/.test(name));
  const bundled = await Promise.all(
    languages.map(async (language) => [language, await filesOf(language, { root, options, groups })]),
  );
  return new Map(bundled);
}

/** The kinds that say something in a language, with the text of what they say. */
function kindsIn(root, language) {
  const folder = join(root, 'src/integrations');
  const kinds = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'manifest.ts')));
  return kinds.map((kind) => ({
    id: kind.replaceAll('-', '_'),
    module: `#integrations/${kind}/words/${language}.ts`,
    text: readFileSync(join(folder, kind, 'words', `${language}.ts`), 'utf8'),
  }));
}

/** The module with the words of all kinds, by their ids. */
function kindWords(root, language) {
  const kinds = kindsIn(root, language);
  const imports = kinds.map(({ id, module }) => `import { words as ${id} } from '${module}';\n`);
  return `${imports.join('')}export const kinds = { ${kinds.map(({ id }) => id).join(', ')} };`;
}

/** Why each kind fails, taken out of the text: an import would bring all other words of the kind into the first load. */
function kindErrors(root, language) {
  const found = kindsIn(root, language).flatMap(({ id, text }) => {
    const [, errors] = /^export const errors: [^=]+ = (\{.*?^\});/ms.exec(text) ?? [];
    return errors === undefined ? [] : [`${id}: ${errors}`];
  });
  return `export const kindErrors = { ${found.join(', ')} };\n`;
}

async function filesOf(language, { root, options, groups }) {
  const modules = (group) => (group === 'first' ? FIRST : [group]);
  const first = new Set(FIRST.map((module) => join(root, `src${sourceOf(language, module).replace('#', '/')}`)));
  const plugin = {
    name: 'words',
    setup: (plugins) => {
      plugins.onResolve({ filter: /^words:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'words' }));
      plugins.onLoad({ filter: /.*/, namespace: 'words' }, ({ path }) => ({
        contents:
          path === KINDS && language !== 'en'
            ? kindWords(root, language)
            : [
                ...(path === ERRORS && language !== 'en' ? [kindErrors(root, language)] : []),
                ...modules(path).map((module) => `export * from '${sourceOf(language, module)}';`),
              ].join('\n'),
        resolveDir: root,
      }));
      // The first load has these already.
      plugins.onResolve({ filter: /^(?:\.|#web\/strings\/[a-z]{2}\/)/ }, ({ path, importer, namespace }) => {
        const module = /(?:^\.\/|^#web\/strings\/[a-z]{2}\/)(.+)\.ts$/.exec(path)?.[1];
        if (namespace === 'words' || first.has(importer) || !FIRST.includes(module)) return undefined;
        return { path: `./${fileOf('first')}`, external: true };
      });
    },
  };
  const { outputFiles } = await build({
    ...options,
    entryPoints: [...groups].map((group) => ({ in: `words:${group}`, out: fileOf(group).slice(0, -3) })),
    entryNames: '[name]',
    splitting: false,
    metafile: false,
    plugins: [plugin],
  });
  return new Map(
    outputFiles.map(({ path, contents }) => [basename(path), contents]).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
