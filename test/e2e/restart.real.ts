import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { INVENTORY } from '#integrations/simulated-home/inventory.ts';
import { openStreamClient } from '#test/support/daemon/event-client.ts';
import {
  claimHub,
  createHubFolder,
  type DeviceJson,
  type HubFolder,
  type HubProcess,
  listDevices,
  logIn,
  OWNER,
  type Tokens,
} from '#test/support/daemon/hub-process.ts';

const COUNT = INVENTORY.length;

/** What must outlive everything. */
const identity = (devices: readonly DeviceJson[]): unknown =>
  devices.map(({ id, selector, name, room }) => ({ id, selector, name, room }));
const find = (devices: readonly DeviceJson[], selector: string): DeviceJson => {
  const device = devices.find((one) => one.selector === selector);
  if (device === undefined) throw new Error(`there is no ${selector}`);
  return device;
};
const feature = (device: DeviceJson, key: string): unknown => device.features.find((one) => one.key === key);

describe('a restart', () => {
  let hubs: HubFolder;
  let hub: HubProcess;
  let token: string;
  let before: readonly DeviceJson[];

  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    token = (await claimHub(hub)).access_token;
    await listDevices(hub, token, COUNT);
    // The simulated home may still be setting rooms; what a person sets wins.
    await vi.waitFor(async () => {
      const devices = await listDevices(hub, token, COUNT);
      if (devices.some(({ room }) => room === null)) throw new Error('a device has no room yet');
    });
    await hub.ask('POST', '/api/v1/room', { token, body: { name: 'Attic' } });
    await hub.ask('PATCH', '/api/v1/device/kitchen-ceiling', { token, body: { name: 'Reading light', room: 'attic' } });
    const set = { set: { on: true, brightness: 37 } };
    await hub.ask('POST', '/api/v1/device/kitchen-ceiling/command', {
      token,
      body: set,
      headers: { Prefer: 'wait=10' },
    });
    before = await listDevices(hub, token, COUNT);
    await hub.end('SIGTERM');
  });
  afterAll(() => hubs.close());

  test('without the integration: same devices, values restored, availability unknown', async () => {
    hub = await hubs.serve({ HEARTHD_SIMULATE: '0' });
    const devices = await listDevices(hub, token, COUNT);
    expect(identity(devices)).toEqual(identity(before));
    const lamp = find(devices, 'kitchen-ceiling');
    expect(lamp).toMatchObject({ name: 'Reading light', room: { name: 'Attic' } });
    expect(feature(lamp, 'brightness')).toMatchObject({ value: 37, quality: 'restored' });
    const qualities = devices.flatMap(({ features }) => features.map(({ quality }) => quality));
    expect(new Set(qualities)).toEqual(new Set(['restored', 'none']));
    expect(new Set(devices.map(({ availability }) => availability.state))).toEqual(new Set(['unknown']));
    const refused = await hub.ask('POST', '/api/v1/device/kitchen-ceiling/command', {
      token,
      body: { set: { on: false } },
    });
    expect(refused).toMatchObject({ status: 503, json: { code: 'INTEGRATION_DOWN' } });
    await hub.end('SIGTERM');
  });

  test('with it: same devices, and each value counts again once it was reported', async () => {
    hub = await hubs.serve();
    expect(identity(await listDevices(hub, token, COUNT))).toEqual(identity(before));
    await vi.waitFor(async () => {
      const lamp = find(await listDevices(hub, token, COUNT), 'kitchen-ceiling');
      expect(feature(lamp, 'brightness')).toMatchObject({ quality: 'confirmed' });
      expect(lamp.availability.state).toBe('online');
    });
    expect(find(await listDevices(hub, token, COUNT), 'kitchen-ceiling').name).toBe('Reading light');
  });
});

