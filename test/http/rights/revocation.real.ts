import { describe, expect, test } from 'vitest';
import type { TokenScope } from '#auth/scope.ts';
import { PLACE_SCOPES, TOKEN_SCOPES } from '#auth/scope.ts';
import { systemClock } from '#base/time/clock.ts';
import { readContract } from '#test/support/daemon/contract-check.ts';
import {
  type Asking,
  openWholeHub,
  PASSWORD,
  type Person,
  type WholeAnswer,
  type WholeHub,
} from '#test/support/hub/whole-hub.ts';

const UNLOCK = { command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } };
const [SOON, LATER] = [3_600_000, 7_200_000].map((afterMs) => new Date(Date.now() + afterMs).toISOString());

/**
 * A valid body for each call that has one, from an owner. `refused` is the status where the hub has nothing that it could
 * change. The test fails for a new call without an entry.
 */
const BODIES: Readonly<
  Record<string, { readonly path?: string; readonly type?: string; readonly body: unknown; readonly refused?: number }>
> = {
  'PATCH /me': { body: { name: 'Mallory' } },
  'PUT /me/home': { body: { favorites: [] } },
  'POST /me/password': { body: { current_password: PASSWORD, new_password: 'kettle marble 7' } },
  'POST /me/password/check': { body: { password: 'kettle marble 7' } },
  'POST /user': { body: { email: 'evil@home.test', name: 'Evil', role: 'owner', password: PASSWORD } },
  'PATCH /user/{id}': { path: '/user/VICTIM', body: { password: 'kettle marble 7' } },
  'POST /api_token': { body: { name: 'persist', scopes: TOKEN_SCOPES, provider: 'weather' } },
  'POST /wall_request/{digits}/allow': {
    path: '/wall_request/DIGITS/allow',
    body: { rooms: null, rights: 'doors' },
  },
  'PATCH /hub': { body: { name: 'pwned' } },
  'POST /backup/restore': { type: 'application/octet-stream', body: 'SQLite format 3' },
  'POST /history/import': { type: 'text/csv', body: 'series,at,value\n' },
  'PATCH /device/{selector}': { path: '/device/front-door-lock', body: { name: 'Mine' } },
  'POST /device/{selector}/command': { path: '/device/front-door-lock/command', body: { set: { locked: false } } },
  'PUT /device/{selector}/feature/{key}': { path: '/device/front-door-lock/feature/locked', body: false },
  'PATCH /history/settings': { body: { raw_days: 1 } },
  'PATCH /device/{selector}/feature/{key}': {
    path: '/device/front-door-lock/feature/locked',
    body: { capability: null },
  },
  'PATCH /device/{selector}/feature/{key}/recording': {
    path: '/device/front-door-lock/feature/locked/recording',
    body: { mode: 'off' },
  },
  'POST /command': { body: { targets: { devices: ['front-door-lock'] }, set: { locked: false } } },
  'POST /group': { body: { name: 'Mine', members: ['front-door-lock'] } },
  'PATCH /group/{selector}': { path: '/group/GROUP', body: { members: ['kitchen-ceiling'] } },
  'POST /scene': { body: { name: 'Mine', targets: [{ device: 'front-door-lock', set: { locked: false } }] } },
  'PATCH /scene/{selector}': { path: '/scene/SCENE', body: { name: 'Mine' } },
  'POST /scene/{selector}/capture': { path: '/scene/SCENE/capture', body: {} },
  'POST /scene/{selector}/activate': { path: '/scene/SCENE/activate', body: {} },
  'POST /automation': { body: { name: 'Mine', triggers: [], steps: [UNLOCK] } },
  'PUT /automation/{selector}': { path: '/automation/AUTOMATION', body: { triggers: [], steps: [] } },
  'PATCH /automation/{selector}': { path: '/automation/AUTOMATION', body: { name: 'Mine' } },
  'POST /automation/{selector}/revert': { path: '/automation/AUTOMATION/revert', body: { version: 1 } },
  'POST /automation/{selector}/run': { path: '/automation/AUTOMATION/run', body: {} },
  'POST /automation/{selector}/hook/{trigger}': { path: '/automation/AUTOMATION/hook/t2', body: {} },
  'POST /automation_template/{id}/instantiate': { path: '/automation_template/low-batteries/instantiate', body: {} },
  'POST /automation_template': {
    body: { id: 'mine', version: 1, name: 'Mine', definition: { triggers: [], steps: [UNLOCK] } },
  },
  'POST /automation/replace_device': { body: { from: 'kitchen-ceiling', to: 'living-room-lamp' } },
  'POST /automation_import': {
    body: { format: 'hearthd-automations', automations: [{ name: 'Mine', triggers: [], steps: [UNLOCK] }] },
  },
  'POST /automation_validation': { body: { triggers: [], steps: [] } },
  'POST /automation_simulation': { body: { definition: { triggers: [], steps: [UNLOCK] } } },
  'POST /room': { body: { name: 'Cellar' } },
  'PATCH /room/{selector}': { path: '/room/kitchen', body: { name: 'Scullery' } },
  'POST /mode': { body: { key: 'heating', name: 'Heating', values: ['summer', 'winter'] } },
  'PUT /mode/{key}': { path: '/mode/home', body: { value: 'away' } },
  'PATCH /mode/{key}': { path: '/mode/home', body: { name: 'Mine' } },
  'PUT /calendar/{key}': { path: '/calendar/holidays', body: { dates: ['12-25'] } },
  'PUT /hub/location': { body: { latitude: 1, longitude: 1 } },
  'POST /hub/clock': { body: { now: '2026-11-22T12:00:00Z' }, refused: 409 },
  'POST /presence/me': { body: { state: 'home' } },
  'PATCH /presence/{id}': { path: '/presence/VICTIM', body: { away_after_s: 60 } },
  'POST /variable': { body: { key: 'guests', name: 'Guests', type: 'boolean', value: false } },
  'PUT /variable/{key}': { path: '/variable/bedtime', body: { value: '23:00' } },
  'PATCH /variable/{key}': { path: '/variable/bedtime', body: { name: 'Mine' } },
  'POST /webhook': { body: { url: 'http://192.168.1.66:9000/' } },
  'PATCH /webhook/{id}': { path: '/webhook/WEBHOOK', body: { url: 'http://192.168.1.66:9000/' } },
  'POST /notification_channel': { body: { type: 'webhook', url: 'http://192.168.1.66:9000/' } },
  'PATCH /notification_channel/{id}': {
    path: '/notification_channel/CHANNEL',
    body: { url: 'http://192.168.1.66:9000/' },
  },
  'PATCH /notification/settings': { body: { built_in: { water: false } } },
  'POST /notification': { body: { title: 'Pay me' } },
  'POST /exporter': { body: { type: 'line_protocol', url: 'http://192.168.1.66:8086/write' } },
  'PATCH /exporter/{id}': { path: '/exporter/EXPORTER', body: { url: 'http://192.168.1.66:8086/write' } },
  'POST /exporter/{id}/replay': { path: '/exporter/EXPORTER/replay', body: { from: 'beginning' } },
  'POST /integration': { body: { kind: 'mqtt', enabled: false, settings: { address: 'mqtt://192.168.1.66' } } },
  'POST /integration_setup': { body: { kind: 'hue' } },
  'POST /integration_setup/{id}': { path: '/integration_setup/SETUP', body: { answer: { address: 1 } } },
  'PUT /energy/settings': { body: { tariffs: [] } },
  'POST /energy/price': { body: { tariff: 'spot', slots: [{ from: SOON, to: LATER, price: 1 }] }, refused: 422 },
  'POST /energy/recalculate': { body: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' } },
  'PUT /provider/{name}': { path: '/provider/weather', body: {} },
  'PUT /provider/{name}/device/{external_id}': {
    path: '/provider/weather/device/roof',
    body: { name: 'Roof', type: 'other', features: [] },
  },
  'POST /provider/{name}/state': { path: '/provider/weather/state', body: { reports: [] } },
  'POST /provider/{name}/command/{id}': { path: '/provider/weather/command/x', body: { status: 'sent' }, refused: 404 },
  'PATCH /integration/{id}': { path: '/integration/zigbee2mqtt', body: { base_topic: 'stolen' } },
  'POST /integration/{id}/pairing': { path: '/integration/simulated-home/pairing', body: { seconds: 60 } },
};
/** These calls take no access token: the hub checks the credentials in the body when the body is complete. */
const PUBLIC = ['POST /access_token', 'POST /login', 'POST /setup', 'POST /wall_request'];

const routesWithBody = Object.entries(readContract().paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    'requestBody' in operation ? [`${method.toUpperCase()} ${path.replace('/api/v1', '')}`] : [],
  ),
);

