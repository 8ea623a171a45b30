import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { claimHub, createHubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';

const PROVIDER = '/api/v1/provider/relay';
const FEATURES = [{ key: 'on', capability: 'on', kind: 'state', value_type: 'boolean' }];
const PUMP = { name: 'Pump', type: 'on_off_plug_in_unit', features: FEATURES };

const hubs = createHubFolder();
let hub: HubProcess;
let owner: string;
/** Of the script that brings the pump in. */
let script: string;

const serve = async (): Promise<void> => {
  hub = await hubs.serve({ HEARTHD_SIMULATE: '0' });
};
beforeAll(async () => {
  await serve();
  owner = (await claimHub(hub)).access_token;
  const wanted = { name: 'relay', scopes: ['device:provide'], provider: 'relay' };
  const { json } = await hub.ask('POST', '/api/v1/api_token', { token: owner, body: wanted });
  script = (json as { readonly token: string }).token;
});
afterAll(hubs.close);

type DeviceJson = {
  readonly id: string;
  readonly selector: string;
  readonly availability: { readonly state: string };
  readonly features: readonly { readonly key: string; readonly value: unknown; readonly quality: string }[];
};
type Answer = { readonly status: number; readonly json: unknown };

const tell = (method: string, path: string, body: unknown): Promise<Answer> =>
  hub.ask(method, `${PROVIDER}${path}`, { token: script, body });
const report = (on: boolean): Promise<Answer> =>
  tell('POST', '/state', { reports: [{ device: 'pump', values: { on } }] });
const pump = async (): Promise<DeviceJson> => {
  const { json } = await hub.ask('GET', '/api/v1/device?integration=relay', { token: owner });
  const [device] = json as readonly DeviceJson[];
  if (device === undefined) throw new Error('there is no pump');
  return device;
};
const shown = async (): Promise<unknown> => {
  const { availability, features } = await pump();
  const { value, quality } = features.find(({ key }) => key === 'on') ?? {};
  return [availability.state, value, quality];
};
const switchOn = async (): Promise<Answer> => {
  const { selector } = await pump();
  const body = { set: { on: true } };
  return hub.ask('POST', `/api/v1/device/${selector}/command`, { token: owner, body });
};

test('X: a hub that is killed between done and confirmed claims nothing, and takes the state afterwards', async () => {
  expect(await tell('PUT', '', {})).toMatchObject({ status: 201 });
  // Until the integration runs the answer is 503.
  await vi.waitFor(async () => expect(await tell('PUT', '/device/pump', PUMP)).toMatchObject({ status: 201 }));
  await report(false);
  await vi.waitFor(async () => expect(await shown()).toEqual(['online', false, 'confirmed']));
  const { id } = await pump();
  expect(await switchOn()).toMatchObject({ status: 202 });
  const { json } = await hub.ask('GET', `${PROVIDER}/command?wait=30`, { token: script });
  const { commands } = json as { readonly commands: readonly { readonly id: string }[] };
  expect(commands).toHaveLength(1);
  await hub.end('SIGKILL');
  await serve();
  expect(await pump()).toMatchObject({ id, availability: { state: 'unknown' } });
  expect(await shown()).not.toContain('confirmed');
  expect(await switchOn()).toMatchObject({ status: 503, json: { code: 'INTEGRATION_DOWN' } });
  const done = { status: 'done', values: { on: true } };
  await vi.waitFor(async () =>
    expect(await tell('POST', `/command/${commands[0]?.id}`, done)).toMatchObject({ status: 404 }),
  );
  await report(true);
  await vi.waitFor(async () => expect(await shown()).toEqual(['online', true, 'confirmed']));
});
