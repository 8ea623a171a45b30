import { describe, expect, test } from 'vitest';
import { type ApiAnswer, type IntegrationApi, openIntegrationApi } from '#test/support/kinds/integration-api.ts';

const BROKER = { kind: 'mqtt', settings: { address: 'mqtt://192.168.1.2', user: 'hub', password: 'hush' } };
const codeOf = ({ status, json }: ApiAnswer): string => `${status} ${json.code}`;
const pointersOf = ({ json }: ApiAnswer): unknown => json.errors?.map(({ pointer }) => pointer);

/** Zigbee2MQTT and its broker, as the hub has them after an upgrade. */
async function openBrokered(): Promise<IntegrationApi> {
  const api = await openIntegrationApi();
  await api.call('POST /integration', BROKER);
  await api.call('POST /integration', { kind: 'zigbee2mqtt', settings: { broker: 'mqtt' } });
  return api;
}

test('an integration is added with its settings, shown, changed, and removed', async () => {
  const { call, audited } = await openIntegrationApi();
  const added = await call('POST /integration', { kind: 'toy_box', name: 'Toys', settings: { host: '192.168.1.20' } });
  expect([added.status, added.headers.get('location')]).toEqual([201, '/api/v1/integration/toy_box']);
  expect(added.json).toEqual({
    id: 'toy_box',
    kind: 'toy_box',
    name: 'Toys',
    has_own_name: true,
    status: 'off',
    since: '2026-01-01T00:00:00.000Z',
    error: null,
    devices: 0,
    can_pair: false,
    pairs_by_code: false,
    is_set_up: true,
    enabled: true,
    enabled_fixed_by: null,
    fixed_by: null,
    revision: 1,
    settings: {
      host: { value: '192.168.1.20', fixed_by: null },
      room: { value: null, fixed_by: null },
      key: { is_set: false, fixed_by: null },
    },
  });
  const changed = await call('PATCH /integration/toy_box', { name: 'Box', settings: { room: 'attic', key: 'hush' } });
  expect(changed.json).toMatchObject({
    name: 'Box',
    settings: { host: { value: '192.168.1.20' }, room: { value: 'attic' }, key: { is_set: true } },
  });
  expect(JSON.stringify(changed.json)).not.toContain('hush');
  const back = await call('PATCH /integration/toy_box', { enabled: false, settings: { room: null } });
  expect(back.json).toMatchObject({ enabled: false, settings: { room: { value: null } } });
  expect((await call('DELETE /integration/toy_box?devices=remove')).status).toBe(204);
  expect(codeOf(await call('GET /integration/toy_box'))).toBe('404 NOT_FOUND');
  expect(audited.map(({ type, detail }) => `${type} ${detail}`)).toEqual([
    'integration.added toy_box',
    'integration.changed toy_box key,name,room',
    'integration.changed toy_box enabled,room',
    'integration.removed toy_box remove',
  ]);
});

test('a change or removal that is based on an earlier revision is refused', async () => {
  const { call } = await openBrokered();
  const etag = (await call('GET /integration/mqtt')).headers.get('etag') ?? '';
  const rename = (name: string) => call(`PATCH /integration/mqtt ${etag}`, { name });
  expect([(await rename('Broker')).status, codeOf(await rename('Other'))]).toEqual([200, '412 PRECONDITION_FAILED']);
  const released = { address: 'mqtt://192.168.1.3', password: 'hush', base_topic: 'other' };
  expect((await call('PATCH /integration/zigbee2mqtt "1"', released)).status).toBe(200);
  expect((await call('PATCH /integration/zigbee2mqtt "1"', released)).status).toBe(412);
  expect((await call(`DELETE /integration/mqtt ${etag}`)).status).toBe(412);
});

test('the list has the state of each integration; needs_action says what to do', async () => {
  const { call, statuses } = await openBrokered();
  const error = { code: 'KEY_REFUSED', message: 'Set it up again' };
  statuses.set('mqtt', { state: 'needs_action', sinceMs: 1_767_225_600_001, error });
  const list = (await call('GET /integration', undefined, 'resident')).json;
  expect(list).toMatchObject([
    { id: 'mqtt', kind: 'mqtt', status: 'needs_action', since: '2026-01-01T00:00:00.001Z', error, can_pair: false },
    { id: 'zigbee2mqtt', kind: 'zigbee2mqtt', status: 'off', can_pair: true },
  ]);
  expect(JSON.stringify(list)).not.toContain('settings');
});

