import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { processorMsOf, residentMbOf, startStopwatch } from '#test/support/machine/bounds.ts';
import { createContractCheck, readContract } from './contract-check.ts';
import { HANGS_AFTER_MS, type HearthdRun, runHearthd, startHearthd } from './run-hearthd.ts';

export const OWNER = { email: 'ada@example.org', password: 'cup river stamp' };
export const SPEC_JSON = { 'Content-Type': 'application/json; charset=UTF-8' };

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly bytes: Buffer;
};
export type Ask = {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Source address, as 127.0.0.3: each may have 32 connections. */
  readonly localAddress?: string;
};
export type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly session_id: string };

/** The shipped program as a process of its own, asked over its loopback address. */
export type HubProcess = {
  readonly address: string;
  readonly pid: number;
  /** From its start to the line that says it is ready. */
  readonly readyMs: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Answer>;
  /** Resident memory. */
  readonly memoryMb: () => number;
  /** Processor time of all its threads so far: says the same on a busy machine as on an idle one. */
  readonly cpuMs: () => number;
  /** Resolves when the process is gone. */
  readonly end: (signal: NodeJS.Signals) => Promise<{ readonly code: number | null; readonly tookMs: number }>;
};

/** A state folder of its own and the hubs that run on it, one after the other. */
export type HubFolder = {
  readonly folder: string;
  readonly serve: (env?: Readonly<Record<string, string>>, through?: readonly string[]) => Promise<HubProcess>;
  /** A command of the command line on this state. */
  readonly run: (args: readonly string[], input?: string) => Promise<HearthdRun>;
  /** Kills what still runs and removes the folder. */
  readonly close: () => Promise<void>;
};

const QUIET_ENV = { HEARTHD_PORT: '0', HEARTHD_MQTT_URL: 'off', HEARTHD_SIMULATE: '1', HEARTHD_LOG: 'warn' };

export function createHubFolder(): HubFolder {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-e2e-'));
  const stateArgs = ['--state-dir', join(folder, 'state')];
  const running = new Set<HubProcess>();
  return {
    folder,
    serve: async (env = {}, through = []) => {
      const child = startHearthd(['serve', ...stateArgs], { env: { ...QUIET_ENV, ...env }, cwd: folder, through });
      const hub = await awaitReady(child);
      running.add(hub);
      child.once('exit', () => running.delete(hub));
      return hub;
    },
    run: (args, input = '') => runHearthd([...args, ...stateArgs], { env: QUIET_ENV, cwd: folder, input }),
    close: async () => {
      for (const hub of running) await hub.end('SIGKILL');
      rmSync(folder, { recursive: true, maxRetries: 3 });
    },
  };
}

async function awaitReady(child: ChildProcess): Promise<HubProcess> {
  const sinceStartMs = startStopwatch();
  let stdout = '';
  let stderr = '';
  const exited = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (/ is ready: .*\n/.test(stdout)) resolve();
    });
  });
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const deadline = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
  await Promise.race([ready, exited]);
  clearTimeout(deadline);
  // Empty where another program has the port.
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0] ?? '';
  if (!stdout.includes(' is ready')) throw new Error(`the hub did not start: ${stdout}${stderr}`);
  const readyMs = sinceStartMs();
  const pid = child.pid ?? 0;
  return {
    address,
    pid,
    readyMs,
    stdout: () => stdout,
    stderr: () => stderr,
    ask: (method, path, ask = {}) => send(`${address}${path}`, method, ask),
    memoryMb: () => residentMbOf(pid),
    cpuMs: () => processorMsOf(pid),
    end: async (signal) => {
      const sinceSentMs = startStopwatch();
      child.kill(signal);
      return { code: await exited, tookMs: sinceSentMs() };
    },
  };
}

/** By node:http, which sends every header that it is given, `Host` too. */
async function send(url: string, method: string, ask: Ask): Promise<Answer> {
  const { token, body, raw, headers, signal, localAddress } = ask;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return await new Promise<Answer>((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: {
        ...(body === undefined ? {} : SPEC_JSON),
        ...(content === undefined ? {} : { 'Content-Length': Buffer.byteLength(content) }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    sent.once('error', reject);
    sent.once('response', (response) => void readAnswer(response).then(resolve, reject));
    sent.end(content);
  }).then((answer) => withinContract({ method, target: url.slice(new URL(url).origin.length) }, answer));
}

const MAX_CHECKED_BYTES = 1024 * 1024;
const contract = readContract();
const checkAnswer = createContractCheck(contract);

/** Refuses an answer of the API that differs from the OpenAPI document, which has no pages and no preflights. */
function withinContract(asked: { readonly method: string; readonly target: string }, answer: Answer): Answer {
  const { status, headers, json } = answer;
  if (!/^\/(api|problems)\b/.test(asked.target) || asked.method === 'OPTIONS') return answer;
  // Tests of a house of thousands measure time; small houses check the content.
  if (answer.bytes.length > MAX_CHECKED_BYTES) return answer;
  const findings = checkAnswer({ ...asked, status, headers, body: json === null ? '' : JSON.stringify(json) });
  if (findings.length === 0) return answer;
  throw new Error(`${asked.method} ${asked.target} breaks the contract: ${findings.join('; ')}`);
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const isJson = response.headers['content-type']?.includes('json') === true && bytes.length > 0;
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return { status: response.statusCode ?? 0, headers, json: isJson ? JSON.parse(bytes.toString()) : null, bytes };
}

/** Makes the owner with the code that the hub shows. */
export async function claimHub(hub: HubProcess): Promise<Tokens> {
  const claim_code = /Claim code: (\S+)/.exec(hub.stdout())?.[1];
  const { status, json } = await hub.ask('POST', '/api/v1/setup', { body: { claim_code, ...OWNER } });
  expect(status).toBe(201);
  return json as Tokens;
}

export async function logIn(hub: HubProcess, who: { email: string; password: string } = OWNER): Promise<Tokens> {
  const { status, json } = await hub.ask('POST', '/api/v1/login', { body: who });
  expect(status).toBe(200);
  return json as Tokens;
}

/** A session of a new person who may see all that the owner may: streams and rations are counted by person. */
export async function logInAnother(hub: HubProcess, ownerToken: string): Promise<Tokens> {
  const { json: people } = await hub.ask('GET', '/api/v1/user', { token: ownerToken });
  const who = { email: `person-${(people as unknown[]).length}@example.org`, password: OWNER.password };
  const body = { ...who, name: who.email, role: 'admin' };
  const { status } = await hub.ask('POST', '/api/v1/user', { token: ownerToken, body });
  expect(status).toBe(201);
  return await logIn(hub, who);
}

export type FeatureJson = { readonly key: string; readonly value: unknown; readonly quality: string };
export type DeviceJson = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly room: { readonly id: string; readonly name: string } | null;
  readonly availability: { readonly state: string };
  readonly features: readonly FeatureJson[];
};

/** Waits until there are so many devices. */
export async function listDevices(hub: HubProcess, token: string, count: number): Promise<readonly DeviceJson[]> {
  return await vi.waitFor(
    async () => {
      const { status, json } = await hub.ask('GET', '/api/v1/device', { token });
      if (status !== 200) throw new Error(`the list of devices is answered ${status}`);
      const devices = json as readonly DeviceJson[];
      if (devices.length !== count) throw new Error(`there are ${devices.length} devices, not ${count}`);
      return devices;
    },
    { interval: 25 },
  );
}
