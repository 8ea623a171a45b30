// Builds dist/web: the files for browsers, compressed, under paths that change with their content, and a manifest that
// says which file answers which path. The hub serves nothing but what the manifest lists.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, context } from 'esbuild';
import { bundleWords, wordsApart } from './build-words.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/**
 * The pages, one line each: the paths that answer with it, its HTML, and what `{{script}}` (with `{{preload}}`) and
 * `{{style}}` in that are bundled from. The page of the hub answers on every path that its own router knows, and on no other.
 */
const PAGES = [
  { paths: clientPaths(), html: 'src/web/page.html', script: 'src/web/main.tsx', style: 'src/web/style/page.css' },
  { paths: ['/docs'], html: 'src/web/docs/docs.html', script: 'src/web/docs/docs.ts', style: 'src/web/docs/docs.css' },
];
/** Is in each language, like the pages. */
const APP_MANIFEST = 'src/web/assets/manifest.webmanifest';
/** Served unchanged, under paths that browsers expect. */
const FILES = {
  '/icon.svg': 'src/web/assets/icon.svg',
  '/icon-180.png': 'src/web/assets/icon-180.png',
  '/icon-512.png': 'src/web/assets/icon-512.png',
};

function clientPaths() {
  return Object.values(JSON.parse(readFileSync(new URL('paths.json', import.meta.url), 'utf8')));
}

const optionsFor = (root, out) => ({
  absWorkingDir: root,
  entryPoints: [...new Set(PAGES.flatMap(({ script, style }) => [script, style]))],
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  // A style sheet with this name is a file of its own, which the page loads when it needs it. The import is its path.
  loader: { '.loaded.css': 'file' },
  outdir: out,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  // Browsers of 2021: a tablet on the wall is used for many years.
  target: ['es2021', 'safari15', 'chrome90', 'firefox90'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
});

/** Returns the metafile of what was bundled. */
export async function buildWeb(root, dist) {
  const options = optionsFor(root, join(dist, 'web'));
  const apart = wordsApart();
  const result = await build({ ...options, plugins: [apart.plugin] });
  writeWeb(root, options.outdir, { ...result, words: await bundleWords(root, options, apart.groups) });
  return result.metafile;
}

/** The same at every change of the sources, without minifying. Resolves after the first build. */
export async function watchWeb(root, dist) {
  const options = { ...optionsFor(root, join(dist, 'web')), minify: false, sourcemap: 'inline' };
  const apart = wordsApart();
  const write = {
    name: 'write-web',
    setup: (plugins) =>
      plugins.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        writeWeb(root, options.outdir, { ...result, words: await bundleWords(root, options, apart.groups) });
      }),
  };
  const watcher = await context({ ...options, plugins: [apart.plugin, write] });
  await watcher.rebuild();
  await watcher.watch();
}

/**
 * The code is there once. Each language has a folder of its own in the addresses, which changes with its words: there the
 * same code finds that language's words beside it.
 */
function writeWeb(root, out, { outputFiles, metafile, words }) {
  mkdirSync(out, { recursive: true });
  const manifest = [];
  const add = (paths, { name, contents, immutable, language }) => {
    const type = TYPES[extname(name)];
    if (type === undefined) throw new Error(`no media type is known for ${name}`);
    const etag = hashOf(contents).slice(0, 22);
    writeFileSync(join(out, name), contents);
    const compressible = gzipSync(contents).length <= contents.length * 0.9;
    for (const path of paths) manifest.push({ path, type, immutable, file: name, compressible, etag, language });
  };
  const folders = new Map(
    [...words].map(([language, files]) => [language, `/${language}-${hashOf(...files.values()).slice(0, 8)}`]),
  );
  const nameOf = (source) => Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === source);
  const styles = new Set(PAGES.map(({ style }) => basename(nameOf(style))));
  for (const { path, contents } of outputFiles) {
    const name = basename(path);
    const paths = styles.has(name) ? [`/${name}`] : [...folders.values()].map((folder) => `${folder}/${name}`);
    add(paths, { name, contents, immutable: true });
  }
  for (const [language, files] of words) {
    for (const [name, contents] of files) {
      add([`${folders.get(language)}/${name}`], { name: `${language}.${name}`, contents, immutable: true });
    }
  }
  for (const [path, source] of Object.entries(FILES)) {
    add([path], { name: basename(path), contents: readFileSync(join(root, source)), immutable: false });
  }
  const shell = JSON.parse(readFileSync(new URL('strings/shell.json', import.meta.url), 'utf8'));
  const addInEach = (paths, source, fill) => {
    const text = readFileSync(join(root, source), 'utf8');
    for (const [language, folder] of folders) {
      const said = Object.entries({ ...shell[language], ...fill(folder), language });
      const filled = said.reduce((before, [key, value]) => before.replaceAll(`{{${key}}}`, value), text);
      const contents = Buffer.from(filled);
      add(paths, { name: `${language}.${basename(source)}`, contents, immutable: false, language });
    }
  };
  for (const { paths, html, script, style } of PAGES) {
    addInEach(paths, html, (folder) => ({
      script: `${folder}/${basename(nameOf(script))}`,
      preload: preloadsOf(metafile, nameOf(script), folder),
      style: `/${basename(nameOf(style))}`,
    }));
  }
  addInEach(['/manifest.webmanifest'], APP_MANIFEST, () => ({}));
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest));
}

function hashOf(...contents) {
  const hash = createHash('sha256');
  for (const one of contents) hash.update(one);
  return hash.digest('base64url').replaceAll('_', '-').slice(0, 22);
}

/** Preloads for all static imports of a script: the browser fetches them together with the script. */
function preloadsOf(metafile, name, folder) {
  const names = [...importsOf(metafile, name)].map((path) => basename(path));
  return names.map((one) => `<link rel="modulepreload" href="${folder}/${one}" />`).join('');
}

function importsOf({ outputs }, name, found = new Set()) {
  for (const { path, kind } of outputs[name]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(path)) continue;
    found.add(path);
    importsOf({ outputs }, path, found);
  }
  return found;
}