type Scene = {
  readonly hub: WholeHub;
  readonly owner: Person;
  readonly eve: Person;
  readonly ask: (name: string) => readonly [line: string, asking: Asking];
  /** Gives each person one more change: there are more calls with a body than a person may make at once. */
  readonly refill: () => void;
};

async function openScene(): Promise<Scene> {
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  const hub = await openWholeHub({ clock });
  const owner = await hub.addPerson('ada', 'owner');
  const eve = await hub.addPerson('eve', 'owner');
  const victim = await hub.addPerson('vic', 'resident');
  const webhook = await hub.call('POST /webhook', {
    token: owner.token,
    body: { url: 'http://192.168.1.2/', enabled: false },
  });
  await hub.call('POST /variable', {
    token: owner.token,
    body: { key: 'bedtime', name: 'Bedtime', type: 'time', value: '22:00' },
  });
  const channel = await hub.call('POST /notification_channel', {
    token: owner.token,
    body: { type: 'webhook', url: 'http://192.168.1.2/', enabled: false },
  });
  const exporter = await hub.call('POST /exporter', {
    token: owner.token,
    body: { type: 'line_protocol', url: 'http://192.168.1.2/write', enabled: false },
  });
  const setup = await hub.call('POST /integration_setup', { token: eve.token, body: { kind: 'mqtt' } });
  const scene = await hub.call('POST /scene', {
    token: owner.token,
    body: { name: 'Lit', targets: [{ device: 'front-door-lock', set: { locked: true } }] },
  });
  const automation = await hub.call('POST /automation', {
    token: owner.token,
    body: {
      name: 'Ours',
      triggers: [{ type: 'time', at: '22:00' }, { type: 'hook' }],
      steps: [],
      allow_sensitive: ['front-door-lock'],
    },
  });
  const wall = await hub.call('POST /wall_request', { body: { name: 'Tablet' } });
  const group = await hub.call('POST /group', {
    token: owner.token,
    body: { name: 'Doors', members: ['front-door-lock'] },
  });
  const ask: Scene['ask'] = (name) => {
    const { path, body, type } = BODIES[name] ?? { body: {} };
    const [method, plain = ''] = name.split(' ');
    const ids = {
      VICTIM: victim.user.id,
      WEBHOOK: String(webhook.json['id']),
      CHANNEL: String(channel.json['id']),
      SCENE: String(scene.json['id']),
      GROUP: String(group.json['id']),
      DIGITS: String(wall.json['code']),
      AUTOMATION: String(automation.json['id']),
      EXPORTER: String(exporter.json['id']),
      SETUP: String(setup.json['id']),
    };
    const filled = Object.entries(ids).reduce((line, [word, id]) => line.replace(word, id), path ?? plain);
    return [`${method} ${filled}`, { body, ...(type === undefined ? {} : { type }) }];
  };
  const refill = (): void => void (aheadMs += 200);
  return { hub, owner, eve, ask, refill };
}

