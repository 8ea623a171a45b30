import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { blocksOf, makeFolder, run, type Running, sectionOf } from '#test/support/readme-programs.ts';
import { needs } from '#test/support/machine/requires.ts';

const HEADING = '### Ten scripts';
const SOON = { interval: 50 };
const LAMP = '/api/v1/device/kitchen-ceiling/feature/on';
const CONTACT = { name: 'Gate', type: 'contact_sensor', features: [{ key: 'open', capability: 'open' }] };

type Language = { readonly name: 'sh' | 'python'; readonly column: number; readonly program: 'sh' | 'python3' };
const LANGUAGES: readonly Language[] = [
  { name: 'sh', column: 2, program: 'sh' },
  { name: 'python', column: 3, program: 'python3' },
];

/** The first lines of the block, and each script that stands behind them, by the comment above it. */
function scriptsOf(language: string): { readonly head: string; readonly scripts: ReadonlyMap<string, string> } {
  const [head = '', ...parts] = (blocksOf(HEADING, language)[0] ?? '').split(/^# /m);
  return { head, scripts: new Map(parts.map((part) => [part.split('\n', 1)[0] ?? '', part.replace(/^.*\n/, '')])) };
}

let hubs: HubFolder;
let hub: HubProcess;
let token: string;
let tokens: Readonly<Record<string, string>>;

const ask = async (call: `${string} /${string}`, body?: unknown, by = token): Promise<unknown> => {
  const [method = '', path = ''] = call.split(' ');
  const { status, json } = await hub.ask(method, path, { token: by, ...(body === undefined ? {} : { body }) });
  expect(status, `${call} ${JSON.stringify(json)}`).toBeLessThan(300);
  return json;
};
const makeToken = async (rights: object): Promise<string> =>
  ((await ask('POST /api/v1/api_token', { name: 'Script', ...rights })) as { token: string }).token;
const setGate = (open: boolean): Promise<unknown> =>
  ask('PUT /api/v1/provider/gate/device/gate', { ...CONTACT, values: { open } }, tokens['gate']);

beforeAll(async () => {
  hubs = createHubFolder();
  hub = await hubs.serve();
  ({ access_token: token } = await claimHub(hub));
  const ofProvider = (provider: string): Promise<string> => makeToken({ scopes: ['device:provide'], provider });
  tokens = {
    most: await makeToken({ preset: 'everything_but_doors' }),
    'Download a backup': await makeToken({ scopes: ['backup:create'] }),
    'A sensor of your own': await ofProvider('desk'),
    gate: await ofProvider('gate'),
  };
  await setGate(false);
  const targets = [{ device: 'living-room-lamp', set: { on: true, brightness: 20 } }];
  await ask('POST /api/v1/scene', { name: 'Dinner', targets });
  await ask('PUT /api/v1/energy/settings', { grid: { import: ['kitchen-fridge-plug/energy'] } });
});
afterAll(() => hubs.close());

/** The values of a device in short. */
const valuesOf = async (device: string): Promise<Readonly<Record<string, unknown>>> =>
  ((await ask(`GET /api/v1/device/${device}?view=values`)) as { values: Readonly<Record<string, unknown>> }).values;

test('the table has each script with the lines that it has', () => {
  const rows = [...sectionOf(HEADING).matchAll(/^\| (?!script|-)(.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  expect(rows).toHaveLength(10);
  for (const { name, column } of LANGUAGES) {
    const counted = [...scriptsOf(name).scripts].map(([title, text]) => [title, text.trim().split('\n').length]);
    expect(counted).toEqual(rows.map((row) => [row[0], Number(row[column - 1]?.split(' → ')[1])]));
  }
});

describe.each(LANGUAGES)('in $name,', ({ name, program }) => {
  const there = (name === 'python' || (needs('curl') && needs('jq'))) && (name === 'sh' || needs('python3'));
  const { head, scripts } = scriptsOf(name);
  const folderOf = (title: string): string => {
    const folder = makeFolder();
    const text = `${head}${scripts.get(title) ?? 'exit 1'}`
      .replace('http://localhost:8080', hub.address)
      .replace('hat_…', tokens[title] ?? tokens['most'] ?? '');
    writeFileSync(
      join(folder, 'script'),
      `${name === 'sh' ? `TOKEN=${tokens[title] ?? tokens['most']}\n` : ''}${text}`,
    );
    return folder;
  };
  const start = (title: string, folder = folderOf(title)): Running => run([program, 'script'], folder);
  /** Runs a script to its end; what it printed, and a reader of the files that it left. */
  const finish = async (title: string): Promise<{ printed: string; file: (name: string) => Buffer }> => {
    const folder = folderOf(title);
    const { child, printed } = start(title, folder);
    await vi.waitFor(() => expect(child.exitCode).not.toBe(null), SOON);
    expect([child.exitCode, printed()]).toEqual([0, expect.any(String)]);
    return { printed: printed().trim(), file: (path) => readFileSync(join(folder, path)) };
  };

  test.runIf(there)('a lamp toggles', async () => {
    const before = await ask(`GET ${LAMP}`);
    expect((await finish('Toggle a lamp')).printed).toBe('confirmed');
    expect(await ask(`GET ${LAMP}`)).toBe(before === false);
  });

  test.runIf(there)('a scene is set', async () => {
    await ask('PUT /api/v1/device/living-room-lamp/feature/on', false);
    expect((await finish('Set a scene')).printed).toBe('confirmed');
    expect(await valuesOf('living-room-lamp')).toMatchObject({ on: true, brightness: 20 });
  });

  test.runIf(there)('an opening door is printed, and nothing else', async () => {
    const { printed } = start('Tell when a door opens');
    // Nothing says that the script listens but what it prints.
    await vi.waitFor(
      async () => {
        await setGate(false);
        await setGate(true);
        expect(printed()).toMatch(/^Gate is open$/m);
      },
      { interval: 1_000 },
    );
    expect(new Set(printed().trim().split('\n'))).toEqual(new Set(['Gate is open']));
  });

  test.runIf(there)('temperatures become CSV', async () => {
    const text = String((await finish('Temperature to CSV')).file('temperature.csv'));
    expect(text).toMatch(/^series,at,value\r?\n(bedroom-climate\/temperature,[\d:.TZ-]+,\d+(\.\d)?\r?\n)+$/);
  });

  test.runIf(there)('all is off at night', async () => {
    await ask(`PUT ${LAMP}`, true);
    expect((await finish('All off at night')).printed).toBe('');
    expect(await ask(`GET ${LAMP}`)).toBe(false);
    expect(await valuesOf('living-room-lamp')).toMatchObject({ on: false });
  });

  test.runIf(there)('a telephone tells that its person is there', async () => {
    const { people } = (await ask('GET /api/v1/presence')) as { people: { user: { id: string } }[] };
    const path = '/api/v1/presence/me';
    await ask(`POST ${path}`, { state: 'away' });
    expect((await finish('Presence from a telephone')).printed).toBe('home');
    expect(await ask(`GET /api/v1/presence/${people[0]?.user.id}`)).toMatchObject({ state: 'home' });
  });

  test.runIf(there)('a follower misses nothing over its own restart', async () => {
    const title = 'A follower that survives restarts';
    const folder = folderOf(title);
    const first = start(title, folder);
    const rename = (to: string): Promise<unknown> => ask('PATCH /api/v1/room/bedroom', { name: to });
    await vi.waitFor(
      async () => {
        await setGate(false);
        await setGate(true);
        expect(first.printed()).toContain('feature.changed');
      },
      { interval: 1_000 },
    );
    await vi.waitFor(() => expect(existsSync(join(folder, 'cursor'))).toBe(true), SOON);
    process.kill(-(first.child.pid ?? 0), 'SIGKILL');
    await vi.waitFor(() => expect(first.child.signalCode).toBe('SIGKILL'), SOON);
    await rename('Meanwhile');
    await rename('Bedroom');
    const second = start(title, folder);
    await vi.waitFor(() => expect(second.printed()).toMatch(/Meanwhile[^]*Bedroom/), SOON);
  });

  test.runIf(there)('a follower goes on after a restart of the hub, with one gap', async () => {
    const { printed } = start('A follower that survives restarts');
    await vi.waitFor(
      async () => {
        await setGate(false);
        await setGate(true);
        expect(printed()).toContain('feature.changed');
      },
      { interval: 1_000 },
    );
    const { port } = new URL(hub.address);
    await hub.end('SIGTERM');
    hub = await hubs.serve({ HEARTHD_PORT: port });
    await vi.waitFor(() => expect(printed()).toContain('hub.gap'), SOON);
    await ask('PATCH /api/v1/room/kitchen', { name: `Kitchen of ${name}` });
    await vi.waitFor(() => expect(printed()).toContain(`Kitchen of ${name}`), SOON);
    expect(printed().match(/^hub\.gap/gm)).toHaveLength(1);
  });

  test.runIf(there)('the energy of today is a number', async () => {
    const energy = async (): Promise<number | null> =>
      ((await ask('GET /api/v1/energy')) as { total: { home: number | null } }).total.home;
    await vi.waitFor(async () => expect(await energy()).not.toBe(null), SOON);
    const { printed } = await finish('Energy today');
    expect(Number(printed)).toBeLessThanOrEqual((await energy()) ?? -1);
    expect(printed).toMatch(/^\d+(\.\d+)?$/);
  });

  test.runIf(there)('a backup is a database', async () => {
    const { file } = await finish('Download a backup');
    const backup = file('home.db');
    expect([backup.subarray(0, 15).toString(), backup.length % 4096]).toEqual(['SQLite format 3', 0]);
    const list = (await ask('GET /api/v1/backup')) as { size: number }[];
    expect(list.map(({ size }) => size)).toContain(backup.length);
  });

  test.runIf(there)('a sensor of a script is a device with its value', async () => {
    await finish('A sensor of your own');
    expect(await valuesOf('desk')).toEqual({ temperature: 21.5 });
    const path = '/api/v1/device/desk';
    const { id } = (await ask(`GET ${path}`)) as { id: string };
    expect(id).toMatch(/^[\da-f-]{36}$/);
    await ask(`DELETE ${path}`);
  });
});
