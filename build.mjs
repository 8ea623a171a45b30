// Builds dist/: the program as minified ES modules, with the files that it loads beside them. The folder runs from anywhere.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';
import { neverRun, nodeWhenUsed } from './packaging/bundle-plugins.mjs';
import { buildWeb, watchWeb } from './src/web/build.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = join(root, 'dist');
const cache = join(root, 'node_modules/.cache/hearthd');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// CommonJS packages inside an ES module look for these three.
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

// The package's own loader probes node_modules; the program loads the one file beside it.
const argon2BesideBundle = {
  name: 'argon2-beside-bundle',
  setup(plugins) {
    plugins.onResolve({ filter: /^@node-rs\/argon2$/ }, () => ({ path: 'argon2', namespace: 'native' }));
    plugins.onLoad({ filter: /.*/, namespace: 'native' }, () => ({
      resolveDir: root,
      contents: `
        import { existsSync } from 'node:fs';
        import { createRequire } from 'node:module';
        const target = process.platform === 'linux' && process.arch === 'arm' ? 'linux-arm-gnueabihf' : process.platform + '-' + process.arch;
        const names = [target, target + '-gnu', target + '-musl', target + '-msvc'].map((name) => './argon2.' + name + '.node');
        const name = names.find((candidate) => existsSync(new URL(candidate, import.meta.url)));
        if (name === undefined) throw new Error('no argon2 for ' + target + ' beside the bundle');
        const native = createRequire(import.meta.url)(name);
        export const { hash, hashSync, verify, verifySync, hashRaw, Algorithm, Version } = native;
      `,
    }));
  },
};

const options = {
  absWorkingDir: root,
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // The licences go into a file of their own.
  legalComments: 'none',
  metafile: true,
  banner: { js: banner },
  define: { HEARTHD_VERSION: JSON.stringify(version) },
  // The package is a copy of Node's streams for browsers and documents node:stream as its replacement.
  alias: { 'readable-stream': 'node:stream' },
  logLevel: 'warning',
};
/**
 * What is imported later is a file of its own, and so is what several of them share: code of an integration that nobody
 * uses is never read. A name changes with the content, so that no file can be taken for that of another version.
 */
const program = {
  ...options,
  entryPoints: { hearthd: 'src/main.ts' },
  splitting: true,
  chunkNames: '[name]-[hash]',
  plugins: [argon2BesideBundle, neverRun()],
};

/** Each by itself: a thread reads all that it imports, and would share files with the program. */
const threads = {
  ...options,
  entryPoints: {
    'storage-thread': 'src/storage/thread/storage-thread.ts',
    'replay-thread': 'src/automations/replay/replay-thread.ts',
    'template-thread': 'src/integrations/home-assistant-discovery/rendering/template-thread.ts',
  },
  plugins: [nodeWhenUsed()],
};

/** A process of its own, so that nobody without Matter loads its library. */
const matter = {
  ...options,
  entryPoints: { 'matter-process': 'src/integrations/matter-program/process/matter-process.ts' },
  // The library finds formats and errors by the names of their functions and classes.
  keepNames: true,
  // Its own storage, in a database: the hub keeps what the node must remember.
  plugins: [neverRun(['@matter/nodejs/dist/esm/storage/sqlite/index.js'])],
};

/** The library is larger than the rest of the program together: it is built anew only for other sources. */
async function buildMatter() {
  const hash = createHash('sha256').update(
    JSON.stringify([matter.keepNames, readFileSync(join(root, 'package-lock.json'), 'utf8')]),
  );
  for (const folder of [
    'src/integrations/matter-program',
    'src/integrations/matter-bridge',
    'src/integrations/matter',
    'src/base',
  ]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(root, folder, name)));
    }
  }
  const kept = join(cache, `matter-${hash.digest('hex').slice(0, 16)}`);
  const outfile = join(dist, 'matter-process.mjs');
  if (!existsSync(`${kept}.json`)) {
    const { metafile } = await build(matter);
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache)) if (name.startsWith('matter-')) rmSync(join(cache, name));
    copyFileSync(outfile, `${kept}.mjs`);
    writeFileSync(`${kept}.json`, JSON.stringify(metafile));
    return metafile;
  }
  copyFileSync(`${kept}.mjs`, outfile);
  return JSON.parse(readFileSync(`${kept}.json`, 'utf8'));
}

function copyBinaries() {
  const sqlite = 'node-sqlite3-wasm.wasm';
  copyFileSync(join(root, 'node_modules/node-sqlite3-wasm/dist', sqlite), join(dist, sqlite));
  const packages = join(root, 'node_modules/@node-rs');
  const natives = readdirSync(packages)
    .filter((name) => name.startsWith('argon2-'))
    .flatMap((name) => readdirSync(join(packages, name)).map((file) => join(packages, name, file)))
    .filter((path) => path.endsWith('.node'));
  if (natives.length === 0) throw new Error('npm installed no argon2 for this machine: is optional left out?');
  for (const path of natives) copyFileSync(path, join(dist, path.slice(path.lastIndexOf('/') + 1)));
}

/**
 * The licences of everything in the bundles or beside them require that their texts come along.
 * @param {import('esbuild').Metafile[]} metafiles
 */
function writeLicences(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const bundled = inputs.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const folders = [
    ...new Set([...bundled, 'node_modules/@node-rs/argon2'].filter((path) => path !== undefined)),
  ].sort();
  const texts = folders.map((path) => {
    const folder = join(root, path);
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(72)}\n\n`));
}

/**
 * Makes Debian packages of the build. Their maker shares the tables of commands and options with the program.
 * @param {import('esbuild').Metafile[]} metafiles
 */
async function makePackages(metafiles) {
  const { values, positionals } = parseArgs({
    options: { package: { type: 'boolean' }, out: { type: 'string', default: dist } },
    allowPositionals: true,
  });
  const outfile = join(cache, 'package.mjs');
  const entryPoints = ['packaging/package.ts'];
  await build({
    ...options,
    entryPoints,
    outdir: undefined,
    outfile,
    minify: false,
    packages: 'external',
    plugins: [nodeWhenUsed()],
  });
  const { makePackages, describePackage } = await import(pathToFileURL(outfile).href);
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const out = resolve(values.out);
  const paths = await makePackages({ root, dist, out, inputs, architectures: positionals });
  for (const path of paths) console.log(describePackage(path));
}

/** Rebuilds and restarts the hub, with the simulated home, at every change of the sources. */
async function watch() {
  await watchWeb(root, dist);
  for (const part of [program, threads, matter]) {
    const watcher = await context({ ...part, minify: false, sourcemap: 'inline' });
    await watcher.rebuild();
    await watcher.watch();
  }
  const daemon = spawn(process.execPath, ['--watch', '--enable-source-maps', join(dist, 'hearthd.mjs'), 'serve'], {
    stdio: 'inherit',
    env: { HEARTHD_SIMULATE: '1', ...process.env },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => daemon.kill(signal));
  daemon.on('exit', (code) => process.exit(code ?? 1));
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
copyBinaries();
copyFileSync(join(root, 'src/auth/sign-in/common-passwords.txt'), join(dist, 'common-passwords.txt'));

if (process.argv.includes('--watch')) await watch();
else {
  const { metafile } = await build(program);
  // For the test of what is in which part.
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'program.json'), JSON.stringify(metafile));
  const metafiles = [metafile, (await build(threads)).metafile, await buildMatter(), await buildWeb(root, dist)];
  writeLicences(metafiles);
  if (process.argv.includes('--package')) await makePackages(metafiles);
}
