import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { runHearthd, startHearthd, type HearthdCall, type HearthdRun } from '#test/support/daemon/run-hearthd.ts';

const PASSWORD = 'cup river stamp';
const JSON_TYPE = { 'Content-Type': 'application/json; charset=UTF-8' };
let folder = '';
let running: ChildProcess | undefined;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'hearthd-serve-'))));
afterEach(async () => {
  if (running !== undefined) await end('SIGKILL');
  rmSync(folder, { recursive: true });
});

const env = { HEARTHD_PORT: '0', HEARTHD_MQTT_URL: 'off', HEARTHD_SIMULATE: '1' };
const state = (): string => join(folder, 'state');
const run = (args: string[], call: HearthdCall = {}): Promise<HearthdRun> =>
  runHearthd([...args, '--state-dir', state()], { env, cwd: folder, ...call });

/** What the running hub has printed so far. */
let printed = '';

/** Starts the hub and resolves with its loopback address once it says that it is ready. */
async function serve(): Promise<string> {
  const child = startHearthd(['serve', '--state-dir', state()], { env, cwd: folder });
  running = child;
  printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.resume();
  await expect.poll(() => printed).toMatch(/^hearthd \S+ is ready: .*\n$/m);
  return /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
}

/** Exit code and the milliseconds it took. */
async function end(signal: NodeJS.Signals): Promise<{ code: number | null; tookMs: number }> {
  const child = running;
  running = undefined;
  const passedMs = startStopwatch();
  const code = await new Promise<number | null>((resolve) => {
    if (child === undefined || child.exitCode !== null) return resolve(null);
    child.once('exit', resolve);
    return child.kill(signal);
  });
  return { code, tookMs: passedMs() };
}

async function post(address: string, path: string, body: unknown): Promise<Response> {
  return await fetch(`${address}/api/v1/${path}`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
}

test('a new hub is claimed with the code of the command line, and the calls of the README work', async () => {
  const address = await serve();
  const claim = await run(['claim']);
  const [claim_code] = claim.stdout.split('\n');
  expect(printed).toContain(`Claim code: ${claim_code}\n`);
  const owner = { email: 'ada@example.org', password: PASSWORD };
  expect((await post(address, 'setup', { claim_code, ...owner, hub_name: 'Home' })).status).toBe(201);
  expect(await run(['claim'])).toMatchObject({ code: 65 });

  const tokens = (await (await post(address, 'login', owner)).json()) as Record<string, string>;
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, refresh_expires_in: 2_592_000 });
  const authorization = `Bearer ${tokens['access_token']}`;
  const listed = await fetch(`${address}/api/v1/device`, { headers: { authorization } });
  expect(Array.isArray(await listed.json())).toBe(true);
  const refreshed = await post(address, 'access_token', { refresh_token: tokens['refresh_token'] });
  expect(await refreshed.json()).toMatchObject({ expires_in: 86_400 });

  // A password that root sets ends the sessions of the running hub at once.
  const changed = await run(['user', 'password', owner.email, '--password-stdin'], { input: `${PASSWORD}s` });
  expect(changed).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await fetch(`${address}/api/v1/device`, { headers: { authorization } })).status).toBe(401);
});

test('S2: a second hub on the same state ends with 75 and harms nothing', async () => {
  const address = await serve();
  const second = await run(['serve']);
  expect(second).toMatchObject({ code: 75, stdout: '' });
  expect(second.stderr).toMatch(/^hearthd: another hearthd is using [^\n]+\n$/);
  expect((await fetch(`${address}/api`)).status).toBe(200);
  expect((await run(['claim'])).code).toBe(0);
});

test('S3: other users cannot open the control socket; SIGTERM ends the hub with 0 within 3 s and removes it', async () => {
  await serve();
  const socket = join(state(), 'run/control.sock');
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  const { code, tookMs } = await end('SIGTERM');
  expect(code).toBe(0);
  expectBelow('from SIGTERM to the end of the hub, ms', tookMs, 3_000);
  expect(existsSync(socket)).toBe(false);
});

test('X: after SIGKILL the commands work on the state, and the hub starts again', async () => {
  await serve();
  expect(await run(['user', 'add', 'ada@home', '--role', 'owner', '--password-stdin'], { input: PASSWORD })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  await end('SIGKILL');
  expect(existsSync(join(state(), 'run/control.sock'))).toBe(true);
  expect((await run(['user', 'list'])).stdout).toBe('ada@home\towner\tada\n');
  const address = await serve();
  expect((await post(address, 'login', { email: 'ada@home', password: PASSWORD })).status).toBe(200);
});

test('a backup and its restore go through the running hub', async () => {
  const address = await serve();
  await run(['user', 'add', 'ada@home', '--role', 'owner', '--password-stdin'], { input: PASSWORD });
  expect((await run(['backup', 'kept.db'])).code).toBe(0);
  await run(['user', 'add', 'bo@home', '--password-stdin'], { input: PASSWORD });
  expect(await run(['restore', 'kept.db', '--yes'])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await run(['user', 'list'])).stdout).toBe('ada@home\towner\tada\n');
  expect((await post(address, 'login', { email: 'bo@home', password: PASSWORD })).status).toBe(401);
  expect((await post(address, 'login', { email: 'ada@home', password: PASSWORD })).status).toBe(200);
});

test('doctor finds nothing that fails on a running hub', async () => {
  await serve();
  const { code, stdout } = await run(['doctor']);
  expect(stdout.split('\n').filter((line) => line.startsWith('fail'))).toEqual([]);
  expect(stdout).toMatch(/^ok {4}hub: version \S+ is running/m);
  expect(stdout).toMatch(/^ok {4}simulated-home: /m);
  expect(code).toBe(0);
});
