import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '#base/random.ts';
import { openDatabase, loadSqlite } from '#storage/engine/database.ts';
import { acquireStateLock } from '#storage/engine/state-lock.ts';
import { runHearthd, type HearthdCall, type HearthdRun } from '#test/support/daemon/run-hearthd.ts';

const PASSWORD = 'cup river stamp';
let folder = '';
let state = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearthd-offline-'));
  state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (args: string[], call: HearthdCall = {}): Promise<HearthdRun> =>
  runHearthd([...args, '--state-dir', state], { cwd: folder, ...call });
const addUser = (email: string, role: string): Promise<HearthdRun> =>
  run(['user', 'add', email, '--role', role, '--password-stdin'], { input: PASSWORD });
const listUsers = async (): Promise<string> => (await run(['user', 'list'])).stdout;
const quiet: HearthdRun = { code: 0, stdout: '', stderr: '' };

describe('while no hub runs', () => {
  test('claim prints the code that the hub will accept, the same each time', async () => {
    const first = await run(['claim']);
    expect(first.stdout).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\n$/);
    expect(await run(['claim'])).toEqual(first);
  });

  test('accounts are added, listed, given passwords and removed', async () => {
    expect(await addUser('bo@home', 'guest')).toMatchObject({ code: 65 });
    expect(await addUser('ada@home', 'owner')).toEqual(quiet);
    expect(await addUser('bo@home', 'guest')).toEqual(quiet);
    expect(await listUsers()).toBe('ada@home\towner\tada\nbo@home\tguest\tbo\n');
    expect(await run(['user', 'password', 'bo@home', '--password-stdin'], { input: `${PASSWORD}s` })).toEqual(quiet);
    expect(await run(['user', 'remove', 'bo@home', '--yes'])).toEqual(quiet);
    expect(await run(['user', 'remove', 'bo@home', '--yes'])).toMatchObject({ code: 67 });
    expect(await run(['claim'])).toMatchObject({ code: 65 });
    expect(await listUsers()).toBe('ada@home\towner\tada\n');
  });

  test.each([
    ['ada@home', 'password123', 'WEAK'],
    ['ada@home', 'short', 'short'],
    ['not an address', PASSWORD, 'address'],
  ])('adding %j with the password %j is refused with one line', async (email, input) => {
    const { code, stderr } = await run(['user', 'add', email, '--role', 'owner', '--password-stdin'], { input });
    expect(code).toBe(65);
    expect(stderr).toMatch(/^hearthd: [^\n]+\n$/);
  });

  test('a restored backup has the accounts of its time', async () => {
    await addUser('ada@home', 'owner');
    expect((await run(['backup', 'kept.db'])).code).toBe(0);
    await addUser('bo@home', 'guest');
    expect(await run(['restore', 'kept.db', '--yes'])).toEqual(quiet);
    expect(await listUsers()).toBe('ada@home\towner\tada\n');
  });

  test('the history goes out and in', async () => {
    await run(['claim']);
    const rows = 'mode/home,2026-01-01T10:00:00.000Z,night,\r\nmode/home,2026-01-01T11:00:00.000Z,home,\r\n';
    const input = `series,at,value,gap\r\n${rows}`;
    const stdout = '2 samples read: 2 added, 0 were there, 0 of unknown series\n';
    expect(await run(['history', 'import'], { input })).toEqual({ ...quiet, stdout });
    expect((await run(['history', 'import'], { input })).stdout).toContain('0 added, 2 were there');
    expect(await run(['history', 'export'])).toEqual({ ...quiet, stdout: input });
    const lines = await run(['history', 'export', '--format', 'line_protocol', '--series', 'mode/home']);
    expect(lines.stdout.split('\n')[0]).toBe('hearthd_feature,device=mode,key=home text="night" 1767261600000');
    expect((await run(['history', 'export', '--series', 'mode/none'])).code).toBe(67);
    const bad = await run(['history', 'import'], { input: 'series,at,value\nmode/home,never,x\n' });
    expect(bad).toMatchObject({ code: 65, stderr: expect.stringContaining('line 2') as unknown });
  });

  test('the history is checked', async () => {
    await run(['claim']);
    const stdout = 'ok    months: there are none yet\nok    hours: none are made yet\n';
    expect(await run(['doctor', '--history'])).toEqual({ ...quiet, stdout });
  });

  test('a file that is no backup changes nothing', async () => {
    await addUser('ada@home', 'owner');
    writeFileSync(join(folder, 'garbage.db'), 'x'.repeat(10_000));
    const { code, stderr } = await run(['restore', 'garbage.db', '--yes']);
    expect(code).toBe(65);
    expect(stderr).toMatch(/^hearthd: [^\n]+\n$/);
    expect(await listUsers()).toBe('ada@home\towner\tada\n');
  });

  test('S2: a state folder that another process holds is left alone, with 75', async () => {
    await addUser('ada@home', 'owner');
    const lock = await acquireStateLock(state, systemRandom);
    try {
      const { code, stderr } = await run(['user', 'list']);
      expect(code).toBe(75);
      expect(stderr).toContain(state);
    } finally {
      await lock.release();
    }
    expect((await run(['user', 'list'])).code).toBe(0);
  });

  test('S7: a database that is newer than the program is refused with 78, and a backup can take its place', async () => {
    await addUser('ada@home', 'owner');
    const backup = join(folder, 'before.db');
    expect((await run(['backup', backup])).code).toBe(0);
    await addUser('eva@home', 'resident');
    const lock = await acquireStateLock(state, systemRandom);
    const database = openDatabase(await loadSqlite(), join(state, 'hearthd.db'));
    database.run('PRAGMA user_version = 999');
    database.close();
    await lock.release();
    const { code, stderr } = await run(['user', 'list']);
    expect(code).toBe(78);
    expect(stderr).toMatch(/^hearthd: [^\n]+\n$/);
    expect(await run(['restore', '--yes', backup])).toMatchObject({ code: 0 });
    expect(await run(['user', 'list'])).toMatchObject({ code: 0, stdout: 'ada@home\towner\tada\n' });
  });

  test('the commands create no hub in a folder without one', async () => {
    const missing = join(folder, 'missing');
    const { code, stderr } = await runHearthd(['claim', '--state-dir', missing]);
    expect(code).toBe(66);
    expect(stderr).toContain('there is no hub in');
    expect(existsSync(missing)).toBe(false);
  });

  test('doctor looks at the database itself', async () => {
    await addUser('ada@home', 'owner');
    const env = { HEARTHD_MQTT_URL: 'off', HEARTHD_PORT: '0' };
    const { code, stdout } = await run(['doctor'], { env });
    expect(stdout).toContain('warn  hub: is not running\n      → node ');
    expect(stdout).toContain('hearthd.mjs --state-dir state serve\n');
    expect(stdout).not.toContain('systemctl');
    expect(stdout).toContain('ok    database: sound');
    expect(code).toBe(0);
  });
});

test('no file that the commands leave behind holds the password', async () => {
  await addUser('ada@home', 'owner');
  await run(['backup']);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  expect(files.filter((path) => readFileSync(path).includes(PASSWORD))).toEqual([]);
  expect(files.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
});
