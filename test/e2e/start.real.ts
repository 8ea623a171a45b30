import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimHub, createHubFolder, type HubFolder } from '#test/support/daemon/hub-process.ts';
import { BUNDLE, type HearthdCall, type HearthdRun, runHearthd } from '#test/support/daemon/run-hearthd.ts';

const NOBODY = 65_534;

let hubs: HubFolder;
beforeEach(() => {
  hubs = createHubFolder();
});
afterEach(() => hubs.close());

const serve = (args: readonly string[], env: HearthdCall['env'] = {}): Promise<HearthdRun> =>
  runHearthd(['serve', ...args], { cwd: hubs.folder, env: { HEARTHD_PORT: '0', HEARTHD_MQTT_URL: 'off', ...env } });

test('a new hub prints its address and the claim code, and nothing else at the level of warnings', async () => {
  const hub = await hubs.serve();
  expect(hub.stdout()).toMatch(
    /^The hub has no owner yet\. Claim code: \w{4}-\w{4}\nhearthd \S+ is ready: .*http:\/\/127\.0\.0\.1:\d+\/.*\n$/,
  );
  expect(hub.stderr()).toBe('');
  expect((await hub.ask('GET', '/api')).json).toMatchObject({ product: 'hearthd', claimed: false });
});

test('a hub that has an owner prints only its address', async () => {
  const first = await hubs.serve();
  await claimHub(first);
  await first.end('SIGTERM');
  const hub = await hubs.serve();
  expect(hub.stdout()).toMatch(/^hearthd \S+ is ready: .*\n$/);
});

/** Printed by each thread but the first. */
const SAY_LIMIT =
  "import{threadId}from'node:worker_threads';import{getHeapStatistics}from'node:v8';" +
  "if(threadId>0)console.log('heap limit '+getHeapStatistics().heap_size_limit)";

test('the flag for new objects of the program does not enlarge the heap of the storage thread', async () => {
  const flags = '--max-old-space-size=256 --max-semi-space-size=4';
  const hub = await hubs.serve({
    NODE_OPTIONS: `${flags} --import=data:text/javascript,${encodeURIComponent(SAY_LIMIT)}`,
  });
  await vi.waitFor(() => expect(hub.stdout()).toMatch(/^heap limit \d+$/m));
  const limit = Number(/^heap limit (\d+)$/m.exec(hub.stdout())?.[1]);
  // With semi-spaces of 4 MB it is 268 MB: V8 counts three of them.
  expect(limit / 1_048_576 - 256).toBeLessThanOrEqual(4);
});

test('a state folder that cannot be written ends with 77 and names it', async () => {
  const folder = join(hubs.folder, 'theirs');
  mkdirSync(folder);
  chmodSync(folder, 0o555);
  // Root writes wherever it likes, so it tries as nobody, from a copy that nobody can read.
  const program = join(hubs.folder, 'program');
  cpSync(dirname(BUNDLE), program, { recursive: true });
  chmodSync(hubs.folder, 0o755);
  const { code, stdout, stderr } = await runHearthd(['serve', '--state-dir', join(folder, 'state')], {
    cwd: hubs.folder,
    env: { HEARTHD_PORT: '0', HEARTHD_MQTT_URL: 'off' },
    bundle: join(program, 'hearthd.mjs'),
    ...(process.getuid?.() === 0 ? { uid: NOBODY } : {}),
  });
  chmodSync(folder, 0o755);
  expect({ code, stdout }).toEqual({ code: 77, stdout: '' });
  expect(stderr).toMatch(/^hearthd: EACCES: permission denied, [^\n]*theirs[^\n]*\n$/);
});

test.each(['file', 'file/state'])(
  'a file in the place of the state folder (%s) ends with 74 and names it',
  async (path) => {
    writeFileSync(join(hubs.folder, 'file'), '');
    const { code, stdout, stderr } = await serve(['--state-dir', join(hubs.folder, path)]);
    expect({ code, stdout }).toEqual({ code: 74, stdout: '' });
    expect(stderr).toMatch(/^hearthd: The disk does not take writes: [^\n]*\/file[^\n]*\n$/);
  },
);

test.each<[string, string, RegExp]>([
  ['no TOML', 'port = 80\n[mqtt\n', /^hearthd: \S+hub\.toml:2: not valid TOML: [^\n]+\n$/],
  ['a wrong value', 'port = "abc"\n', /^hearthd: \S+hub\.toml:1: port is "abc" but must be [^\n]+\n$/],
  ['an unknown option', 'prot = 3\n', /^hearthd: \S+hub\.toml:1: there is no option "prot", did you mean port\?\n$/],
])('a configuration with %s ends with 78 and names file and line', async (...[, text, message]) => {
  const file = join(hubs.folder, 'hub.toml');
  writeFileSync(file, text);
  const { code, stdout, stderr } = await serve(['--config', file, '--state-dir', join(hubs.folder, 'state')]);
  expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  expect(stderr).toMatch(message);
});

test('an impossible value in the environment ends with 78 and names the variable', async () => {
  const ended = await serve(['--state-dir', join(hubs.folder, 'state')], { HEARTHD_PORT: '99999' });
  expect(ended).toEqual({
    code: 78,
    stdout: '',
    stderr: 'hearthd: HEARTHD_PORT: port is "99999" but must be a whole number from 0 to 65535\n',
  });
});

test('N3: the hub reports a port in use in one line, and takes it as soon as it is free', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const hub = await hubs.serve({ HEARTHD_PORT: String(port) });
  expect(hub.address).toBe('');
  // It comes through another pipe than the line that says the hub is ready.
  await vi.waitFor(() =>
    expect(hub.stderr().split('\n')).toContainEqual(
      expect.stringContaining(`cannot listen, trying again address=127.0.0.1 interface=lo port=${port}`),
    ),
  );
  await new Promise<void>((resolve) => void other.close(() => resolve()));
  await vi.waitFor(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api`);
      expect(answer.status).toBe(200);
    },
    { interval: 100 },
  );
});
