import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Webhook } from '#core/webhook/webhook.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from '#test/storage/storage-harness.ts';
import { makeWebhook } from '#test/storage/storage-makers.ts';

const WEBHOOK = makeWebhook(1);
const { mayReachHub: _, ...BEFORE } = WEBHOOK;

describe('webhooks', () => {
  test('S6: are after a restart as they were last saved', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.webhooks.saveWebhook(WEBHOOK);
    await before.webhooks.saveWebhook({ ...WEBHOOK, enabled: false });
    await before.webhooks.saveWebhook(makeWebhook(2));
    await before.webhooks.deleteWebhook(makeWebhook(2).id);
    await before.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.webhooks.loadWebhooks()).toEqual([{ ...WEBHOOK, enabled: false }]);
  });

  test('S6: keep whether they may reach the hub itself; older records do not say, so those may not', async () => {
    const { webhooks } = storageInProcess(await createBench().openOwned());
    await webhooks.saveWebhook(BEFORE as Webhook);
    await webhooks.saveWebhook(makeWebhook(2, { mayReachHub: true }));
    expect((await webhooks.loadWebhooks()).map(({ mayReachHub }) => mayReachHub)).toEqual([false, true]);
  });

  test.each([
    ['a record as the hub writes it', WEBHOOK, true],
    ['one from before it was noted who set the URL', BEFORE, true],
    ['one where that is no yes or no', { ...WEBHOOK, mayReachHub: 'yes' }, false],
    ['one without a filter', { ...WEBHOOK, filter: null }, false],
    ['one with a device that is no id', { ...WEBHOOK, filter: { ...WEBHOOK.filter, deviceIds: ['x'] } }, false],
    ['one whose URL is a number', { ...WEBHOOK, url: 1 }, false],
  ])('S8: a backup with %s is checked before it is restored', async (_what, record, isGood) => {
    const bench = createBench();
    const storage = storageInProcess(await bench.openOwned());
    await storage.webhooks.saveWebhook(record as Webhook);
    const { id } = await storage.backups.make();
    const path = join(makeFolder(), 'copy.db');
    copyFileSync((await storage.backups.findPath(id)) ?? '', path);
    openDatabase(sqlite, path).close();
    const checked = storage.backups.check(path);
    const isTaken = checked.then(
      () => true,
      () => false,
    );
    expect(await isTaken).toBe(isGood);
  });
});
