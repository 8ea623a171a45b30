import { configDefaults, defineConfig } from 'vitest/config';
import { createNothingSkipped } from './test/support/projects/nothing-skipped.ts';
import { readProjects } from './test/support/projects/projects.ts';

const { real, waiting, campaign, alone, lacking } = readProjects(import.meta.dirname);
const shared = {
  // For what never ends: a search at full size on a busy machine may take a fourth of it.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
  setupFiles: ['test/support/machine/patience.ts'],
  expect: { poll: { timeout: 10_000 } },
};
const globalSetup = ['test/support/daemon/build.ts'];
// These need a Debian of their own: npm run test:package.
const exclude = [...configDefaults.exclude, 'test/packaging/**', ...lacking];

/** What each project proves and costs is in test/README.md. */
export default defineConfig({
  test: {
    reporters: process.env['CI'] === 'true' ? ['default', createNothingSkipped()] : ['default'],
    projects: [
      {
        test: {
          ...shared,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...real, ...waiting, ...campaign, ...alone],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'real',
          include: [...real],
          exclude,
          globalSetup,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'waiting',
          include: [...waiting],
          globalSetup,
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'campaign',
          include: [...campaign],
          globalSetup,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'alone',
          include: [...alone],
          globalSetup,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