describe('a backup over HTTP', () => {
  let hubs: HubFolder;
  let hub: HubProcess;
  let owner: Tokens;

  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    owner = await claimHub(hub);
    await listDevices(hub, owner.access_token, COUNT);
    await vi.waitFor(async () => {
      const devices = await listDevices(hub, owner.access_token, COUNT);
      if (devices.some(({ room }) => room === null)) throw new Error('a device has no room yet');
    });
  });
  afterAll(() => hubs.close());

  const restore = (content: Buffer) =>
    hub.ask('POST', '/api/v1/backup/restore', {
      token: owner.access_token,
      raw: content,
      headers: { 'Content-Type': 'application/vnd.sqlite3' },
    });
  const download = async (): Promise<Buffer> => {
    const made = await hub.ask('POST', '/api/v1/backup', { token: owner.access_token });
    expect(made.status).toBe(201);
    const { status, bytes } = await hub.ask('GET', made.headers.get('location') ?? '', { token: owner.access_token });
    expect(status).toBe(200);
    return bytes;
  };
  const statusOf = async (token: string): Promise<number> => (await hub.ask('GET', '/api/v1/me', { token })).status;

  test('is restored whole: the state of then, the caller stays, all others are logged out', async () => {
    const token = owner.access_token;
    const earlier = await logIn(hub);
    const before = await listDevices(hub, token, COUNT);
    const backup = await download();

    const later = await logIn(hub);
    await hub.ask('PATCH', '/api/v1/device/kitchen-ceiling', { token, body: { name: 'Changed' } });
    await hub.ask('POST', '/api/v1/room', { token, body: { name: 'Cellar' } });
    await hub.ask('DELETE', '/api/v1/room/kitchen', { token });
    await hub.ask('PATCH', '/api/v1/hub', { token, body: { name: 'Elsewhere' } });
    await hubs.run(['user', 'add', 'bo@example.org', '--password-stdin'], 'tall green window');

    expect((await restore(backup)).status).toBe(204);
    expect(identity(await listDevices(hub, token, COUNT))).toEqual(identity(before));
    expect((await hub.ask('GET', '/api/v1/room', { token })).json).not.toContainEqual(
      expect.objectContaining({ name: 'Cellar' }),
    );
    expect((await hub.ask('GET', '/api/v1/hub', { token })).json).not.toMatchObject({ name: 'Elsewhere' });
    expect((await hubs.run(['user', 'list'])).stdout).toBe(`${OWNER.email}\towner\tada\n`);
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(earlier.access_token)).toBe(401);
    expect(await statusOf(later.access_token)).toBe(401);
    const renewed = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token: owner.refresh_token } });
    expect(renewed.status).toBe(200);
    const refused = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token: earlier.refresh_token } });
    expect(refused).toMatchObject({ status: 401, json: { code: 'INVALID_REFRESH_TOKEN' } });
    expect((await logIn(hub)).access_token).not.toBe('');
  });

  test('brings back the automations of then, and ends the runs that these do not know', async () => {
    const token = owner.access_token;
    const ask = async (line: string, body?: unknown): Promise<Record<string, unknown>> => {
      const [method = '', path = ''] = line.split(' ');
      const { status, json } = await hub.ask(method, `/api/v1${path}`, { token, body });
      if (status >= 300) throw new Error(`${line}: ${status} ${JSON.stringify(json)}`);
      return json as Record<string, unknown>;
    };
    const waits = (seconds: number) => ({
      triggers: [{ type: 'time', at: '04:00' }],
      steps: [{ delay: { s: seconds } }],
    });
    for (const name of ['Goes on', 'Changed']) await ask('POST /automation', { name, ...waits(3_600) });
    const backup = await download();
    await ask('PUT /automation/changed', { name: 'Changed', ...waits(1_800) });
    await ask('POST /automation', { name: 'Later', ...waits(3_600) });
    for (const selector of ['goes-on', 'changed', 'later']) await ask(`POST /automation/${selector}/run`, {});
    expect((await restore(backup)).status).toBe(204);
    const automations = await ask('GET /automation');
    expect(automations).toMatchObject([
      { name: 'Changed', version: 1, state: 'ready' },
      { name: 'Goes on', version: 1, state: 'ready' },
    ]);
    const { runs } = await ask('GET /automation_run');
    expect(runs).toMatchObject([
      { version: 1, outcome: 'abandoned', reason: { id: 'automation_unknown', with: {} } },
      { version: 2, outcome: 'abandoned', reason: { id: 'version_unknown', with: {} } },
      { version: 1, outcome: 'running', reason: null },
    ]);
  });

  test.each<[string, (backup: Buffer) => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('no database at all')],
    ['half a backup', (backup) => backup.subarray(0, backup.length / 2)],
    [
      'a backup with a damaged page',
      (backup) => Buffer.concat([backup.subarray(0, 4096), Buffer.alloc(8192, 0xa5), backup.subarray(12_288)]),
    ],
  ])('%s changes nothing', async (_, spoil) => {
    const token = owner.access_token;
    const other = await logIn(hub);
    const before = await listDevices(hub, token, COUNT);
    expect(await restore(spoil(await download()))).toMatchObject({ status: 422, json: { code: 'INVALID_BACKUP' } });
    expect(identity(await listDevices(hub, token, COUNT))).toEqual(identity(before));
    expect(await statusOf(other.access_token)).toBe(200);
  });

  test('two at once and requests meanwhile are answered, never with a fault', async () => {
    const backup = await download();
    const done = new AbortController();
    const meanwhile = async (): Promise<ReadonlySet<string>> => {
      const answers = new Set<string>();
      while (!done.signal.aborted) {
        const { status, headers, json } = await hub.ask('GET', '/api/v1/me', { token: owner.access_token });
        const { code = '' } = json as { code?: string };
        answers.add(`${status} ${code}${headers.has('retry-after') ? ' with Retry-After' : ''}`.trim());
      }
      return answers;
    };
    const asked = meanwhile();
    const restored = await Promise.all([restore(backup), restore(backup)]);
    done.abort();
    const statuses = restored.map(({ status }) => status);
    const answers = [...(await asked)];
    process.stdout.write(`two restores at once: ${statuses.join(', ')}; meanwhile: ${answers.join(', ')}\n`);
    expect(statuses).toContain(204);
    for (const status of statuses) expect([204, 503]).toContain(status);
    for (const answer of answers) expect(['200', '503 RESTARTING with Retry-After']).toContain(answer);
    expect(await statusOf(owner.access_token)).toBe(200);
    expect(hub.stderr()).not.toMatch(/ error | internal/);
  });
});