type Happening = {
  readonly what: string;
  /** The token that the held requests carry. */
  readonly token: (scene: Scene) => string | Promise<string>;
  readonly happens: (scene: Scene) => Promise<WholeAnswer>;
  /** Calls that are still allowed afterwards. */
  readonly stillAllowed?: readonly string[];
};
const byOwner = ({ hub, owner }: Scene, line: string, body?: unknown): Promise<WholeAnswer> =>
  hub.call(line, { token: owner.token, body });
const limitedTo =
  (scopes: readonly TokenScope[]) =>
  async ({ hub, eve }: Scene) => {
    const hallway = hub.home.rooms.findRoom('hallway');
    if (hallway === undefined) throw new Error('there is no hallway');
    return hub.addToken(eve.user, { scopes, roomIds: [hallway.id] });
  };
const IN_PLACES = TOKEN_SCOPES.filter((scope) => PLACE_SCOPES.has(scope));

const HAPPENINGS: readonly Happening[] = [
  {
    what: 'the session was ended',
    token: ({ eve }) => eve.token,
    happens: async ({ hub, eve }) => {
      const other = await hub.logIn(eve.user.email);
      return hub.call(`DELETE /session/${eve.sessionId}`, { token: other.token });
    },
  },
  {
    what: 'the password was changed',
    token: ({ eve }) => eve.token,
    happens: async ({ hub, eve }) => {
      const { token } = await hub.logIn(eve.user.email);
      const body = { current_password: PASSWORD, new_password: 'saddle lantern 3' };
      return hub.call('POST /me/password', { token, body });
    },
  },
  {
    what: 'the role was lowered',
    token: ({ eve }) => eve.token,
    happens: (scene) => byOwner(scene, `PATCH /user/${scene.eve.user.id}`, { role: 'guest' }),
    stillAllowed: ['PATCH /me', 'PUT /me/home', 'POST /me/password', 'POST /me/password/check', 'POST /presence/me'],
  },
  {
    what: 'the person was removed',
    token: ({ eve }) => eve.token,
    happens: (scene) => byOwner(scene, `DELETE /user/${scene.eve.user.id}`),
  },
  {
    what: 'the API token was revoked',
    token: ({ hub, eve }) => hub.addToken(eve.user, { scopes: TOKEN_SCOPES, provider: 'weather' }),
    happens: ({ hub, eve }) => {
      const [token] = hub.home.apiTokens.tokens();
      return hub.call(`DELETE /api_token/${token?.id}`, { token: eve.token });
    },
  },
  {
    what: 'the person of the API token was made a guest',
    token: ({ hub, eve }) => hub.addToken(eve.user, { scopes: TOKEN_SCOPES, provider: 'weather' }),
    happens: (scene) => byOwner(scene, `PATCH /user/${scene.eve.user.id}`, { role: 'guest' }),
    stillAllowed: ['POST /presence/me'],
  },
  {
    what: 'the room of a limited API token was removed',
    token: limitedTo(IN_PLACES),
    happens: (scene) => byOwner(scene, 'DELETE /room/hallway'),
    stillAllowed: ['POST /presence/me'],
  },
  {
    what: 'the device was moved out of the room of a limited API token',
    token: limitedTo(IN_PLACES),
    happens: (scene) => byOwner(scene, 'PATCH /device/front-door-lock', { room: 'kitchen' }),
    stillAllowed: ['POST /presence/me'],
  },
];

