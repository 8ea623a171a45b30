import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { claimHub, createHubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

const EXAMPLES = join(import.meta.dirname, '../../packaging/examples');
const SIMULATOR = join(import.meta.dirname, '../support/peers/modbus-meter-simulator.py');
const SOON = { interval: 100 };

type DeviceJson = {
  id: string;
  selector: string;
  availability: { state: string; reason: string | null };
  features: { key: string; value: unknown; quality: string }[];
};

const hubs = createHubFolder();
let hub: HubProcess;
let port: string;
let owner: string;

const serve = async (): Promise<void> => {
  hub = await hubs.serve({ HEARTHD_SIMULATE: '0', HEARTHD_PORT: port });
};
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = String((server.address() as AddressInfo).port);
  server.close();
  await once(server, 'close');
  await serve();
  owner = (await claimHub(hub)).access_token;
});
afterAll(hubs.close);

const ask = async (line: string, body?: unknown, token = owner): Promise<{ status: number; json: never }> => {
  const [method = '', path = ''] = line.split(' ');
  const { status, json } = await hub.ask(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
  return { status, json: (json ?? {}) as never };
};
const makeToken = async (provider: string): Promise<string> => {
  const { json } = await ask('POST /api_token', { name: provider, scopes: ['device:provide'], provider });
  return (json as { token: string }).token;
};
const deviceOf = async (integration: string): Promise<DeviceJson> => {
  const [device] = (await ask(`GET /device?integration=${integration}`)).json as DeviceJson[];
  if (device === undefined) throw new Error(`${integration} has no device`);
  return device;
};
const inShort = ({ availability, features }: DeviceJson, key: string): string => {
  const { value, quality } = features.find((one) => one.key === key) ?? {};
  return [availability.state, availability.reason ?? [], JSON.stringify(value), quality].flat().join(' ');
};
const untilShown = (integration: string, key: string, expected: string): Promise<void> =>
  vi.waitFor(async () => expect(inShort(await deviceOf(integration), key)).toBe(expected), SOON);

/** Starts an example as its head says. Ends with the test. */
async function startExample(program: string, file: string, env: Readonly<Record<string, string>>): Promise<void> {
  const name = env['NAME'] ?? '';
  const tokenFile = join(hubs.folder, `${name}.token`);
  writeFileSync(tokenFile, `${await makeToken(name)}\n`);
  const child = spawn(program, [join(EXAMPLES, file)], {
    env: { PATH: process.env['PATH'], HUB: hub.address, TOKEN_FILE: tokenFile, ...env },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill());
}

/** The meter, with the port on which it listens. */
async function startMeter(at = '0'): Promise<{ readonly meter: ChildProcess; readonly meterPort: string }> {
  const meter = spawn('/usr/bin/python3', [SIMULATOR, at], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void meter.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: meter.stdout }), 'line')) as [string];
  return { meter, meterPort: line };
}

test.runIf(needs('python3-pymodbus'))(
  'the example in Python brings in a Modbus meter, its new values, its silence and its return',
  async () => {
    const { meter, meterPort } = await startMeter();
    const env = { NAME: 'meter', METER: `127.0.0.1:${meterPort}`, EVERY_S: '0.2' };
    await startExample('/usr/bin/python3', 'modbus-meter.py', env);
    await untilShown('meter', 'power', 'online 461 confirmed');
    await untilShown('meter', 'energy', 'online 1200.25 confirmed');
    expect((await deviceOf('meter')).features).toHaveLength(6);
    meter.stdin?.write('power 99.5\n');
    await untilShown('meter', 'power', 'online 99.5 confirmed');
    meter.kill('SIGKILL');
    await untilShown('meter', 'power', 'offline unreachable 99.5 confirmed');
    await startMeter(meterPort);
    await untilShown('meter', 'power', 'online 461 confirmed');
  },
);

test.runIf(needs('curl'))(
  'the example in shell reports a temperature, and brings a removed device back with its id',
  async () => {
    const sensor = join(hubs.folder, 'thermal');
    writeFileSync(sensor, '48312\n');
    await startExample('/bin/sh', 'cpu-temperature.sh', { NAME: 'cpu', SENSOR: sensor, EVERY_S: '0.2' });
    await untilShown('cpu', 'temperature', 'online 48.3 confirmed');
    writeFileSync(sensor, '-1200\n');
    await untilShown('cpu', 'temperature', 'online -1.2 confirmed');
    const { id, selector } = await deviceOf('cpu');
    expect((await ask(`DELETE /device/${selector}`)).status).toBe(204);
    await untilShown('cpu', 'temperature', 'online -1.2 confirmed');
    expect((await deviceOf('cpu')).id).toBe(id);
  },
);

test.runIf(needs('curl'))(
  'the example in Node.js carries out commands and says why it cannot; it and another script find a hub that was killed',
  async () => {
    const led = join(hubs.folder, 'led');
    writeFileSync(led, '0\n');
    const sensor = join(hubs.folder, 'thermal');
    writeFileSync(sensor, '20000\n');
    await startExample('/bin/sh', 'cpu-temperature.sh', { NAME: 'cpu', SENSOR: sensor, EVERY_S: '0.2' });
    await startExample(process.execPath, 'led.mjs', { NAME: 'led', LED: led });
    await untilShown('led', 'on', 'online false confirmed');
    const { selector } = await deviceOf('led');
    const give = async (on: boolean): Promise<unknown> => {
      const headers = { Prefer: 'wait=8' };
      const path = `/api/v1/device/${selector}/command`;
      return (await hub.ask('POST', path, { token: owner, body: { set: { on } }, headers })).json;
    };
    expect(await give(true)).toMatchObject({ status: 'confirmed', evidence: 'state_report' });
    expect(readFileSync(led, 'utf8')).toBe('1');
    rmSync(led);
    mkdirSync(led);
    expect(await give(false)).toMatchObject({
      status: 'failed',
      results: [{ reason: 'The LED cannot be switched: EISDIR.' }],
    });
    rmSync(led, { recursive: true });
    writeFileSync(led, '1');
    await untilShown('cpu', 'temperature', 'online 20 confirmed');
    await hub.end('SIGKILL');
    await serve();
    await untilShown('cpu', 'temperature', 'online 20 confirmed');
    await untilShown('led', 'on', 'online true confirmed');
    expect(await give(false)).toMatchObject({ status: 'confirmed', evidence: 'state_report' });
  },
);
