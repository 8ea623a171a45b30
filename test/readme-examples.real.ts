import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHubFolder, type HubFolder, type HubProcess, logIn } from '#test/support/daemon/hub-process.ts';
import { blocksOf, makeFolder, run } from '#test/support/readme-programs.ts';
import { needs } from '#test/support/machine/requires.ts';

const OWNER = { email: 'ada@example.org', password: 'correct horse battery' };
const SOON = { interval: 20 };

/** A way to the hub that can be blocked. */
type Way = { readonly port: number; readonly block: () => Promise<void>; readonly open: () => Promise<void> };

async function openWay(hubPort: number): Promise<Way> {
  const sockets = new Set<Socket>();
  const link = (client: Socket): void => {
    const upstream = connect(hubPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  };
  let server = createServer(link);
  const listen = async (port: number): Promise<void> => {
    server = createServer(link);
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  };
  const block = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return { port, block, open: () => listen(port) };
}

let hubs: HubFolder;
let hub: HubProcess;
let token: string;

beforeAll(async () => {
  hubs = createHubFolder();
  hub = await hubs.serve();
  const claim_code = /Claim code: (\S+)/.exec(hub.stdout())?.[1] ?? '';
  const { status } = await hub.ask('POST', '/api/v1/setup', { body: { claim_code, ...OWNER } });
  if (status !== 201) throw new Error(`the hub could not be claimed: ${status}`);
  token = (await logIn(hub, OWNER)).access_token;
});
afterAll(() => hubs.close());

const rename = async (name: string): Promise<void> => {
  const { status } = await hub.ask('PATCH', '/api/v1/device/kitchen-ceiling', { token, body: { name } });
  expect(status).toBe(200);
};

type Example = {
  heading: string;
  language: string;
  tool?: 'curl' | 'python3';
  command: readonly [string, ...string[]];
};
const EXAMPLES: readonly Example[] = [
  { heading: '### curl', language: 'sh', tool: 'curl', command: ['sh', 'example'] },
  { heading: '### Python', language: 'python', tool: 'python3', command: ['python3', 'example'] },
  { heading: '### JavaScript', language: 'js', command: [process.execPath, 'example.mjs'] },
];

describe.each(EXAMPLES)('the example of $heading', ({ heading, language, tool, command }) => {
  test.runIf(tool === undefined || needs(tool))(
    'logs in, lists, commands, and follows events over a broken connection',
    async () => {
      const [block = ''] = blocksOf(heading, language);
      expect(block).toContain('http://localhost:8080');
      const folder = makeFolder();
      const way = await openWay(Number(new URL(hub.address).port));
      onTestFinished(way.block);
      const text = block.replace('http://localhost:8080', `http://127.0.0.1:${way.port}`);
      writeFileSync(join(folder, command.at(-1) ?? ''), text);
      const { printed } = run(command, folder);
      await vi.waitFor(() => expect(printed()).toMatch(/confirmed/), SOON);
      expect(printed()).toMatch(/Kitchen|Lamp/);
      await vi.waitFor(() => expect(printed()).toMatch(/hub\.heartbeat/), SOON);
      await rename(`Lamp before ${language}`);
      await vi.waitFor(() => expect(printed()).toContain(`Lamp before ${language}`), SOON);

      await way.block();
      await rename(`Lamp meanwhile ${language}`);
      await way.open();
      await vi.waitFor(() => expect(printed()).toContain(`Lamp meanwhile ${language}`), SOON);
      await rename(`Lamp after ${language}`);
      await vi.waitFor(() => expect(printed()).toContain(`Lamp after ${language}`), SOON);
      const changes = printed().match(/^device\.changed .*$/gm) ?? [];
      const names = changes.map((line) => /"name":"(Lamp \w+)/.exec(line)?.[1]);
      expect(names).toEqual(['Lamp before', 'Lamp meanwhile', 'Lamp after']);
    },
  );
});

test.runIf(needs('curl'))(
  'the curl example follows on when its login has ended, and says what is wrong when its API token has',
  async () => {
    const [block = ''] = blocksOf('### curl', 'sh');
    const folder = makeFolder();
    writeFileSync(join(folder, 'example'), block.replace('http://localhost:8080', hub.address));
    const { printed } = run(['sh', 'example'], folder);
    await vi.waitFor(() => expect(printed()).toMatch(/^hub\.heartbeat /m), SOON);
    expect((await hub.ask('DELETE', '/api/v1/session', { token })).status).toBe(204);
    await rename('Lamp without a login');
    await vi.waitFor(() => expect(printed()).toContain('Lamp without a login'), SOON);

    const { json } = await hub.ask('GET', '/api/v1/api_token', { token });
    const text = readFileSync(join(folder, 'api-token'), 'utf8').trim();
    expect(statSync(join(folder, 'api-token')).mode & 0o077).toBe(0);
    expect((await hub.ask('GET', '/api/v1/device', { token: text })).status).toBe(200);
    for (const { id } of (json as { id: string; name: string }[]).filter(({ name }) => name === 'Follower')) {
      expect((await hub.ask('DELETE', `/api/v1/api_token/${id}`, { token })).status).toBe(204);
    }
    await vi.waitFor(() => expect(printed()).toMatch(/^\{.*"code":"INVALID_TOKEN".*\}$/m), SOON);
  },
);

test.runIf(needs('curl'))(
  'the calls of both READMEs work on a new hub in the order in which they stand there, each answer on a line',
  async () => {
    const others = createHubFolder();
    onTestFinished(others.close);
    const fresh = await others.serve({ HEARTHD_MQTT_URL: '' });
    const claimCode = /Claim code: (\S+)/.exec(fresh.stdout())?.[1] ?? '';
    const headings = [
      '## First use',
      '## Options',
      '## The API',
      '### curl',
      '### Scripts that run for years',
      '### Webhooks',
      '### Automations by script',
    ];
    const blocks = headings.flatMap((heading) => blocksOf(heading, 'sh'));
    expect(blocks).toHaveLength(headings.length);
    const text = blocks
      .join('\n')
      .replaceAll('http://localhost:8080', fresh.address)
      .replace('7K3M-Q2XD', claimCode)
      // What follows events for ever would let nothing run after it.
      .replace(/^curl -sN .*$/m, '')
      .replace(/^while true; do\n[^]*?^done$/m, '');
    const folder = makeFolder();
    writeFileSync(join(folder, 'example'), text);
    const { child, printed } = run(['sh', '-e', 'example'], folder);
    await vi.waitFor(() => expect(child.exitCode).toBe(0), SOON);
    const answers = printed()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers.filter((answer) => 'code' in answer)).toEqual([]);
    const devices = expect.arrayContaining([expect.objectContaining({ selector: 'kitchen-ceiling' })]);
    expect(answers).toMatchObject([
      { access_token: expect.any(String) },
      { id: 'mqtt' },
      devices,
      { device: 'kitchen-ceiling', status: 'confirmed' },
      { refresh_token: expect.any(String) },
      { access_token: expect.any(String) },
      devices,
      { device: 'kitchen-ceiling' },
      { name: 'Evening lights', token: expect.stringMatching(/^hat_/) },
      { device: null },
      { secret: expect.stringMatching(/^whsec_/) },
      { selector: 'light-in-the-evening', state: 'ready' },
    ]);
  },
);

test.runIf(needs('curl'))('the short example of the README ends with the stream of events', async () => {
  const [block = ''] = blocksOf('## The API', 'sh');
  const folder = makeFolder();
  writeFileSync(join(folder, 'example'), block.replace('http://localhost:8080', hub.address));
  const { printed } = run(['sh', 'example'], folder);
  await vi.waitFor(() => expect(printed()).toMatch(/"status":"confirmed"[^]*^event: hub\.heartbeat$/m), SOON);
});

test.runIf(needs('curl'))('the script with an API token reaches its room', async () => {
  const [block = ''] = blocksOf('### Scripts that run for years', 'sh');
  const folder = makeFolder();
  writeFileSync(join(folder, 'example'), `HUB=${hub.address}\nTOKEN=${token}\n${block}`);
  const { child, printed } = run(['sh', 'example'], folder);
  await vi.waitFor(() => expect(child.exitCode).toBe(0), SOON);
  const [made = '', command = '', rest] = printed().split('\n');
  expect(rest).toBe('');
  const { token: text } = JSON.parse(made) as { token: string };
  const { status, results } = JSON.parse(command) as { status: string; results: { device: string }[] };
  expect([status, results.map(({ device }) => device)]).toEqual([
    'confirmed',
    expect.arrayContaining(['kitchen-ceiling']),
  ]);
  const { json } = await hub.ask('GET', '/api/v1/device', { token: text });
  expect(new Set((json as { room: { selector: string } }[]).map(({ room }) => room.selector))).toEqual(
    new Set(['kitchen']),
  );
  const refused = await hub.ask('POST', '/api/v1/room', { token: text, body: { name: 'Attic' } });
  expect(refused.status).toBe(403);
});

test.runIf(needs('curl') && needs('python3'))(
  'the receiver of webhooks takes what the hub signed, and nothing else',
  async () => {
    const [add = ''] = blocksOf('### Webhooks', 'sh');
    const [receiver = ''] = blocksOf('### Webhooks', 'python');
    const folder = makeFolder();
    // A port that was free a moment ago.
    const way = await openWay(1);
    await way.block();
    const adding = `HUB=${hub.address}\nTOKEN=${token}\n${add.replace('localhost:9000', `127.0.0.1:${way.port}`)}`;
    writeFileSync(join(folder, 'add'), adding);
    const added = run(['sh', 'add'], folder);
    await vi.waitFor(() => expect(added.printed()).toMatch(/\}\s*$/), SOON);
    const { id, secret } = JSON.parse(added.printed()) as { id: string; secret: string };
    const text = receiver.replace('whsec_…', secret).replace('("", 9000)', `("127.0.0.1", ${way.port})`);
    writeFileSync(join(folder, 'receiver.py'), text);
    const receiving = run(['python3', 'receiver.py'], folder);
    const path = `/api/v1/webhook/${id}`;
    await vi.waitFor(async () => {
      const { json } = await hub.ask('POST', `${path}/test`, { token });
      expect(json).toMatchObject({ status: 204, error: null });
    }, SOON);
    await rename('Lamp of a webhook');
    await vi.waitFor(() => expect(receiving.printed()).toContain('Lamp of a webhook'), SOON);
    const forged = await fetch(`http://127.0.0.1:${way.port}/`, {
      method: 'POST',
      headers: { 'Hearthd-Signature': `t=${Math.floor(performance.timeOrigin / 1000)},v1=00` },
      body: '{"events":[]}',
    });
    expect(forged.status).toBe(403);
    expect((await hub.ask('DELETE', path, { token })).status).toBe(204);
  },
);