const lockedOf = ({ home }: WholeHub): unknown =>
  home.devices.findDevice('front-door-lock')?.states.get('locked')?.value;
const inShort = ({ status, json: { code } }: WholeAnswer): string =>
  typeof code === 'string' ? `${status} ${code}` : String(status);

test.each(HAPPENINGS)(
  'A8: a command that waits for its lock ends unsent if $what',
  async ({ token: tokenOf, happens }) => {
    const scene = await openScene();
    const { hub, owner } = scene;
    const token = await tokenOf(scene);
    const reports = hub.home.devices.reportsOf('simulated-home');
    reports.reportAvailability('hallway-front-door', 'asleep', 'asleep');
    const body = { set: { locked: false }, expires_in: 3600 };
    const { json } = await hub.call('POST /device/front-door-lock/command', { token, body });
    expect(json['status']).toBe('queued');
    const shown = async (): Promise<unknown> =>
      (await hub.call(`GET /command/${String(json['id'])}`, { token: owner.token })).json['status'];
    expect((await happens(scene)).status).toBeLessThan(300);
    expect(await shown()).toBe('expired');
    reports.reportAvailability('hallway-front-door', 'online', null);
    expect([await shown(), lockedOf(hub)]).toEqual(['expired', true]);
  },
);

test('A8: a waiting command ends unsent when its API token expires', async () => {
  const scene = await openScene();
  const { hub, eve, owner } = scene;
  const token = await hub.addToken(eve.user, { scopes: TOKEN_SCOPES, expiresInS: 60 });
  const reports = hub.home.devices.reportsOf('simulated-home');
  reports.reportAvailability('hallway-front-door', 'asleep', 'asleep');
  const body = { set: { locked: false }, expires_in: 3600 };
  const { json } = await hub.call('POST /device/front-door-lock/command', { token, body });
  hub.hubClock.advance(60_000);
  reports.reportAvailability('hallway-front-door', 'online', null);
  const shown = await hub.call(`GET /command/${String(json['id'])}`, { token: owner.token });
  expect([shown.json['status'], lockedOf(hub)]).toEqual(['expired', true]);
});

