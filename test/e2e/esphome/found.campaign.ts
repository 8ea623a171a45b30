import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeDnsMessage } from '#lan/mdns/dns-message.ts';
import { HUB_PORT, type NamespaceHub, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import { FIRMWARE, FIRMWARE_MAC } from '#test/support/esphome/real-firmware.ts';
import { type Announced, EMPTY, recordsOf } from '#test/support/lan/announced.ts';
import { connectNamespaces, createNamespaces, type Namespaces } from '#test/support/machine/namespaces.ts';
import { needs } from '#test/support/machine/requires.ts';

const canRun = needs('root') && needs('ip') && needs('curl') && needs('esphome-firmware');
const SOON = { timeout: 25_000, interval: 200 };
/** As a node announces itself in a network. */
const NODE: Announced = {
  name: 'testnode',
  type: '_esphomelib._tcp',
  host: 'testnode',
  port: 6_053,
  addresses: ['192.168.50.77'],
  txt: ['friendly_name=Test Node', `mac=${FIRMWARE_MAC}`, 'version=2026.6.5', 'platform=HOST'],
  ttlS: 120,
};

type Json = Readonly<Record<string, unknown>>;

let spaces: Namespaces<'hub' | 'node'>;
let hub: NamespaceHub;
let endNode = async (): Promise<void> => undefined;

/** Calls the API of the hub from its own machine. */
function call(line: string, token: string | null, body?: object): Json {
  const [method = '', path = ''] = line.split(' ');
  const authorize = token === null ? [] : ['-H', `Authorization: Bearer ${token}`];
  const json = body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
  const url = `http://127.0.0.1:${HUB_PORT}/api/v1${path}`;
  const text = spaces.hub.run('curl', ['-sS', '-X', method, '-H', 'Prefer: wait=10', ...authorize, ...json, url]);
  return JSON.parse(text) as Json;
}

describe.skipIf(!canRun)('the real firmware in the network of the hub', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    spaces = createNamespaces('hub', 'node');
    connectNamespaces([spaces.hub, 'lan0'], [spaces.node, 'eth0']);
    spaces.hub.ip('link set lan0 up', 'addr add 192.168.50.1/24 dev lan0');
    spaces.node.ip('link set lo up', 'link set eth0 up', 'addr add 192.168.50.77/24 dev eth0');
    const packet = encodeDnsMessage({ ...EMPTY, isResponse: true, answers: recordsOf(NODE) });
    const script = join(import.meta.dirname, '../../support/esphome/lan-node.mjs');
    const announced = JSON.stringify([Buffer.from(packet).toString('base64')]);
    const child = spaces.node.start(process.execPath, [script, FIRMWARE, announced], {});
    endNode = async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    };
    if (child.stdout !== null) await once(child.stdout, 'data');
    hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'lan0' });
  });
  afterAll(async () => {
    await hub.stop();
    await endNode();
    spaces.remove();
  });

  test('is found by mDNS, set up with a key of its own, and obeys through it', async () => {
    const account = { name: 'Ada', email: 'ada@home.test', password: 'cup river stamp' };
    const token = String(call('POST /setup', null, { claim_code: hub.claimCode, ...account })['access_token']);
    const list = (path: string): readonly Json[] => call(`GET ${path}`, token) as unknown as readonly Json[];
    const found = (): readonly Json[] => list('/integration_found');
    await expect.poll(found, SOON).toMatchObject([{ kind: 'esphome', name: 'Test Node' }]);

    const { id } = call('POST /integration_setup', token, { found: found()[0]?.['id'] });
    const read = (): Json => call(`GET /integration_setup/${String(id)}`, token);
    const stepType = (): unknown => (read()['step'] as Json | null)?.['type'] ?? read()['status'];
    const answer = (given: object): Json => call(`POST /integration_setup/${String(id)}`, token, { answer: given });
    await expect.poll(stepType, SOON).toBe('choose');
    answer({ option: 'set' });
    await expect.poll(stepType, SOON).toBe('show');
    const { code: key } = read()['step'] as { readonly code: string };
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    answer({});
    await expect.poll(stepType, SOON).toBe('done');

    const { integration } = read() as { readonly integration: { readonly id: string } };
    const state = (): unknown => call(`GET /integration/${integration.id}`, token)['status'];
    await expect.poll(state, SOON).toBe('connected');
    expect(found()).toEqual([]);
    const node = (): Json | undefined => list('/device').find((one) => one['parent'] === null);
    await expect.poll(() => node()?.['availability'], SOON).toMatchObject({ state: 'online' });
    const selector = String(node()?.['selector']);
    for (const on of [true, false]) {
      const sent = call(`POST /device/${selector}/command`, token, { set: { 'relay.on': on } });
      expect(sent).toMatchObject({ status: 'confirmed', evidence: 'state_report' });
    }
    // The key is a secret: nobody reads it again, and who has none gets nothing from the node.
    expect(JSON.stringify(call(`GET /integration/${integration.id}`, token))).not.toContain(key);
    const other = call('POST /integration_setup', token, { kind: 'esphome' });
    const place = `/integration_setup/${String(other['id'])}`;
    const step = (): Json | null => call(`GET ${place}`, token)['step'] as Json | null;
    await expect.poll(() => step()?.['type'], SOON).toBe('form');
    call(`POST ${place}`, token, { answer: { host: '192.168.50.77' } });
    await expect.poll(() => JSON.stringify(step()?.['fields']), SOON).toContain('"key"');
  });
});
