import { expect, test } from 'vitest';
import type { Database } from '#storage/engine/database.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { makeUser } from '#test/storage/storage-makers.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';
import { addWrongRows, keepOneOfEach, TABLES, withDatabase } from '#test/storage/set-aside/wrong-rows.ts';

/** All that reads what is stored, without a parameter. */
const LISTS = [
  ['health', 'session', 'me', 'me/home', 'user', 'api_token', 'hub', 'system/info', 'audit?limit=1000', 'metrics'],
  ['device?limit=1000', 'room', 'group', 'mode', 'variable', 'presence', 'scene', 'calendar', 'calendar_day'],
  ['history/series?limit=1000', 'history/timeline', 'history/settings', 'energy', 'energy/settings'],
  ['automation', 'automation_export', 'automation_run?limit=100', 'automation_template'],
  ['notification?limit=500', 'notification/settings', 'notification_channel', 'webhook', 'exporter'],
  ['integration', 'integration_found'],
].flat();

const ALL_WELL = LISTS.map((list) => [list, 200]);

/** The answers of a hub to its owner, with one of each record and this done to its database. */
async function answersWith(damage: (database: Database) => void) {
  const bench = createBench();
  await keepOneOfEach(bench);
  withDatabase(bench, damage);
  const hub = await openWholeHub({ bench });
  expect(hub.home.accounts.findUser(makeUser(1).id)?.role).toBe('owner');
  const { token } = await hub.addPerson('helper', 'owner');
  const answers = [];
  for (const list of LISTS) answers.push([list, (await hub.call(`GET /${list}`, { token })).status]);
  // The upkeep notes since when they are kept.
  const kept = async () =>
    ((await hub.call('GET /health', { token })).json['database'] as { set_aside_kept: unknown }).set_aside_kept;
  await expect.poll(kept).toMatchObject({ records: expect.any(Number), until: expect.any(String) });
  await hub.stop();
  return answers;
}

test('a hub starts and answers with a wrong value, or none, in each part of each record', async () => {
  const answers = await answersWith((database) => {
    for (const table of TABLES) if (table.other !== undefined) addWrongRows(database, table);
  });
  expect(answers).toEqual(ALL_WELL);
});

test('a hub starts and answers with no record that can be read but its owner', async () => {
  const answers = await answersWith((database) => {
    for (const { table, column } of TABLES) database.run(`UPDATE ${table} SET ${column} = ?`, ['{"name": "torn']);
  });
  expect(answers).toEqual(ALL_WELL);
});