describe('settings are refused', () => {
  const bodies: readonly [what: string, body: unknown, code: string, pointers: unknown][] = [
    ['of an unknown kind', { kind: 'nest', settings: {} }, '404 NOT_FOUND', undefined],
    ['without a required one', { kind: 'toy_box' }, '422 VALIDATION_FAILED', ['/settings/host']],
    [
      'with an unknown one',
      { kind: 'toy_box', settings: { host: '192.168.1.2', x: 1 } },
      '422 VALIDATION_FAILED',
      ['/settings/x'],
    ],
    ['of another type', { kind: 'toy_box', settings: { host: 7 } }, '422 VALIDATION_FAILED', ['/settings/host']],
    [
      'that are no plain values',
      { kind: 'toy_box', settings: { host: {} } },
      '422 VALIDATION_FAILED',
      ['/settings/host'],
    ],
    ['that are a list', { kind: 'toy_box', settings: [] }, '422 VALIDATION_FAILED', ['/settings']],
    [
      'outside the LAN',
      { kind: 'toy_box', settings: { host: '8.8.8.8' } },
      '422 VALIDATION_FAILED',
      ['/settings/host'],
    ],
    [
      'of the hub itself',
      { kind: 'toy_box', settings: { host: '127.0.0.1' } },
      '422 VALIDATION_FAILED',
      ['/settings/host'],
    ],
    ['with an id of the caller', { kind: 'toy_box', id: 'x', settings: {} }, '422 VALIDATION_FAILED', ['/id']],
  ];
  test.each(bodies)('%s', async (...[, body, code, pointers]) => {
    const { call, instances } = await openIntegrationApi();
    const answer = await call('POST /integration', body);
    expect([codeOf(answer), pointersOf(answer)]).toEqual([code, pointers]);
    expect(instances.list()).toEqual([]);
  });

  test('with 1 MB', async () => {
    const { call } = await openIntegrationApi();
    const body = { kind: 'toy_box', settings: { host: 'x'.repeat(1_000_000) } };
    expect(codeOf(await call('POST /integration', body))).toBe('413 PAYLOAD_TOO_LARGE');
  });
});

test('an owner may name an address of the hub itself', async () => {
  const { call } = await openIntegrationApi();
  const body = { kind: 'toy_box', settings: { host: '127.0.0.1:8080' } };
  expect((await call('POST /integration', body, 'owner')).status).toBe(201);
});

test('a caller who loses the right while the body is on its way changes nothing', async () => {
  const { call, demoted, instances } = await openBrokered();
  demoted.add('user-admin');
  expect(codeOf(await call('POST /integration', BROKER))).toBe('403 FORBIDDEN');
  expect(codeOf(await call('DELETE /integration/mqtt'))).toBe('403 FORBIDDEN');
  expect(instances.list()).toHaveLength(2);
});

describe('zigbee2mqtt, for clients of version 0.1', () => {
  test('shows the settings of its broker as its own', async () => {
    const { call } = await openBrokered();
    expect((await call('GET /integration/zigbee2mqtt')).json.settings).toEqual({
      broker: { value: 'mqtt', fixed_by: null },
      base_topic: { value: 'zigbee2mqtt', fixed: false, fixed_by: null },
      enabled: { value: true, fixed: false, fixed_by: null },
      address: { value: 'mqtt://192.168.1.2', fixed: false, fixed_by: null },
      user: { value: 'hub', fixed: false, fixed_by: null },
      password: { is_set: true, fixed: false, fixed_by: null },
    });
    expect((await call('GET /integration/mqtt')).json.settings).toEqual({
      address: { value: 'mqtt://192.168.1.2', fixed_by: null },
      user: { value: 'hub', fixed_by: null },
      password: { is_set: true, fixed_by: null },
    });
  });

  test('takes the five flat fields, for both integrations', async () => {
    const { call, instances, audited } = await openBrokered();
    const body = { enabled: false, address: 'mqtt://192.168.1.3', user: 'me', password: 'new', base_topic: 'z2m' };
    const { status, json } = await call('PATCH /integration/zigbee2mqtt', body);
    expect([status, json.enabled, json.settings?.['base_topic']?.value]).toEqual([200, false, 'z2m']);
    expect(json.settings?.['address']?.value).toBe('mqtt://192.168.1.3');
    expect(await instances.readSecret('mqtt', 'password')).toBe('new');
    expect(instances.find('mqtt')?.enabled.value).toBe(true);
    expect(audited.at(-1)).toMatchObject({ detail: 'zigbee2mqtt address,base_topic,enabled,password,user' });
  });

  test('needs the password again with a new address, and names the field as 0.1 did', async () => {
    const { call, instances } = await openBrokered();
    const answer = await call('PATCH /integration/zigbee2mqtt', { address: 'mqtt://192.168.1.66', base_topic: 'x' });
    expect([codeOf(answer), pointersOf(answer)]).toEqual(['422 VALIDATION_FAILED', ['/password']]);
    expect(instances.find('zigbee2mqtt')?.settings['base_topic']).toMatchObject({ value: 'zigbee2mqtt' });
  });

  test('leaves both as they are if one of them refuses its part', async () => {
    const { call, instances, world } = await openBrokered();
    const before = world.events.length;
    const body = { address: 'mqtt://192.168.1.3', password: 'new', base_topic: '' };
    const answer = await call('PATCH /integration/zigbee2mqtt', body);
    expect([codeOf(answer), pointersOf(answer)]).toEqual(['422 VALIDATION_FAILED', ['/base_topic']]);
    expect(instances.find('mqtt')?.settings).toMatchObject({ address: { value: 'mqtt://192.168.1.2' } });
    expect([await instances.readSecret('mqtt', 'password'), world.events.length]).toEqual(['hush', before]);
  });

  test('takes the password away with its user', async () => {
    const { call, instances } = await openBrokered();
    expect((await call('PATCH /integration/zigbee2mqtt', { user: null })).status).toBe(200);
    expect(instances.find('mqtt')?.settings).toMatchObject({ user: { value: null }, password: { isSet: false } });
  });

  test('refuses them without a broker, and others refuse them always', async () => {
    const { call } = await openBrokered();
    const other = await call('PATCH /integration/mqtt', { address: 'mqtt://192.168.1.3', base_topic: 'x' });
    expect([codeOf(other), pointersOf(other)]).toEqual(['422 VALIDATION_FAILED', ['/address', '/base_topic']]);
    await call('DELETE /integration/mqtt');
    expect((await call('GET /integration/zigbee2mqtt')).json.settings?.['address']?.value).toBeNull();
    const alone = await call('PATCH /integration/zigbee2mqtt', { address: 'mqtt://192.168.1.3' });
    expect(codeOf(alone)).toBe('409 NOT_SUPPORTED');
  });

  test.each([{ enabled: 1 }, { adress: 'mqtt://10.0.0.1' }, { address: null }, [], { settings: 1 }])(
    'refuses %j',
    async (body) => {
      const { call, world } = await openBrokered();
      const before = world.events.length;
      expect(codeOf(await call('PATCH /integration/zigbee2mqtt', body))).toBe('422 VALIDATION_FAILED');
      expect(world.events).toHaveLength(before);
    },
  );
});

