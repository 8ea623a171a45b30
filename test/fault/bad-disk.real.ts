import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/engine/database.ts';
import {
  claimHub,
  createHubFolder,
  logIn,
  OWNER,
  type HubFolder,
  type HubProcess,
} from '#test/support/daemon/hub-process.ts';
import { runHearthd } from '#test/support/daemon/run-hearthd.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { fillDisk, mount, mountReadOnly } from '#test/support/machine/small-disk.ts';
import { packageSqlite } from './history.ts';

type Named = { readonly id: string; readonly name: string };

/** Without the simulated home, whose rooms come and go. */
const BARE = { HEARTHD_SIMULATE: '0' };
const GARBAGE = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919 + 13) & 0xff));

/** A stopped hub with two rooms, and a backup that has only the first. */
let model: HubFolder;
let token: string;

beforeAll(async () => {
  model = createHubFolder();
  const hub = await model.serve(BARE);
  token = (await claimHub(hub)).access_token;
  await addRoom(hub, 'First');
  await hub.ask('POST', '/api/v1/backup', { token });
  await addRoom(hub, 'Second');
  await hub.end('SIGTERM');
});
afterAll(() => model.close());

async function addRoom(hub: HubProcess, name: string): Promise<number> {
  return (await hub.ask('POST', '/api/v1/room', { token, body: { name } })).status;
}

async function roomsOf(hub: HubProcess): Promise<string[]> {
  const { access_token } = await logIn(hub);
  const { json } = await hub.ask('GET', '/api/v1/room', { token: access_token });
  return (json as Named[]).map(({ name }) => name);
}

/** The model's state in a folder of its own. */
function copyModel(): { hubs: HubFolder; state: string; database: string } {
  const hubs = createHubFolder();
  onTestFinished(hubs.close);
  const state = join(hubs.folder, 'state');
  cpSync(join(model.folder, 'state'), state, { recursive: true });
  return { hubs, state, database: join(state, 'hearthd.db') };
}

function spoilPage(file: string, page: number): void {
  const bytes = readFileSync(file);
  GARBAGE.copy(bytes, page * 4096, 0, Math.min(4096, bytes.length - page * 4096));
  writeFileSync(file, bytes);
}

