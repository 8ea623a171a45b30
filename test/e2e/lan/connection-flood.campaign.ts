import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

const runFile = promisify(execFile);
const FLOOD = join(import.meta.dirname, '../../support/attack/connection-flood.mjs');
/** A connection is accepted before another makes room for it. */
const JUST_ACCEPTED = 1;

let hubs: HubFolder;
let hub: HubProcess;
let port: number;

beforeAll(async () => {
  hubs = createHubFolder();
  hub = await hubs.serve();
  await claimHub(hub);
  port = Number(new URL(hub.address).port);
});
afterAll(() => hubs.close());

/** Milliseconds until a client that was never seen before has its answer. */
function timeFreshClient(localAddress: string): Promise<number> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', localAddress, path: '/api', agent: false });
    asked.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - startMs));
    });
    asked.on('error', reject).end();
  });
}

/** Connections of the hub by inode: the kernel's list is that of the whole machine, the hub's port is its own. */
function listOpen(): ReadonlySet<string> {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync(`/proc/${hub.pid}/net/tcp`, 'utf8').split('\n').slice(1);
  const established = rows.map((row) => row.trim().split(/\s+/)).filter((row) => row[1] === local && row[3] === '01');
  // A connection that the kernel has not yet handed over belongs to no process: its inode is 0.
  return new Set(established.map((row) => row[9] ?? '').filter((inode) => inode !== '0'));
}

/**
 * Connections that the hub holds at one moment. While the kernel writes its list some end and others come in their
 * place, and all of them are on it; those that are on two lists were open between the two, all at once.
 */
function countOpen(): number {
  const before = listOpen();
  const after = listOpen();
  return [...before].filter((inode) => after.has(inode)).length;
}

/** Measures how the hub serves others meanwhile. */
async function watchOthers(attack: Promise<unknown>, localAddress: string) {
  const freshMs: number[] = [];
  let mostOpen = 0;
  const ended = attack.then(() => 'ended' as const);
  do {
    freshMs.push(await timeFreshClient(localAddress));
    mostOpen = Math.max(mostOpen, countOpen());
  } while ((await Promise.race([ended, pause()])) !== 'ended');
  return { slowestMs: Math.max(...freshMs), mostOpen };
}

function pause(): Promise<'paused'> {
  return new Promise((resolve) => void setTimeout(() => resolve('paused'), 100));
}

/** Opens 10,000 connections; resolves with how long the last of them was left open. */
async function flood(kind: string): Promise<{ closed: number; longestMs: number }> {
  const { stdout } = await runFile(process.execPath, [FLOOD, String(port), '10000', kind]);
  return JSON.parse(stdout) as { closed: number; longestMs: number };
}

describe('H2: 10,000 connections', { timeout: 90_000 }, () => {
  test.each([
    ['silent', 9_000],
    ['header', 9_000],
    ['body', 15_000],
  ])('that are %s leave the caps standing and a fresh client served within 1 s', async (kind, limitMs) => {
    const attack = flood(kind);
    const { slowestMs, mostOpen } = await watchOthers(attack, '127.0.5.1');
    const { closed, longestMs } = await attack;
    expect(closed).toBe(10_000);
    expectBelow(`a ${kind} connection is left open, ms`, longestMs, limitMs);
    expect(mostOpen).toBeLessThanOrEqual(512 + JUST_ACCEPTED);
    expect(mostOpen).toBeGreaterThan(100);
    expectBelow('slowest answer for a fresh client, ms', slowestMs, 1_000);
  });

  test('leave nothing behind: the memory of the hub stays', async () => {
    expect((await hub.ask('GET', '/api/v1/health')).status).toBe(200);
    expectBelow('memory, MB', hub.memoryMb(), 250);
  });
});

describe.skipIf(!needs('slowhttptest'))('H2: slowhttptest', { timeout: 90_000 }, () => {
  test.each([
    ['slow headers', '/api', ['-H', '-i', '1']],
    ['slow body', '/api/v1/login', ['-B', '-i', '1', '-s', '4096', '-f', 'application/json']],
    ['slow read', '/api/v1/openapi.json', ['-X', '-w', '1', '-y', '16', '-n', '5', '-z', '32', '-k', '1']],
  ])('with %s never keeps another client from being served within 1 s', async (_mode, path, flags) => {
    const common = ['-c', '1000', '-r', '250', '-l', '8', '-p', '1', '-u', `${hub.address}${path}`];
    const attack = runFile('slowhttptest', [...flags, ...common], { timeout: 40_000 });
    const { slowestMs, mostOpen } = await watchOthers(attack, '127.0.5.2');
    expect(stripVTControlCharacters((await attack).stdout)).toMatch(/number of connections:\s+1000/);
    expect(mostOpen).toBeLessThanOrEqual(33 + JUST_ACCEPTED);
    expectBelow('slowest answer for a fresh client, ms', slowestMs, 1_000);
  });
});
