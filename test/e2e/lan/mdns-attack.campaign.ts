import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cpuUs } from '#test/bench/support/process-cost.ts';
import { DNS_TYPE } from '#lan/mdns/dns-message.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';
import { HUB_PORT, type NamespaceHub, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import {
  connectNamespaces,
  createNamespaces,
  type Namespace,
  type Namespaces,
} from '#test/support/machine/namespaces.ts';
import { machinePace } from '#test/support/machine/pace.ts';
import { needs } from '#test/support/machine/requires.ts';

const canRun = needs('root') && needs('ip');
const HUB = '192.168.50.1';
const ATTACKERS = 100;
/** Of a core. */
const MAX_SHARE = 0.4;
/** Asks the hub small things one after the other, and prints what each took. */
const TIMED = `
  const taken = [];
  for (const endMs = performance.now() + Number(process.argv[2]); performance.now() < endMs; ) {
    const startMs = performance.now();
    const { status } = await fetch(process.argv[1]);
    if (status !== 200) throw new Error(String(status));
    taken.push(performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stdout.write(JSON.stringify(taken));
`;

let folder: string;
let entry: string;
let attacker: string;
let spaces: Namespaces<'hub' | 'attacker' | 'phone' | 'switch'>;
const running: ChildProcess[] = [];

type Started = { readonly pid: number; readonly output: () => string; readonly stop: () => Promise<void> };

function start(space: Namespace, args: readonly string[]): Started {
  const child = space.start(process.execPath, args, {});
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  running.push(child);
  return { pid: child.pid ?? Number.NaN, output: () => output, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** What the phone hears when it asks for the address of a host, once. */
function ask(name: string): readonly string[] {
  const found = JSON.parse(spaces.phone.run(process.execPath, [entry, 'ask', 'eth0', name, String(DNS_TYPE.A)]));
  return (found as string[]).map((data) => [...Buffer.from(data, 'latin1')].join('.'));
}

function timeRequests(forMs: number): { p50: number; max: number; count: number } {
  const url = `http://${HUB}:${HUB_PORT}/api`;
  const taken = JSON.parse(
    spaces.phone.run(process.execPath, ['--input-type=module', '-e', TIMED, url, String(forMs)]),
  ) as number[];
  const sorted = taken.toSorted((left, right) => left - right);
  return { p50: sorted[sorted.length >> 1] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN, count: sorted.length };
}

describe.skipIf(!canRun)('the hub beside a hostile host', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hearthd-mdns-'));
    for (const name of ['entry', 'attacker']) mkdirSync(join(folder, name));
    const support = join(import.meta.dirname, '../../support');
    entry = await bundleEntry(join(support, 'attack/mdns-entry.ts'), join(folder, 'entry'));
    attacker = await bundleEntry(join(support, 'attack/mdns-attacker.ts'), join(folder, 'attacker'));
    spaces = createNamespaces('hub', 'attacker', 'phone', 'switch');
    spaces.switch.ip('link add br0 type bridge mcast_snooping 0', 'link set br0 up');
    for (const [index, space] of [spaces.hub, spaces.attacker, spaces.phone].entries()) {
      connectNamespaces([space, 'eth0'], [spaces.switch, `port${index}`]);
      spaces.switch.ip(`link set port${index} master br0`, `link set port${index} up`);
      space.ip('link set eth0 up', `addr add 192.168.50.${index + 1}/24 dev eth0`);
    }
    // An address that is made up is one that the host gives itself.
    const addresses = Array.from({ length: ATTACKERS - 1 }, (_, nth) => `addr add 192.168.50.${100 + nth}/24 dev eth0`);
    spaces.attacker.ip(...addresses);
  });
  afterEach(async () => {
    for (const child of running.splice(0)) await stop(child);
  });
  afterAll(() => {
    spaces.remove();
    rmSync(folder, { recursive: true });
  });

  describe('under a flood', () => {
    let hub: NamespaceHub;
    beforeAll(async () => {
      hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'eth0' });
    });
    afterAll(() => hub.stop());

    test.each([
      ['chain', 25],
      ['labels', 1_000],
      ['questions', 1_000],
      ['claims', 1_000],
    ])('of %s, %i a second, from a hundred addresses, answers its neighbour', async (kind, perS) => {
      await expect.poll(() => ask('hearthd.local')).toEqual([HUB]);
      const flood = start(spaces.attacker, [attacker, 'flood', 'eth0', kind, String(perS)]);
      const before = { us: cpuUs(hub.pid), ms: performance.now() };
      const { p50, max, count } = timeRequests(1_500);
      const share = (cpuUs(hub.pid) - before.us) / 1_000 / (performance.now() - before.ms);
      // A resolver asks again when it hears nothing.
      const tries = [ask('hearthd.local'), ask('hearthd.local')];
      await flood.stop();
      process.stdout.write(
        `${kind}, ${perS}/s: ${count} requests, p50 ${p50.toFixed(1)} ms, longest ${max.toFixed(0)} ms, ` +
          `hub ${(share * 100).toFixed(0)} % of a core\n`,
      );
      expect(flood.output()).toBe('');
      expectBelow(`longest request under ${kind}, ms`, max, 1_500);
      expectBelow(`share of a core under ${kind}`, share, MAX_SHARE * machinePace());
      expect(tries.flat()).toContain(HUB);
      expect(hub.log().match(/another host/g)?.length ?? 0).toBeLessThanOrEqual(2);
      expect(hub.log()).not.toContain('hearthd-2');
    });
  });

  test('finds services under a flood of them, and answers its neighbour', async () => {
    const hub = start(spaces.hub, [entry, 'browse', 'Home', 'eth0', '1', '_http._tcp', '_hue._tcp']);
    await expect.poll(() => ask('hearthd.local')).toEqual([HUB]);
    const flood = start(spaces.attacker, [attacker, 'flood', 'eth0', 'services', '1000']);
    const before = { us: cpuUs(hub.pid), ms: performance.now() };
    const tries = [ask('hearthd.local'), ask('hearthd.local'), ask('hearthd.local')];
    const share = (cpuUs(hub.pid) - before.us) / 1_000 / (performance.now() - before.ms);
    await flood.stop();
    const found = hub.output().match(/"type":"found"/g)?.length ?? 0;
    process.stdout.write(`services, 1000/s: ${found} found, hub ${(share * 100).toFixed(0)} % of a core\n`);
    expect(tries.flat()).toContain(HUB);
    expectBelow('share of a core under services', share, MAX_SHARE * machinePace());
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(1_000);
    expect(hub.output()).not.toContain('203.0.113.7');
    expect(hub.output().match(/too many services/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test('has its name again soon after one that kept it has left', async () => {
    const squatter = start(spaces.attacker, [attacker, 'squat', 'eth0']);
    const hub = start(spaces.hub, [entry, 'advertise', 'Home', 'eth0', '10']);
    await expect.poll(() => ask('hearthd-2.local')).toEqual([HUB]);
    await squatter.stop();
    await expect.poll(() => ask('hearthd.local')).toEqual([HUB]);
    expect(ask('hearthd-2.local')).toEqual([]);
    expect(hub.output().match(/another host has this name/g)).toHaveLength(1);
  });
});
