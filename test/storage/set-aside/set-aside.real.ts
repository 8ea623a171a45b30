import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { type Bench, createBench } from '#test/storage/storage-harness.ts';
import { makeUser } from '#test/storage/storage-makers.ts';
import { keepOneOfEach, withDatabase } from '#test/storage/set-aside/wrong-rows.ts';

const OWNER = { email: makeUser(1).email, password: 'cup river stamp' };
const WRONG = [
  ['notification', '$.deliveries', 'null'],
  ['integration', '$.secrets', 'null'],
  ['api_token', '$.deviceIds', '{}'],
  ['automation', '$.definition', 'null'],
] as const;

let hubs: HubFolder;
let bench: Bench;

beforeEach(async () => {
  hubs = createHubFolder();
  const { close, folder } = hubs;
  onTestFinished(() => close());
  bench = createBench(folder);
  await keepOneOfEach(bench);
  await hubs.run(['user', 'password', OWNER.email, '--password-stdin'], OWNER.password);
});

async function tokenOf(hub: HubProcess): Promise<string> {
  const { json } = await hub.ask('POST', '/api/v1/login', { body: OWNER });
  return (json as { access_token: string }).access_token;
}

test('a hub with four records of a wrong form starts without them, and tells it', async () => {
  withDatabase(bench, (database) => {
    for (const [table, path, value] of WRONG) {
      database.run(`UPDATE ${table} SET record = json_set(record, ?, json(?))`, [path, value]);
    }
    database.run('UPDATE mode_set SET record = ?', ['{"name": "torn']);
  });
  const hub = await hubs.serve();
  const token = await tokenOf(hub);
  for (const list of ['notification', 'integration', 'api_token', 'automation', 'mode']) {
    expect((await hub.ask('GET', `/api/v1/${list}`, { token })).status).toBe(200);
  }
  const { json } = await hub.ask('GET', '/api/v1/health', { token });
  const { status, database } = json as { status: string; database: { set_aside: { code: string; noun: string }[] } };
  expect(status).toBe('degraded');
  const nouns = [...WRONG.map(([table]) => table), 'mode_set'].toSorted();
  expect([...new Set(database.set_aside.map(({ noun }) => noun))].toSorted()).toEqual(nouns);
  expect(new Set(database.set_aside.map(({ code }) => code))).toEqual(new Set(['RECORD_SET_ASIDE']));
  const { stdout } = await hubs.run(['doctor']);
  for (const noun of nouns) expect(stdout).toMatch(new RegExp(`warn {2}database: .*${noun} \\S+ was set aside`));
  expect((await hub.end('SIGTERM')).code).toBe(0);
});

test('a hub whose owner cannot be read ends with 78 until a backup is restored, and cannot be claimed', async () => {
  const kept = join(hubs.folder, 'kept.db');
  expect((await hubs.run(['backup', kept])).code).toBe(0);
  withDatabase(bench, (database) => database.run("UPDATE user SET role = 'boss' WHERE role = 'owner'"));
  for (const command of ['serve', 'claim']) {
    const refused = await hubs.run([command]);
    expect(refused.code).toBe(78);
    expect(refused.stderr).toContain('restore a backup');
  }
  expect(await hubs.run(['restore', kept, '--yes'])).toMatchObject({ code: 0 });
  expect(await tokenOf(await hubs.serve())).toBeTypeOf('string');
});
