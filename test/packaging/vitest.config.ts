import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['test/packaging/*.campaign.ts'],
    globalSetup: ['test/packaging/releases.ts'],
    // Each file has a machine to itself, which mostly waits; what is measured is memory, bytes and a start of seconds.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    env: { HEARTHD_CAMPAIGN: '1' },
  },
});
