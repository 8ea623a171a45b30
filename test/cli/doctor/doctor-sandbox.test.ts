import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSandbox } from '#cli/doctor/doctor-sandbox.ts';
import { loadConfig } from '#config/load-config.ts';
import type { UnitState } from '#systemd/unit-state.ts';

const UNIT_FILE = readFileSync(join(import.meta.dirname, '../../../systemd/hearthd.service'), 'utf8');
const subnets = (/^IPAddressAllow=localhost (.*)$/m.exec(UNIT_FILE)?.[1] ?? '').split(' ');
const UNIT: UnitState = {
  active: 'active',
  sub: 'running',
  result: 'success',
  exitStatus: 0,
  restarts: 0,
  statusText: '',
  file: 'enabled',
  subnets: [
    '127.0.0.0/8',
    '::1/128',
    ...subnets.map((one) => (one.includes('/') ? one : `${one}/${one.includes(':') ? 128 : 32}`)),
  ],
  ports: [[80, 80]],
  writable: [],
};

function look(environment: Record<string, string>, unit: Partial<UnitState> = {}): string[] {
  const loaded = loadConfig({ environment, installed: true });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return checkSandbox(loaded.config, { ...UNIT, ...unit }).flatMap(({ level, text, details = [] }) => [
    `${level} ${text}`,
    ...details,
  ]);
}

test('the unit allows what the defaults need', () => {
  expect(look({})).toEqual(['ok allows what the configuration needs']);
});

test.each<[string, Record<string, string>, string]>([
  ['another port', { HEARTHD_PORT: '8123' }, 'SocketBindAllow=tcp:8123'],
  ['global IPv6', { HEARTHD_ALLOW_GUA: '1' }, 'IPAddressAllow=2000::/3'],
  ['carrier-grade NAT', { HEARTHD_ALLOW_CGNAT: '1' }, 'IPAddressAllow=100.64.0.0/10'],
  ['a public subnet', { HEARTHD_EXTRA_SUBNETS: '10.8.0.0/24,203.0.113.0/24' }, 'IPAddressAllow=203.0.113.0/24'],
  ['a wide subnet', { HEARTHD_EXTRA_SUBNETS: '10.0.0.0/7' }, 'IPAddressAllow=10.0.0.0/7'],
  ['a mapped subnet', { HEARTHD_EXTRA_SUBNETS: '::ffff:203.0.113.0/120' }, 'IPAddressAllow=203.0.113.0/24'],
  ['a public broker', { HEARTHD_MQTT_URL: 'mqtt://[2001:db8::5]:1883' }, 'IPAddressAllow=2001:db8::5/128'],
  ['another state folder', { HEARTHD_STATE_DIR: '/srv/hub' }, 'ReadWritePaths=/srv/hub'],
])('%s needs a drop-in, which is printed', (_, environment, line) => {
  const [text, ...lines] = look(environment);
  expect(text).toMatch(/^fail the unit does not allow what the configuration needs: /);
  expect(lines).toEqual(['[Service]', line]);
});

test('a drop-in that allows what is needed ends the complaint', () => {
  const environment = { HEARTHD_PORT: '8123', HEARTHD_ALLOW_GUA: '1', HEARTHD_STATE_DIR: '/srv/hub/state' };
  const unit = { ports: [[8000, 9000] as const], subnets: ['::/0'], writable: ['/srv/hub'] };
  expect(look({ ...environment, HEARTHD_MQTT_URL: 'mqtt://broker.lan' }, unit)).toEqual([
    'ok allows what the configuration needs',
  ]);
  expect(look({ HEARTHD_ALLOW_CGNAT: '1', HEARTHD_PORT: '1' }, { subnets: null, ports: null })).toHaveLength(1);
});

test('a password file that the unit hides is reported', () => {
  expect(look({ HEARTHD_MQTT_PASSWORD_FILE: '/home/ada/mqtt' })).toEqual(['fail the unit hides /home/ada/mqtt']);
});
