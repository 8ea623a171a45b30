import { expect, test, vi } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { createInstanceTokens } from '#hub/integration/home-port.ts';
import { openWholeHub, type WholeAnswer } from '#test/support/hub/whole-hub.ts';

type Token = { readonly id: string; readonly name: string; readonly scopes: readonly string[]; readonly user: object };

const BRIDGE = '/integration/matter_bridge';
const OFF = { kind: 'matter_bridge', name: 'Apple', enabled: false };
const CONTROL = ['device:control'];
const DOORS = ['device:control', 'device:control_sensitive'];

async function openHub() {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const call = (what: string, body?: unknown, token = owner.token): Promise<WholeAnswer> =>
    hub.call(what, { token, ...(body === undefined ? {} : { body }) });
  const tokens = async (): Promise<readonly Token[]> =>
    (await call('GET /api_token?all=true')).json as unknown as readonly Token[];
  /** As the code of the bridge gets it. */
  const used = (): unknown => {
    const { settings } = hub.home.instances.instanceOf('matter_bridge') ?? {};
    return (settings as { readonly token?: unknown } | undefined)?.token;
  };
  return { hub, owner, call, tokens, used };
}

test('the hub makes the token of a bridge that may control, under its name, and ends it with the bridge', async () => {
  const { owner, call, tokens, used } = await openHub();
  const added = await call('POST /integration', { ...OFF, settings: { may: 'control' } });
  expect([added.status, added.json]).toMatchObject([
    201,
    { settings: { may: { value: 'control' }, token: { value: null } } },
  ]);
  const [made] = await tokens();
  expect([made, used()]).toMatchObject([{ name: 'Apple', scopes: CONTROL, user: { id: owner.user.id } }, made?.id]);
  const audit = JSON.stringify((await call('GET /audit?limit=5')).json);
  expect(audit).toContain(`"api_token.added"`);
  // Its text is nowhere, so nobody can use it elsewhere.
  expect(JSON.stringify(added.json)).not.toContain('hat_');
  expect((await call(`DELETE ${BRIDGE}`)).status).toBe(204);
  expect([await tokens(), used()]).toEqual([[], undefined]);
});

test('the token follows what the bridge may, and another one takes the place of one that is gone', async () => {
  const { call, tokens, used } = await openHub();
  await call('POST /integration', { ...OFF, settings: {} });
  expect([await tokens(), used()]).toEqual([[], null]);
  const may = (value: string): Promise<WholeAnswer> => call(`PATCH ${BRIDGE}`, { settings: { may: value } });
  await may('doors');
  const [doors] = await tokens();
  expect([doors?.scopes, used()]).toEqual([DOORS, doors?.id]);
  await may('control');
  expect((await tokens()).map(({ scopes }) => scopes)).toEqual([CONTROL]);
  const before = await tokens();
  await call(`PATCH ${BRIDGE}`, { name: 'Home' });
  await may('control');
  expect([await tokens(), used()]).toEqual([before, before[0]?.id]);
  await call(`DELETE /api_token/${before[0]?.id}`);
  await may('control');
  const [again] = await tokens();
  expect([again?.name, again?.id !== before[0]?.id, used()]).toEqual(['Home', true, again?.id]);
  await may('see');
  expect([await tokens(), used()]).toEqual([[], null]);
  expect((await may('everything')).status).toBe(422);
});

test('a token of their own counts in place of it, and stays when the bridge goes', async () => {
  const { call, tokens, used } = await openHub();
  const own = await call('POST /api_token', { name: 'Mine', scopes: CONTROL });
  await call('POST /integration', { ...OFF, settings: { may: 'control', token: own.json['token'] } });
  expect([(await tokens()).map(({ name }) => name), used()]).toEqual([['Mine'], own.json['id']]);
  await call(`PATCH ${BRIDGE}`, { settings: { token: null } });
  expect((await tokens()).map(({ name }) => name)).toEqual(['Mine', 'Apple']);
  await call(`PATCH ${BRIDGE}`, { settings: { token: own.json['id'] } });
  expect((await tokens()).map(({ name }) => name)).toEqual(['Mine']);
  await call(`DELETE ${BRIDGE}`);
  expect((await tokens()).map(({ name }) => name)).toEqual(['Mine']);
});

test('a bridge takes what it may although the disk is full when its old token ends', async () => {
  const { hub, call, tokens, used } = await openHub();
  await call('POST /integration', { ...OFF, settings: { may: 'doors' } });
  const { apiTokens } = hub.home.storage;
  vi.spyOn(apiTokens, 'deleteApiTokens').mockRejectedValueOnce(new HubError('STORAGE_FULL', 'The disk is full.'));
  expect((await call(`PATCH ${BRIDGE}`, { settings: { may: 'control' } })).status).toBe(200);
  expect((await tokens()).map(({ id, scopes }) => [id, scopes])).toEqual([[used(), CONTROL]]);
});

test('a token that a power cut left without its bridge ends at the next start, and no other', async () => {
  const { hub, owner, call, tokens, used } = await openHub();
  await call('POST /integration', { ...OFF, settings: { may: 'control' } });
  await call('POST /api_token', { name: 'Mine', scopes: CONTROL });
  await createInstanceTokens(hub.home).make({
    name: 'Lost',
    rights: ['device:control'],
    userId: owner.user.id,
    authorize: () => undefined,
  });
  expect((await tokens()).map(({ name }) => name)).toEqual(['Apple', 'Mine', 'Lost']);
  await hub.home.instances.finishRemovals();
  expect((await tokens()).map(({ name }) => name)).toEqual(['Apple', 'Mine']);
  expect(used()).toBe((await tokens())[0]?.id);
});

test('a person who has as many tokens as there may be gets no bridge that needs one', async () => {
  const { hub, owner, call } = await openHub();
  for (let count = 0; count < 64; count += 1) await hub.addToken(owner.user, { scopes: ['device:read'] });
  const refused = await call('POST /integration', { ...OFF, settings: { may: 'control' } });
  expect([refused.status, refused.json['code']]).toEqual([409, 'LIMIT_REACHED']);
  expect((await call(`GET ${BRIDGE}`)).status).toBe(404);
  expect((await call('POST /integration', { ...OFF, settings: { may: 'see' } })).status).toBe(201);
});

test('the set-up asks what they may do there, and for no token', async () => {
  const { call } = await openHub();
  const { json } = await call('POST /integration_setup', { kind: 'matter_bridge' });
  const { fields, values } = json['step'] as { readonly fields: object; readonly values: object };
  expect(Object.keys(fields)).toEqual(['expose', 'may', 'port']);
  expect(values).toMatchObject({ may: 'control' });
});
