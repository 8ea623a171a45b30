import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE } from './run-hearthd.ts';

const BANNER = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

/** Bundles a TypeScript entry as the program is bundled, for tests that need a process or thread of their own. */
export async function bundleEntry(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, 'entry.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  copyFileSync(join(BUNDLE, '../node-sqlite3-wasm.wasm'), join(folder, 'node-sqlite3-wasm.wasm'));
  return outfile;
}
