import { expect, test } from 'vitest';
import type { HookSecret } from '#core/automation/hook/hooks.ts';
import { storageInProcess, type Storage } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { automationSave, makeAutomation, makeUser } from '#test/storage/storage-makers.ts';

const RECORD = makeAutomation(1);
const definition = {
  ...RECORD.definition,
  triggers: [
    { id: 'h1', type: 'hook' },
    { id: 'h2', type: 'hook' },
  ],
} as const;
const OWN = { ...RECORD, definition };
const KEEP_NOTHING = { session: null, meta: [] };

function secretOf(trigger: string, filler: number): HookSecret {
  return { automation: RECORD.id, trigger, hash: new Uint8Array(32).fill(filler), signer: RECORD.signer };
}

async function openWithSecrets() {
  const bench = createBench();
  const storage = storageInProcess(await bench.openOwned());
  await storage.users.insertUser(makeUser(1));
  await storage.automations.saveAutomations([automationSave(OWN)]);
  await storage.automationHooks.saveHookSecret(secretOf('h1', 1));
  await storage.automationHooks.saveHookSecret(secretOf('h2', 2));
  return { bench, storage };
}

const kept = async ({ automationHooks }: Storage): Promise<readonly string[]> =>
  (await automationHooks.loadHookSecrets()).map(({ trigger, hash }) => `${trigger} ${hash[0]}`).toSorted();

test('S6: secrets of hooks are after a restart as they were last saved', async () => {
  const { bench, storage } = await openWithSecrets();
  await storage.automationHooks.saveHookSecret(secretOf('h1', 7));
  await storage.automationHooks.deleteHookSecret(RECORD.id, 'h2');
  await storage.close();
  const after = storageInProcess(await bench.openOwned());
  expect(await after.automationHooks.loadHookSecrets()).toEqual([secretOf('h1', 7)]);
});

test('S7: a definition without the hook takes its secret with it, in the same transaction', async () => {
  const { storage } = await openWithSecrets();
  const next = { ...OWN, version: 2, definition: { ...definition, triggers: [definition.triggers[1]] } };
  await storage.automations.saveAutomations([{ record: { ...OWN, name: 'New' }, version: null }]);
  expect(await kept(storage)).toEqual(['h1 1', 'h2 2']);
  await storage.automations.saveAutomations([automationSave(next)]);
  expect(await kept(storage)).toEqual(['h2 2']);
});

test('S7: they stay while the automation is in the trash, and go with it', async () => {
  const { storage } = await openWithSecrets();
  await storage.automations.saveAutomations([{ record: { ...OWN, deletedAtMs: 7 }, version: null }]);
  expect(await kept(storage)).toEqual(['h1 1', 'h2 2']);
  await storage.automations.deleteAutomations([RECORD.id]);
  expect(await kept(storage)).toEqual([]);
});

test('S8: a restored backup keeps them, without what was taken back or replaced since', async () => {
  const { bench, storage } = await openWithSecrets();
  const { id } = await storage.backups.make();
  const path = (await storage.backups.findPath(id)) ?? '';
  await storage.automationHooks.saveHookSecret(secretOf('h1', 9));
  await storage.backups.restore(path, KEEP_NOTHING);
  await storage.close();
  const after = storageInProcess(await bench.openOwned());
  expect(await kept(after)).toEqual(['h2 2']);
  const other = createBench();
  const fresh = storageInProcess(await other.openOwned());
  await fresh.backups.restore(path, KEEP_NOTHING);
  await fresh.close();
  expect(await kept(storageInProcess(await other.openOwned()))).toEqual(['h1 1', 'h2 2']);
});
