import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A shared runner starves a process for a second now and then; what is broken fails twice.
    retry: process.env['CI'] === undefined ? 0 : 1,
    pool: 'forks',
  },
});
