import { expect, onTestFinished, test, vi } from 'vitest';
import { keepOneOfEach, TABLES, withDatabase } from '#test/storage/set-aside/wrong-rows.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { makeAutomation, makeInstance } from '#test/storage/storage-makers.ts';

/** Their rooms are few, and checked with the other columns of the row. */
const OTHERS = new Set(['user', 'session']);

test('the JSON of a record is read once, by its check, and the loader takes what that read', async () => {
  const bench = createBench();
  await keepOneOfEach(bench);
  const stored = withDatabase(bench, (database) =>
    TABLES.filter(({ table }) => !OTHERS.has(table)).map(({ table, column }) => ({
      table,
      text: String(database.get(`SELECT ${column} FROM ${table} LIMIT 1`)?.[column]),
    })),
  );
  expect(new Set(stored.map(({ text }) => text)).size).toBe(stored.length);
  const { operations } = bench.open();
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const { id } = makeAutomation(1);
  expect([
    operations.apiTokens.loadApiTokens(),
    operations.rooms.loadRooms(),
    operations.devices.loadDevicePage(0).items,
    operations.devices.loadValuePage(0).items,
    operations.scenes.loadScenes(),
    operations.automations.loadAutomations(''),
    operations.automations.loadVersions(id),
    operations.automationHooks.loadHookSecrets(),
    operations.webhooks.loadWebhooks(),
    operations.exporters.loadExporters(),
    operations.integrations.loadInstances().slice(0, 1),
    Object.entries(operations.integrations.loadState(makeInstance(1).id)),
    operations.notifications.loadNotifications(),
    operations.notifications.loadChannels(),
    [...operations.notifications.loadQuietHours()],
    [...operations.homeViews.loadHomeViews()],
    [operations.requestKeys.findKey('caller', 'key')],
    operations.presences.load(),
    operations.modes.load(),
    operations.variables.load(),
    operations.calendars.load(),
    operations.templates.load(),
    operations.recordings.loadRecordings(),
    [operations.energy.loadEnergySettings()],
    operations.energy.loadEnergyHours(0, 1e15).slice(0, 1),
  ]).toEqual(Array.from({ length: 25 }, () => [expect.anything()]));
  const timesOf = (text: string): number => parse.mock.calls.filter(([read]) => read === text).length;
  // Last values were swept once more before, when the storage opened.
  const once = stored.map(({ table, text }) => [table, timesOf(text)]);
  expect(once).toEqual(stored.map(({ table }) => [table, 1]));
});
