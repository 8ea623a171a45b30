import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { type NetworkInterfaceInfo, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkNetwork, checkPort } from '#cli/doctor/doctor.ts';
import type { Finding } from '#core/past/hour/history-check.ts';
import type { NetworkConfig } from '#config/config.ts';
import { needs } from '#test/support/machine/requires.ts';

const NETWORK: NetworkConfig = {
  interfaces: [],
  exclude: [],
  extraSubnets: [],
  allowGua: false,
  allowCgnat: false,
  denyGateway: false,
  hosts: [],
  origins: [],
};
let sysClassNet = '';
beforeEach(() => (sysClassNet = mkdtempSync(join(tmpdir(), 'hearthd-net-'))));
afterEach(() => rmSync(sysClassNet, { recursive: true }));

function addInterface(name: string, type: number, isPhysical: boolean): void {
  mkdirSync(join(sysClassNet, name, isPhysical ? 'device' : '.'), { recursive: true });
  writeFileSync(join(sysClassNet, name, 'type'), `${type}\n`);
}

function look(addresses: Record<string, string>, change: Partial<NetworkConfig> = {}): Finding {
  const infoOf = (cidr: string): NetworkInterfaceInfo => ({
    address: cidr.split('/')[0] ?? '',
    netmask: '',
    family: 'IPv4',
    mac: '',
    internal: false,
    cidr,
  });
  const entries = Object.entries(addresses).map(([name, cidr]): [string, NetworkInterfaceInfo[]] => [
    name,
    [infoOf(cidr)],
  ]);
  const sources = { sysClassNet, networkInterfaces: () => Object.fromEntries(entries), readProcNet: () => '' };
  return checkNetwork(sources, { ...NETWORK, ...change });
}

test('doctor lists the served addresses, and why each interface is or is not the LAN', () => {
  addInterface('eth0', 1, true);
  addInterface('wg0', 65_534, false);
  const finding = look({ eth0: '192.168.1.5/24', wg0: '10.9.0.1/24' });
  expect(finding).toMatchObject({ level: 'ok', text: 'serves 192.168.1.5 and loopback' });
  expect(finding.details).toEqual([
    'eth0: LAN, a physical network interface, 192.168.1.0/24',
    expect.stringMatching(/^wg0: not the LAN, .*tunnel/),
  ]);
});

test('doctor warns if only loopback is served, and about names of missing interfaces', () => {
  addInterface('eth0', 1, true);
  const finding = look({ eth0: '203.0.113.5/24' }, { interfaces: ['eth9'] });
  expect(finding).toMatchObject({ level: 'warn', text: 'no LAN address, serves loopback only' });
  expect(finding.details?.at(-1)).toBe('eth9: named in network.interfaces, but does not exist');
});

/** Listens on a loopback address in this process. */
async function listen(port: number, host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const lookAtPort = (port: number, hubPid: number | null) =>
  checkPort({ port, file: '/etc/hearthd/hearthd.toml' }, hubPid);

test('a port that only the hub has is in order, as is a free one if no hub runs', async () => {
  const port = await listen(0, '127.0.0.1');
  await listen(port, '127.0.0.2');
  expect(lookAtPort(port, process.pid)).toMatchObject({ level: 'ok', text: `${port} is held by the hub` });
  expect(lookAtPort(1, null)).toMatchObject({ level: 'ok', text: '1 is free' });
  expect(lookAtPort(1, process.pid)).toMatchObject({ level: 'warn' });
});

test.runIf(needs('python3'))('a process that has the port on another address is named, also beside a hub', async () => {
  const port = await listen(0, '127.0.0.1');
  const listener = `import socket, time
s = socket.create_server(("127.0.0.3", ${port}))
print("listening", flush=True)
time.sleep(60)`;
  const other = spawn('python3', ['-c', listener]);
  onTestFinished(() => void other.kill());
  await new Promise((resolve) => void other.stdout.once('data', resolve));
  const { level, text, advice } = lookAtPort(port, process.pid);
  expect(level).toBe('fail');
  expect(text).toMatch(new RegExp(`^${port} is held by python3?[\\d.]* \\(process ${other.pid}[,)]`));
  expect(advice).toContain('or set another port in /etc/hearthd/hearthd.toml');
});