test('an integration in safe mode is started again by switching it on', async () => {
  const { call, safe } = await openBrokered();
  safe.add('mqtt');
  await call('PATCH /integration/mqtt', { name: 'Broker' });
  expect(safe.has('mqtt')).toBe(true);
  expect((await call('PATCH /integration/mqtt', { enabled: true })).status).toBe(200);
  expect(safe.has('mqtt')).toBe(false);
});

test('devices of a removed integration are kept unless the caller says otherwise', async () => {
  const { call, world } = await openBrokered();
  await call('DELETE /integration/zigbee2mqtt');
  expect(world.events.at(-1)).toEqual({ type: 'removed', id: 'zigbee2mqtt', devices: 'keep' });
  expect(codeOf(await call('DELETE /integration/mqtt?devices=all'))).toBe('400 INVALID_QUERY');
  expect(codeOf(await call('DELETE /integration/nest'))).toBe('404 NOT_FOUND');
});

test('POST opens pairing for the requested seconds and DELETE closes it', async () => {
  const { call, pairing } = await openBrokered();
  const opened = await call('POST /integration/zigbee2mqtt/pairing', { seconds: 120 });
  expect([opened.status, opened.json]).toEqual([200, { seconds: 120 }]);
  expect((await call('DELETE /integration/zigbee2mqtt/pairing')).status).toBe(204);
  expect(pairing).toEqual([
    ['zigbee2mqtt', 120],
    ['zigbee2mqtt', 0],
  ]);
});

test.each([
  { seconds: 0 },
  { seconds: 255 },
  { seconds: 1.5 },
  { seconds: '9' },
  {},
  { seconds: 9, ever: true },
  [],
  null,
])('pairing with the body %j is refused', async (body) => {
  const { call, pairing } = await openBrokered();
  expect(codeOf(await call('POST /integration/zigbee2mqtt/pairing', body))).toBe('422 VALIDATION_FAILED');
  expect(pairing).toEqual([]);
});

test('GET shows how far devices are that join', async () => {
  const { call } = await openBrokered();
  expect((await call('GET /integration/zigbee2mqtt/pairing')).json).toEqual({
    remaining_s: 30,
    progress: [{ step: 'device_found', external_id: '0x01', device: null, seconds: null, detail: null }],
  });
});

test.each(['GET', 'POST', 'DELETE'])(
  '%s of pairing at an integration without pairing is refused with that reason',
  async (method) => {
    const { call } = await openBrokered();
    const body = method === 'POST' ? { seconds: 60 } : undefined;
    expect(codeOf(await call(`${method} /integration/mqtt/pairing`, body))).toBe('409 NOT_SUPPORTED');
    expect(codeOf(await call(`${method} /integration/nest/pairing`, body))).toBe('404 NOT_FOUND');
  },
);

