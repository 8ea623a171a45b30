import { expect, test, vi } from 'vitest';
import { openWholeHub, type WholeAnswer } from '#test/support/hub/whole-hub.ts';

const SWITCH = {
  name: 'Pump',
  type: 'on_off_plug_in_unit',
  features: [{ key: 'on', capability: 'on', kind: 'state', value_type: 'boolean' }],
};

async function openHub() {
  const hub = await openWholeHub();
  const { token } = await hub.addPerson('ada', 'owner');
  return { hub, call: (line: string, body?: unknown): Promise<WholeAnswer> => hub.call(line, { token, body }) };
}
const inShort = ({ status, json: { code } }: WholeAnswer): string =>
  typeof code === 'string' ? `${status} ${code}` : String(status);

test('a provider is an instance with its name as its id, and runs when its first call is answered', async () => {
  const { call } = await openHub();
  expect(await call('PUT /provider/garden', { name: 'Garden', lease_s: 120 })).toMatchObject({
    status: 201,
    json: { id: 'garden', name: 'Garden', lease_s: 120, status: 'connected', devices: 0 },
  });
  expect((await call('PUT /provider/garden/device/pump', SWITCH)).status).toBe(201);
  expect((await call('GET /integration/garden')).json).toMatchObject({
    id: 'garden',
    kind: 'provider',
    name: 'Garden',
    status: 'connected',
    devices: 1,
    settings: { lease_s: { value: 120, fixed_by: null } },
  });
  expect((await call('GET /device/pump')).json).toMatchObject({ integration: 'garden', external_id: 'pump' });
});

test('the id of something else is no name for a provider', async () => {
  const { call } = await openHub();
  for (const name of [
    'zigbee2mqtt',
    'mqtt',
    'simulated-home',
    'provider',
    'hue',
    'group',
    'energy',
    'shelly',
    'matter',
  ]) {
    const answers = [
      await call(`PUT /provider/${name}`, {}),
      await call(`GET /provider/${name}`),
      await call(`DELETE /provider/${name}`),
      await call(`PUT /provider/${name}/device/x`, SWITCH),
    ];
    const [taken, missing] = ['409 NAME_TAKEN', '404 NOT_FOUND'];
    expect([name, ...answers.map(inShort)]).toEqual([name, taken, missing, missing, taken]);
  }
});

test('another lease starts it anew, and a name does not', async () => {
  const { call } = await openHub();
  await call('PUT /provider/lease', {});
  await call('PUT /provider/lease/device/pump', SWITCH);
  expect((await call('PUT /provider/lease', { lease_s: 30 })).json).toMatchObject({ lease_s: 30, status: 'connected' });
  expect((await call('PUT /provider/lease', { name: 'Lease' })).json).toMatchObject({ name: 'Lease', lease_s: 30 });
  expect((await call('POST /provider/lease/state', { reports: [{ device: 'pump' }] })).json).toMatchObject({
    taken: 1,
  });
});

test('what a person changes of the integration holds for the provider', async () => {
  const { hub, call } = await openHub();
  await call('PUT /provider/attic', {});
  await call('PUT /provider/attic/device/pump', SWITCH);
  expect((await call('PATCH /integration/attic', { name: 'Attic', settings: { lease_s: 60 } })).status).toBe(200);
  await vi.waitFor(async () => expect(inShort(await call('PUT /provider/attic/device/pump', SWITCH))).toBe('200'));
  expect((await call('GET /provider/attic')).json).toMatchObject({ name: 'Attic', lease_s: 60 });
  await call('PATCH /integration/attic', { enabled: false });
  expect(inShort(await call('POST /provider/attic/state', { reports: [] }))).toBe('503 INTEGRATION_DOWN');
  expect((await call('PUT /provider/attic', {})).json).toMatchObject({ status: 'off' });
  const device = hub.home.devices.findByExternalId('attic', 'pump');
  expect(device?.availability).toMatchObject({ state: 'unknown', reason: 'integration_off' });
});

test('a removed provider takes its devices with it, and brings them back with their ids', async () => {
  const { hub, call } = await openHub();
  await call('PUT /provider/cellar', {});
  const { json } = await call('PUT /provider/cellar/device/pump', SWITCH);
  expect((await call('DELETE /provider/cellar')).status).toBe(204);
  expect(hub.home.devices.devicesOf('cellar')).toEqual([]);
  await call('PUT /provider/cellar', {});
  expect(await call('PUT /provider/cellar/device/pump', SWITCH)).toMatchObject({ status: 201, json });
});

test('a person removes a device of a script, which comes back when the script declares it again', async () => {
  const { call } = await openHub();
  await call('PUT /provider/shed', {});
  const { json } = await call('PUT /provider/shed/device/pump', SWITCH);
  expect((await call(`DELETE /device/${String(json['selector'])}`)).status).toBe(204);
  expect((await call('POST /provider/shed/state', { reports: [{ device: 'pump' }] })).status).toBe(422);
  expect((await call('PUT /provider/shed/device/pump', SWITCH)).json).toEqual(json);
});

test('commands of a script that is silent, switched off or not there yet are refused at once', async () => {
  const { call } = await openHub();
  await call('PUT /provider/well', {});
  const { json } = await call('PUT /provider/well/device/pump', SWITCH);
  const command = `POST /device/${String(json['selector'])}/command`;
  expect((await call(command, { set: { on: true } })).status).toBe(202);
  await call('PATCH /integration/well', { enabled: false });
  expect(inShort(await call(command, { set: { on: true } }))).toBe('503 INTEGRATION_DOWN');
  await call('PATCH /integration/well', { enabled: true });
  expect(inShort(await call(command, { set: { on: true } }))).toBe('503 INTEGRATION_DOWN');
});
