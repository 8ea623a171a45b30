import { setFlagsFromString } from 'node:v8';
import type * as Package from 'node-sqlite3-wasm';

/** The loaded package. Everything after loading is synchronous. */
export type Sqlite = typeof Package;

let loading: Promise<Sqlite> | undefined;

/**
 * Compiles SQLite, once per thread. Baseline code only: optimised machine code for the whole of SQLite costs 40 MB of
 * memory and gains nothing at a hub's pace. The flag is the process's, so it is set back at once.
 */
export function loadSqlite(): Promise<Sqlite> {
  loading ??= compileSqlite();
  return loading;
}

async function compileSqlite(): Promise<Sqlite> {
  setFlagsFromString('--liftoff-only');
  try {
    // A static import would compile before the flag is set.
    const module = await import('node-sqlite3-wasm');
    return 'default' in module ? module.default : module;
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}
