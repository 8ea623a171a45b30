import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Webhook, WebhookId } from '#core/webhook.ts';
import { openDatabase } from '#storage/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench, makeFolder, sqlite } from './storage-harness.ts';

const WEBHOOK: Webhook = {
  id: '0198f1c2-0000-7000-8000-000000000001' as WebhookId,
  secret: 'whsec_abc',
  name: null,
  url: 'http://192.168.1.2/hook',
  filter: { types: ['device.changed'], deviceIds: null, roomIds: [] },
  enabled: true,
  createdAtMs: 1,
  updatedAtMs: 2,
};

describe('webhooks', () => {
  test('S6: are there after a restart as they were saved last', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.webhooks.saveWebhook(WEBHOOK);
    await before.webhooks.saveWebhook({ ...WEBHOOK, enabled: false });
    await before.webhooks.saveWebhook({ ...WEBHOOK, id: '0198f1c2-0000-7000-8000-000000000002' as WebhookId });
    await before.webhooks.deleteWebhook('0198f1c2-0000-7000-8000-000000000002' as WebhookId);
    await before.close();
    const after = storageInProcess(await bench.openOwned());
    expect(await after.webhooks.loadWebhooks()).toEqual([{ ...WEBHOOK, enabled: false }]);
  });

  test.each([
    ['a record as the hub writes it', WEBHOOK, true],
    ['one without a filter', { ...WEBHOOK, filter: null }, false],
    ['one with a device that is no id', { ...WEBHOOK, filter: { ...WEBHOOK.filter, deviceIds: ['x'] } }, false],
    ['one whose URL is a number', { ...WEBHOOK, url: 1 }, false],
  ])('S8: a backup with %s is looked at before it is restored', async (_what, record, isGood) => {
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