const DAMAGES: readonly [string, (database: string) => void][] = [
  ['that is empty', (file) => truncateSync(file, 0)],
  ['that is cut after its first page', (file) => truncateSync(file, 4096)],
  ['that is cut in its middle', (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
  ['whose first page is random', (file) => spoilPage(file, 0)],
  ['whose pages but the first are random', (file) => eachPage(file, (page) => page > 0 && spoilPage(file, page))],
  ['that is a folder', (file) => (rmSync(file), mkdirSync(file), writeFileSync(join(file, 'x'), 'x'))],
];

function eachPage(file: string, work: (page: number) => unknown): void {
  const pages = statSync(file).size / 4096;
  for (let page = 0; page < pages; page += 1) work(page);
}

/** Lists what is wrong with the start of a hub on a damaged database. */
async function findStartFaults(
  damage: (database: string) => void,
  expected: readonly string[],
  env: Readonly<Record<string, string>> = BARE,
): Promise<string[]> {
  const { hubs, state, database } = copyModel();
  damage(database);
  const isFile = statSync(database, { throwIfNoEntry: false })?.isFile() === true;
  const original = isFile ? readFileSync(database) : undefined;
  const faults: string[] = [];
  const hub = await hubs.serve(env);
  expectBelow('a start with a damaged database, ms', hub.readyMs, 10_000);
  const login = await hub.ask('POST', '/api/v1/login', { body: OWNER });
  const rooms = login.status === 200 ? await roomsOf(hub) : [];
  if (rooms.join() !== expected.join()) faults.push(`the rooms are ${rooms.join()}, the login gives ${login.status}`);
  const corrupt = join(state, 'corrupt');
  const kept = readdirSync(corrupt, { recursive: true, encoding: 'utf8' }).map((name) => join(corrupt, name));
  const isKept = kept.some((path) => statSync(path).isFile() && original?.equals(readFileSync(path)));
  if (original !== undefined && !isKept) faults.push('the original is not kept');
  await hub.end('SIGKILL');
  return faults;
}

describe('a hub with a database', () => {
  test.each(DAMAGES)(
    'X, S8: %s is up within 10 s with the newest good backup, the original kept',
    async (_name, damage) => expect(await findStartFaults(damage, ['First'])).toEqual([]),
  );

  test('X, S8: and a log of garbage is up within 10 s with what is in the database itself', async () => {
    const { hubs, state, database } = copyModel();
    writeFileSync(`${database}-wal`, GARBAGE);
    const hub = await hubs.serve(BARE);
    expect(await roomsOf(hub)).toEqual(['First', 'Second']);
    const corrupt = join(state, 'corrupt');
    const [folder = ''] = readdirSync(corrupt);
    expect(readFileSync(join(corrupt, folder, 'hearthd.db-wal')).equals(GARBAGE)).toBe(true);
  });

  test('X, S7: of a newer version refuses to start with 78 and one sentence, and touches nothing', async () => {
    const { hubs, database } = copyModel();
    const newer = openDatabase(packageSqlite, database);
    newer.exec('PRAGMA user_version=999');
    newer.close();
    const bytes = readFileSync(database);
    const { code, stderr } = await hubs.run(['serve']);
    expect(code).toBe(78);
    expect(stderr).toMatch(/^hearthd: [^\n]*newer hearthd[^\n]*\n$/);
    expect(readFileSync(database).equals(bytes)).toBe(true);
  });

  test('X: the test finds the lost home of a hub that does not see its backups', async () => {
    const mistake = {
      ...BARE,
      NODE_OPTIONS: `--require ${join(import.meta.dirname, 'children/mistake.cjs')}`,
      MISTAKE: 'unseen backups',
    };
    const faults = await findStartFaults((file) => truncateSync(file, 4096), ['First'], mistake);
    expect(faults).toEqual([expect.stringContaining('the login gives')]);
  });
});

test('X, S2: of two hubs that start at once on one state one serves, and the other says why not', async () => {
  const { hubs } = copyModel();
  const starts = await Promise.allSettled([hubs.serve(BARE), hubs.serve(BARE)]);
  const served = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
  expect(refused).toEqual([expect.stringContaining('another hearthd is using')]);
  for (const hub of served) expect(await roomsOf(hub)).toEqual(['First', 'Second']);
});

describe('S9: a disk', () => {
  test.skipIf(!needs('root'))(
    'X: that is full gives 507, reads go on, and writes work within 10 s of room',
    async () => {
      const hubs = createHubFolder();
      onTestFinished(hubs.close);
      const state = join(hubs.folder, 'state');
      mount(state, '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs');
      cpSync(join(model.folder, 'state'), state, { recursive: true });
      const hub = await hubs.serve(BARE);
      for (let round = 0; round < 2; round += 1) {
        const giveBack = fillDisk(state);
        const added: string[] = [];
        let status = 201;
        for (let number = 0; status === 201 && number < 1000; number += 1) {
          status = await addRoom(hub, `Room ${round} ${number}`);
          if (status === 201) added.push(`Room ${round} ${number}`);
        }
        expect(status).toBe(507);
        const refused = await hub.ask('POST', '/api/v1/room', { token, body: { name: 'No' } });
        expect(refused.headers.get('content-type')).toContain('application/problem+json');
        expect(refused.json).toMatchObject({ code: 'STORAGE_FULL' });
        const listed = (await hub.ask('GET', '/api/v1/room', { token })).json as Named[];
        expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['First', ...added]));
        giveBack();
        const passedMs = startStopwatch();
        await expect.poll(() => addRoom(hub, `After ${round}`)).toBe(201);
        expectBelow('from room on the disk to the first write, ms', passedMs(), 10_000);
      }
      const before = await roomsOf(hub);
      await hub.end('SIGKILL');
      const again = await hubs.serve(BARE);
      expect(await roomsOf(again)).toEqual(before);
      expect(before).toEqual(expect.arrayContaining(['First', 'After 0', 'After 1']));
    },
  );

  test.skipIf(!needs('root'))(
    'X: that is read-only gives a copy in the runtime folder, and the hub says so',
    async () => {
      const { hubs, state } = copyModel();
      mountReadOnly(state);
      const env = { ...BARE, HEARTHD_RUNTIME_DIR: join(hubs.folder, 'run') };
      const hub = await hubs.serve(env);
      expect(await roomsOf(hub)).toEqual(['First', 'Second']);
      expect(await addRoom(hub, 'Third')).toBe(201);
      expect(hub.stderr()).toContain('read-only');
      await hub.end('SIGTERM');
      expect(await roomsOf(await hubs.serve(env))).toEqual(['First', 'Second']);
    },
  );
});

test('S9: a state folder that cannot be made ends the start at once with a sentence', async () => {
  const { code, stderr } = await runHearthd(['serve', '--state-dir', '/proc/x'], { env: BARE });
  expect(code).toBe(66);
  expect(stderr).toBe("hearthd: ENOENT: no such file or directory, mkdir '/proc/x'\n");
});
