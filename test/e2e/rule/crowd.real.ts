import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSqlite, openDatabase } from '#storage/engine/database.ts';
import { claimHub, createHubFolder } from '#test/support/daemon/hub-process.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';

const COUNT = 130;
/** The heap of the unit. */
const HEAP = { NODE_OPTIONS: '--max-old-space-size=256' };
/** Hardly anything but plain numbers in operands, to 58 KB. */
const NUMBERS = { max: Array.from({ length: 31 }, () => 1) };
const DENSE = {
  name: 'Dense',
  triggers: Array.from({ length: 50 }, (_, at) => ({
    type: 'feature',
    device: 'kitchen-ceiling',
    key: 'brightness',
    to: at,
  })),
  conditions: Array.from({ length: 95 }, () => ({ compare: { left: NUMBERS, op: 'lt', right: NUMBERS } })),
  steps: Array.from({ length: 180 }, () => ({
    command: { targets: { devices: ['kitchen-ceiling'] }, set: { brightness: NUMBERS } },
  })),
};

test('a hub with 130 dense automations of 58 KB starts with the heap of its unit', async () => {
  const hubs = createHubFolder();
  onTestFinished(hubs.close);
  const first = await hubs.serve();
  const { access_token: token } = await claimHub(first);
  expect((await first.ask('POST', '/api/v1/automation', { token, body: DENSE })).status).toBe(201);
  const emptyMb = first.memoryMb();
  await first.end('SIGTERM');
  // As an older hub may have kept them: this one would refuse to save so many.
  const database = openDatabase(await loadSqlite(), join(hubs.folder, 'state', 'hearthd.db'));
  const [row] = database.all('SELECT * FROM automation', []);
  const record = String(row?.['record']);
  expect(record.length).toBeGreaterThan(55_000);
  database.transaction(() => {
    for (let at = 1; at < COUNT; at += 1) {
      database.run('INSERT INTO automation (id, selector, deleted_at_ms, record) VALUES (?, ?, NULL, ?)', [
        randomUUID(),
        `dense-${at}`,
        record,
      ]);
    }
  });
  database.close();

  const hub = await hubs.serve(HEAP);
  const listed = await hub.ask('GET', '/api/v1/automation', { token });
  expect(listed.json).toHaveLength(COUNT);
  expectBelow('processor time until 130 dense automations are listed, ms', hub.cpuMs(), 12_000);
  expectBelow('more resident memory with 130 dense automations than with one, MB', hub.memoryMb() - emptyMb, 100);
});
