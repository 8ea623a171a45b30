import { configDefaults, defineConfig } from 'vitest/config';

/** What measures time, or keeps the whole machine busy: run one after the other, when all else is done. */
const ALONE = [
  'test/auth/sign-in/login-siege.test.ts',
  'test/e2e/lan/connection-flood.test.ts',
  'test/e2e/zigbee2mqtt/house.test.ts',
  'test/e2e/lan/login-siege.test.ts',
  'test/e2e/lan/mdns-attack.test.ts',
  'test/e2e/zigbee2mqtt/too-many-devices.test.ts',
  'test/e2e/zigbee2mqtt/mqtt-storm.test.ts',
  'test/e2e/page/large-home.test.ts',
  'test/e2e/page/live.test.ts',
  'test/e2e/page/silence.test.ts',
  'test/e2e/page/tabs.test.ts',
  'test/fault/kill.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/http/server/slow-clients.test.ts',
  'test/integrations/zigbee2mqtt/large-home.test.ts',
  'test/soak/**/*.test.ts',
  'test/storage/thread/storage-worker.test.ts',
];
const shared = {
  globalSetup: ['test/support/daemon/build.ts'],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
};
// These need a Debian of their own: npm run test:package.
const exclude = [...configDefaults.exclude, 'test/packaging/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...shared, name: 'alone', include: ALONE, exclude, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
