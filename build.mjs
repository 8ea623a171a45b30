// Builds dist/: one minified ESM bundle with the SQLite wasm and the native argon2 beside it. Runs from any folder.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// CommonJS packages inside an ES module look for these three.
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

// The package's own loader probes node_modules; the bundle loads the one file that lies beside it.
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
  entryPoints: { hearthd: 'src/main.ts' },
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  keepNames: false,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none',
  banner: { js: banner },
  define: { HEARTHD_VERSION: JSON.stringify(version) },
  plugins: [argon2BesideBundle],
  logLevel: 'warning',
};

function copyBinaries() {
  const sqlite = join(root, 'node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm');
  copyFileSync(sqlite, join(dist, 'node-sqlite3-wasm.wasm'));
  const packages = join(root, 'node_modules/@node-rs');
  for (const name of readdirSync(packages).filter((entry) => entry.startsWith('argon2-'))) {
    for (const file of readdirSync(join(packages, name)).filter((entry) => entry.endsWith('.node'))) {
      copyFileSync(join(packages, name, file), join(dist, file));
    }
  }
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
copyBinaries();

if (process.argv.includes('--watch')) {
  const watcher = await context({ ...options, minify: false, sourcemap: 'inline' });
  await watcher.rebuild();
  await watcher.watch();
  const daemon = spawn(process.execPath, ['--watch', '--enable-source-maps', join(dist, 'hearthd.mjs'), 'serve'], {
    stdio: 'inherit',
    env: { HEARTHD_SIMULATE: '1', ...process.env },
  });
  daemon.on('exit', (code) => process.exit(code ?? 1));
} else {
  await build(options);
}
