// Builds dist/web: the files for browsers, compressed, under paths that change with their content, and a manifest that
// says which file answers which path. The hub serves nothing but what the manifest lists.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, context } from 'esbuild';
import { joinFirst } from './build-first.mjs';
import { bundleWords, wordsApart } from './build-words.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.md': 'text/markdown; charset=utf-8',
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

/** The chapters of the README of the API for those who use it; the rest of it is for those who build it. */
const GUIDE = {
  path: '/docs/guide.md',
  source: 'src/http/README.md',
  begin: '## The API by example',
  end: '## How it is built',
};

function guideFrom(root) {
  const text = readFileSync(join(root, GUIDE.source), 'utf8');
  const [begin, end] = [text.indexOf(GUIDE.begin), text.indexOf(GUIDE.end)];
  if (begin < 0 || end < begin) throw new Error(`${GUIDE.source} has no chapters for those who use the API`);
  return Buffer.from(text.slice(begin, end));
}

function clientPaths() {
  return Object.values(JSON.parse(readFileSync(new URL('paths.json', import.meta.url), 'utf8')));
}

/** Each page by itself: its first load has nothing that another page needs apart. */
const optionsFor = (root, out, { script, style }) => ({
  absWorkingDir: root,
  entryPoints: [script, style],
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
  const out = join(dist, 'web');
  const apart = wordsApart();
  const bundles = await Promise.all(
    PAGES.map((page) => build({ ...optionsFor(root, out, page), plugins: [apart.plugin] })),
  );
  await writeWeb(root, out, { bundles, groups: apart.groups, change: {} });
  return { inputs: Object.assign({}, ...bundles.map(({ metafile }) => metafile.inputs)) };
}

/** The same at every change of the sources, without minifying. Resolves after the first build. */
export async function watchWeb(root, dist) {
  const out = join(dist, 'web');
  const change = { minify: false, sourcemap: 'inline' };
  const apart = wordsApart();
  const bundles = [];
  const watchers = await Promise.all(
    PAGES.map((page, index) => {
      const write = {
        name: 'write-web',
        setup: (plugins) =>
          plugins.onEnd(async (result) => {
            if (result.errors.length > 0) return;
            bundles[index] = result;
            if (PAGES.every((_, at) => at in bundles)) {
              await writeWeb(root, out, { bundles, groups: apart.groups, change });
            }
          }),
      };
      return context({ ...optionsFor(root, out, page), ...change, plugins: [apart.plugin, write] });
    }),
  );
  for (const watcher of watchers) {
    await watcher.rebuild();
    await watcher.watch();
  }
}

/**
 * The code is there once. Each language has a folder of its own in the addresses, which changes with its words and the
 * code: there the same code finds that language's words beside it.
 */
async function writeWeb(root, out, { bundles, groups, change }) {
  mkdirSync(out, { recursive: true });
  const pages = await Promise.all(PAGES.map((page, index) => pageFrom(root, out, { page, change, ...bundles[index] })));
  const words = await bundleWords(root, { ...optionsFor(root, out, PAGES[0]), ...change }, groups);
  const code = new Map(pages.flatMap(({ files }) => [...files]));
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
    [...words].map(([language, files]) => [
      language,
      `/${language}-${hashOf(...files.values(), ...code.values()).slice(0, 8)}`,
    ]),
  );
  for (const [name, contents] of code) {
    const paths = [...folders.values()].map((folder) => `${folder}/${name}`);
    add(paths, { name, contents, immutable: true });
  }
  for (const { style } of pages) add([`/${style.name}`], { ...style, immutable: true });
  for (const [language, files] of words) {
    for (const [name, contents] of files) {
      add([`${folders.get(language)}/${name}`], { name: `${language}.${name}`, contents, immutable: true });
    }
  }
  for (const [path, source] of Object.entries(FILES)) {
    add([path], { name: basename(path), contents: readFileSync(join(root, source)), immutable: false });
  }
  add([GUIDE.path], { name: basename(GUIDE.path), contents: guideFrom(root), immutable: false });
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
  for (const { paths, html, script, imports, style } of pages) {
    addInEach(paths, html, (folder) => ({
      script: `${folder}/${script}`,
      preload: imports.map((name) => `<link rel="modulepreload" href="${folder}/${name}" />`).join(''),
      style: `/${style.name}`,
    }));
  }
  addInEach(['/manifest.webmanifest'], APP_MANIFEST, () => ({}));
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest));
}

/** A page with its script, its style and all that it loads later. */
async function pageFrom(root, out, { page, change, outputFiles, metafile }) {
  const { files, ...first } = await joinFirst({ outputFiles, metafile }, page, {
    ...optionsFor(root, out, page),
    ...change,
  });
  const styleName = basename(
    Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === page.style),
  );
  for (const { path, contents } of outputFiles) {
    if (!path.endsWith('.js') && basename(path) !== styleName) files.set(basename(path), contents);
  }
  const { contents } = outputFiles.find(({ path }) => basename(path) === styleName);
  return { ...page, ...first, files, style: { name: styleName, contents } };
}

function hashOf(...contents) {
  const hash = createHash('sha256');
  for (const one of contents) hash.update(one);
  return hash.digest('base64url').replaceAll('_', '-').slice(0, 22);
}
