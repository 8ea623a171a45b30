import { expect, test } from 'vitest';
import { createBench } from '#test/storage/storage-harness.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

test('a hub makes a daily backup once it has an owner, because nobody could restore one without', async () => {
  const bench = createBench();
  const unclaimed = await openWholeHub({ bench, isEmpty: true });
  expect(unclaimed.writes).not.toContain('backups.makeDailyIfDue');
  const { token } = await unclaimed.addPerson('ada', 'owner');
  await unclaimed.end();
  const claimed = await openWholeHub({ bench, isEmpty: true });
  expect(claimed.writes).toContain('backups.makeDailyIfDue');
  expect((await claimed.call('GET /backup', { token })).json).toMatchObject([{ kind: 'daily' }]);
});