describe('a stop', () => {
  let hubs: HubFolder;
  beforeAll(() => {
    hubs = createHubFolder();
  });
  afterAll(() => hubs.close());

  test('answers no event client that comes back at once with 503: an EventSource would give up for ever', async () => {
    const hub = await hubs.serve();
    const { access_token: token } = await claimHub(hub);
    const port = Number(new URL(hub.address).port);
    const answers: (number | string)[] = [];
    const follow = async (): Promise<void> => {
      for (;;) {
        try {
          const client = await openStreamClient(port, { token });
          answers.push(client.status);
          await client.until(client.isEnded);
        } catch (cause) {
          answers.push((cause as NodeJS.ErrnoException).code ?? String(cause));
          return;
        }
      }
    };
    const clients = Array.from({ length: 12 }, follow);
    await vi.waitFor(() => expect(answers).toHaveLength(12));
    await hub.end('SIGTERM');
    await Promise.all(clients);
    expect(answers.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 200));
    for (const answer of answers.slice(12)) expect(['ECONNREFUSED', 'ECONNRESET']).toContain(answer);
  });
});

describe('the command line', () => {
  let hubs: HubFolder;
  beforeAll(() => {
    hubs = createHubFolder();
  });
  afterAll(() => hubs.close());
  const quiet = { code: 0, stdout: '', stderr: '' };
  const bo = { email: 'bo@example.org', password: 'tall green window' };

  test('S2, S3: does the same with the hub running and stopped; a second hub is refused with 75', async () => {
    const first = await hubs.serve();
    const { stdout: code } = await hubs.run(['claim']);
    expect(first.stdout()).toContain(code.trim());
    await claimHub(first);
    expect(await hubs.run(['claim'])).toMatchObject({ code: 65, stdout: '' });
    expect(await hubs.run(['user', 'add', bo.email, '--name', 'Bo', '--password-stdin'], bo.password)).toEqual(quiet);
    expect((await hubs.run(['user', 'list'])).stdout).toBe(`${OWNER.email}\towner\tada\n${bo.email}\tresident\tBo\n`);

    const { access_token: token } = await logIn(first, bo);
    expect(await hubs.run(['user', 'password', bo.email, '--password-stdin'], 'short purple chair')).toEqual(quiet);
    expect((await first.ask('GET', '/api/v1/me', { token })).status).toBe(401);
    expect((await first.ask('POST', '/api/v1/login', { body: bo })).status).toBe(401);
    expect((await logIn(first, { ...bo, password: 'short purple chair' })).access_token).not.toBe('');

    expect(await hubs.run(['backup', 'two-people.db'])).toMatchObject({ code: 0, stderr: '' });
    expect(await hubs.run(['user', 'remove', bo.email, '--yes'])).toEqual(quiet);
    expect(await hubs.run(['restore', 'two-people.db', '--yes'])).toEqual(quiet);
    expect((await hubs.run(['user', 'list'])).stdout).toContain(bo.email);
    expect((await hubs.run(['version'])).stdout).toMatch(/^(hearthd )?\d+\.\d+\.\d+/);
    const doctor = await hubs.run(['doctor']);
    expect(doctor.stdout).toMatch(/^ok {4}hub: version/m);
    expect(doctor.stdout).not.toMatch(/^fail/m);
    expect(doctor.code).toBe(0);

    const second = await hubs.run(['serve']);
    expect(second).toMatchObject({ code: 75, stdout: '' });
    expect(second.stderr).toMatch(/^hearthd: another hearthd is using [^\n]+\n$/);
    expect((await first.ask('GET', '/api')).status).toBe(200);
    await first.end('SIGTERM');

    expect((await hubs.run(['user', 'list'])).stdout).toContain(bo.email);
    expect(await hubs.run(['user', 'password', bo.email, '--password-stdin'], bo.password)).toEqual(quiet);
    expect(await hubs.run(['user', 'add', 'eve@example.org', '--password-stdin'], 'narrow silver gate')).toEqual(quiet);
    expect(await hubs.run(['backup', 'three-people.db'])).toMatchObject({ code: 0, stderr: '' });
    expect(await hubs.run(['restore', 'two-people.db', '--yes'])).toEqual(quiet);
    expect((await hubs.run(['user', 'list'])).stdout).not.toContain('eve');
    expect(await hubs.run(['restore', 'three-people.db', '--yes'])).toEqual(quiet);
    expect((await hubs.run(['doctor'])).stdout).toMatch(/^warn {2}hub: is not running/m);
    expect(await hubs.run(['claim'])).toMatchObject({ code: 65 });

    const third = await hubs.serve();
    expect((await logIn(third, bo)).access_token).not.toBe('');
    expect((await logIn(third, { email: 'eve@example.org', password: 'narrow silver gate' })).access_token).not.toBe(
      '',
    );
  });
});
