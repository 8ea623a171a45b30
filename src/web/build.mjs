// Builds dist/web: the files for browsers, compressed, under paths that change with their content, and a manifest that
// says which file answers which path. The hub serves nothing but what the manifest lists.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, context } from 'esbuild';

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
/** Served unchanged, under paths that browsers expect. */
const FILES = {
  '/manifest.webmanifest': 'src/web/assets/manifest.webmanifest',
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
  publicPath: '/',
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
  const result = await build(options);
  writeWeb(root, options.outdir, result);
  return result.metafile;
}

/** The same at every change of the sources, without minifying. Resolves after the first build. */
export async function watchWeb(root, dist) {
  const options = { ...optionsFor(root, join(dist, 'web')), minify: false, sourcemap: 'inline' };
  const write = {
    name: 'write-web',
    setup: (plugins) => plugins.onEnd((result) => result.errors.length === 0 && writeWeb(root, options.outdir, result)),
  };
  const watcher = await context({ ...options, plugins: [write] });
  await watcher.rebuild();
  await watcher.watch();
}

function writeWeb(root, out, { outputFiles, metafile }) {
  mkdirSync(out, { recursive: true });
  const manifest = [];
  const add = (paths, { name, contents, immutable }) => {
    const type = TYPES[extname(name)];
    if (type === undefined) throw new Error(`no media type is known for ${name}`);
    const etag = createHash('sha256').update(contents).digest('base64url').slice(0, 22);
    writeFileSync(join(out, name), contents);
    const compressible = gzipSync(contents).length <= contents.length * 0.9;
    for (const path of paths) manifest.push({ path, type, immutable, file: name, compressible, etag });
  };
  for (const { path, contents } of outputFiles)
    add([`/${basename(path)}`], { name: basename(path), contents, immutable: true });
  for (const [path, source] of Object.entries(FILES)) {
    add([path], { name: basename(path), contents: readFileSync(join(root, source)), immutable: false });
  }
  const nameOf = (source) => Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === source);
  const outputOf = (source) => `/${basename(nameOf(source))}`;
  for (const { paths, html, script, style } of PAGES) {
    const text = readFileSync(join(root, html), 'utf8')
      .replaceAll('{{script}}', outputOf(script))
      .replaceAll('{{preload}}', preloadsOf(metafile, nameOf(script)))
      .replaceAll('{{style}}', outputOf(style));
    add(paths, { name: basename(html), contents: Buffer.from(text), immutable: false });
  }
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest));
}

/** Preloads for all static imports of a script: the browser fetches them together with the script. */
function preloadsOf({ outputs }, name, found = new Set()) {
  for (const { path, kind } of outputs[name].imports) {
    if (kind !== 'import-statement' || found.has(path)) continue;
    found.add(path);
    preloadsOf({ outputs }, path, found);
  }
  return [...found].map((path) => `<link rel="modulepreload" href="/${basename(path)}" />`).join('');
}