test('A8: every call with a body is in the table of this test', () => {
  expect([...Object.keys(BODIES), ...PUBLIC].toSorted()).toEqual(routesWithBody.toSorted());
});

describe('A8: a request whose body comes late', () => {
  test('is answered as any other if nothing happened meanwhile', async () => {
    const { hub, eve, ask, refill } = await openScene();
    for (const name of Object.keys(BODIES)) {
      const [line, asking] = ask(name);
      refill();
      const held = await hub.hold(line, { ...asking, token: eve.token });
      const answer = held.early ?? (await held.finish());
      expect([name, answer.status]).toEqual([
        name,
        expect.toSatisfy((status: number) => status === BODIES[name]?.refused || (status >= 200 && status < 300)),
      ]);
    }
  });

  test.each(HAPPENINGS)(
    'is refused as a new request if $what',
    async ({ token: tokenOf, happens, stillAllowed = [] }) => {
      const scene = await openScene();
      const { hub, ask, refill } = scene;
      const token = await tokenOf(scene);
      const names = Object.keys(BODIES).filter((name) => !stillAllowed.includes(name));
      const held = [];
      for (const name of names) {
        const [line, asking] = ask(name);
        refill();
        held.push({ name, line, asking, request: await hub.hold(line, { ...asking, token }) });
      }
      const commands: unknown[] = [];
      hub.home.events.subscribe((event) => void (event.type === 'command.changed' && commands.push(event)));
      expect((await happens(scene)).status).toBeLessThan(300);
      hub.writes.length = 0;
      const early: number[] = [];
      const late: string[] = [];
      const fresh: string[] = [];
      for (const { name, line, asking, request } of held) {
        // A request that was refused before its body proves nothing about what happened afterwards.
        if (request.early !== undefined) early.push(request.early.status);
        else {
          late.push(`${name}: ${inShort(await request.finish())}`);
          fresh.push(`${name}: ${inShort(await hub.call(line, { ...asking, token }))}`);
        }
      }
      expect(late).toEqual(fresh);
      expect(early.filter((status) => status !== 403)).toEqual([]);
      expect(
        late.filter((line) => !/: (401 INVALID_TOKEN|403 FORBIDDEN|404 NOT_FOUND|422 VALIDATION_FAILED)$/.test(line)),
      ).toEqual([]);
      expect([hub.writes, hub.restored, commands]).toEqual([[], [], []]);
      expect(late.length).toBeGreaterThan(2);
      expect(lockedOf(hub)).toBe(true);
    },
  );
});
