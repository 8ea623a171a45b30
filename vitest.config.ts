import { configDefaults, defineConfig } from 'vitest/config';
import { createOutcomeReporter } from './test/support/gate/outcome-reporter.ts';

const shared = {
  pool: 'forks' as const,
  maxWorkers: 2,
  // Ends what hangs. A test has no limit of its own: what is slow is a figure, not a failure.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  setupFiles: ['test/support/machine/patience.ts'],
  expect: { poll: { timeout: 30_000 } },
  exclude: [...configDefaults.exclude, '**/venv/**', 'test/packaging/*.campaign.ts'],
};
/** In a campaign what the real files measure is held to limits, so no more of them run than there are cores. */
const isCampaign = process.env['HEARTHD_CAMPAIGN'] === '1';
const outcome = process.env['HEARTHD_OUTCOME'];
const globalSetup = ['test/support/daemon/build.ts'];

/** The name of a file says in which project it runs: test/README.md. */
export default defineConfig({
  test: {
    reporters: ['default', ...(outcome === undefined ? [] : [createOutcomeReporter(outcome, !isCampaign)])],
    projects: [
      { test: { ...shared, name: 'style', include: ['test/style/*.style.ts'] } },
      {
        test: {
          ...shared,
          name: 'test',
          include: ['test/**/*.test.ts'],
          isolate: false,
          setupFiles: [...shared.setupFiles, 'test/support/machine/test-file.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'real',
          include: ['test/**/*.real.ts'],
          globalSetup,
          maxWorkers: isCampaign ? 2 : 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'campaign',
          include: ['test/**/*.campaign.ts'],
          globalSetup,
          maxWorkers: 1,
          env: { HEARTHD_CAMPAIGN: '1' },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
