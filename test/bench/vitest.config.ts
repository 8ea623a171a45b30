import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run bench`: one figure after the other, each beside its reference, on the built program. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/bench/**/*.bench.ts'],
    globalSetup: ['test/support/daemon/build.ts', 'test/bench/support/report.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 120_000,
    pool: 'forks',
    reporters: ['verbose'],
  },
});