test.each([
  ['GET /integration', 'guest', 200],
  ['GET /integration/zigbee2mqtt', 'resident', 200],
  ['GET /integration/zigbee2mqtt/pairing', 'resident', 403],
  ['GET /integration/zigbee2mqtt/pairing', 'admin', 200],
  ['POST /integration/zigbee2mqtt/pairing', 'resident', 403],
  ['DELETE /integration/zigbee2mqtt/pairing', 'resident', 403],
  ['DELETE /integration/zigbee2mqtt/pairing', 'admin', 204],
  ['PATCH /integration/zigbee2mqtt', 'resident', 403],
  ['DELETE /integration/zigbee2mqtt', 'resident', 403],
  ['GET /integration_kind', 'resident', 403],
  ['GET /integration_found', 'resident', 403],
])('A1: %s by a %s is answered with %i', async (line, who, status) => {
  const { call, pairing } = await openBrokered();
  const body = line.startsWith('POST') ? { seconds: 60 } : undefined;
  expect((await call(line, body, who)).status).toBe(status);
  expect(pairing).toHaveLength(status === 204 ? 1 : 0);
});

test('the kinds show the form of their settings', async () => {
  const { call } = await openIntegrationApi();
  const kinds = (await call('GET /integration_kind')).json as unknown as { id: string }[];
  expect(kinds.find(({ id }) => id === 'toy_box')).toEqual({
    id: 'toy_box',
    name: 'Toy box',
    about: 'Toys that pretend.',
    instances: 'many',
    discovered: true,
    can_set_up: true,
    pairing_hint: null,
    removal_hint: null,
    help: [],
    settings: {
      host: {
        type: 'host',
        label: 'Address',
        hint: 'Of the toy box.',
        advanced: false,
        optional: false,
        default: null,
        default_port: 80,
      },
      room: {
        type: 'choice',
        label: 'Room',
        hint: null,
        advanced: false,
        optional: true,
        default: null,
        options: [{ id: 'attic', label: 'Attic' }],
      },
      key: {
        type: 'secret',
        label: 'Key',
        hint: null,
        advanced: false,
        optional: true,
        default: null,
        bound_to: 'host',
      },
    },
  });
  expect(kinds.find(({ id }) => id === 'bridge')).toMatchObject({
    settings: {
      fingerprint: { type: 'text', pattern: '[0-9a-f]{2,64}', advanced: true },
      poll_s: { type: 'integer', min: 1, max: 60, default: 5 },
      rooms: { type: 'boolean', default: true },
      mode: { type: 'choice', default: 'fast' },
    },
  });
  expect(kinds.find(({ id }) => id === 'zigbee2mqtt')).toMatchObject({ settings: { broker: { kind: 'mqtt' } } });
  expect(kinds.find(({ id }) => id === 'mqtt')).toMatchObject({
    settings: { address: { schemes: ['mqtt', 'mqtts'] } },
  });
});

test('what was found is listed until it is ignored, then on demand, and again when it is restored', async () => {
  const { call, found, audited } = await openIntegrationApi();
  const id = '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11';
  const thing = { id, kind: 'toy_box', name: '<b>Box</b>', address: '192.168.1.9', isIgnored: false, foundAtMs: 0 };
  found.set(id, { thing, kind: 'toy_box', discovery: { uniqueId: 'a', name: 'Box', settings: {} } });
  const shown = {
    id,
    kind: 'toy_box',
    name: '<b>Box</b>',
    address: '192.168.1.9',
    ignored: false,
    found_at: '1970-01-01T00:00:00.000Z',
  };
  expect((await call('GET /integration_found')).json).toEqual([shown]);
  const ignored = await call(`POST /integration_found/${id}/ignore`);
  expect([ignored.status, ignored.json]).toEqual([200, { ...shown, ignored: true }]);
  expect((await call('GET /integration_found')).json).toEqual([]);
  expect((await call('GET /integration_found?ignored=true')).json).toEqual([{ ...shown, ignored: true }]);
  expect(codeOf(await call('POST /integration_found/x/ignore'))).toBe('404 NOT_FOUND');
  const restored = await call(`POST /integration_found/${id}/restore`);
  expect([restored.status, restored.json]).toEqual([200, shown]);
  expect((await call('GET /integration_found')).json).toEqual([shown]);
  expect(codeOf(await call('POST /integration_found/x/restore'))).toBe('404 NOT_FOUND');
  expect(audited).toMatchObject([
    { type: 'integration.ignored', detail: 'toy_box' },
    { type: 'integration.restored', detail: 'toy_box' },
  ]);
});
