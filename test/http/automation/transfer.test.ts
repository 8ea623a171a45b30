import { beforeEach, expect, test } from 'vitest';
import type { Role } from '#core/person/user.ts';
import { openWholeHub, type Person, type WholeAnswer, type WholeHub } from '#test/support/hub/whole-hub.ts';

type Json = Readonly<Record<string, unknown>>;
type Bundle = { readonly format: string; readonly automations: readonly Json[] };

const LAMP = 'kitchen-ceiling';
const ON = { command: { targets: { devices: [LAMP] }, set: { on: true } } };

let hub: WholeHub;
const people = new Map<string, Person>();

const as = async (role: Role, line: string, body?: unknown): Promise<WholeAnswer> => {
  const person = people.get(role) ?? (await hub.addPerson(role, role));
  people.set(role, person);
  return hub.call(line, body === undefined ? { token: person.token } : { token: person.token, body });
};
const exported = async (): Promise<Bundle> => (await as('owner', 'GET /automation_export')).json as unknown as Bundle;
/** As another hub would have written it: every id is another one. */
const foreign = (bundle: Bundle, change: (text: string) => string = (text) => text): Bundle =>
  JSON.parse(change(JSON.stringify(bundle)).replaceAll(/"id":"[0-9a-f]{8}-/g, '"id":"ffffffff-')) as Bundle;

beforeEach(async () => {
  hub = await openWholeHub();
  people.clear();
  await as('owner', 'GET /me');
  for (const [name, document] of [
    ['First', { triggers: [{ type: 'time', at: '22:00' }], steps: [ON], room: 'kitchen', labels: ['light'] }],
    [
      'Second',
      {
        triggers: [{ type: 'automation', automation: 'first', outcome: 'finished' }],
        conditions: [{ feature: { device: LAMP, key: 'on', is: true } }],
        steps: [ON],
      },
    ],
  ] as const) {
    const { status } = await as('owner', 'POST /automation', { name, ...document });
    if (status !== 201) throw new Error(`the automation was answered ${status}`);
  }
});

test('an export says of each thing that it names what another hub needs to find it', async () => {
  const { format, automations } = await exported();
  const device = hub.home.devices.findDevice(LAMP);
  expect(format).toBe('hearthd-automations');
  expect(automations.map(({ name }) => name)).toEqual(['First', 'Second']);
  expect(automations[0]).toMatchObject({
    selector: 'first',
    room: { selector: 'kitchen' },
    labels: ['light'],
    triggers: [{ id: 't1', type: 'time', at: '22:00' }],
    steps: [
      {
        command: {
          targets: {
            devices: [
              { id: device?.id, selector: LAMP, integration: device?.integration, external_id: device?.externalId },
            ],
          },
        },
      },
    ],
  });
  const one = await as('owner', 'GET /automation_export?automation=second');
  expect((one.json as unknown as Bundle).automations.map(({ name }) => name)).toEqual(['Second']);
});

test('an import adds what was exported as new automations that are off, and name each other', async () => {
  const { status, json } = await as('admin', 'POST /automation_import', foreign(await exported()));
  expect([status, json['unresolved'], json['rights_lost']]).toEqual([200, [], []]);
  const [first, second] = json['automations'] as readonly { id: string; selector: string }[];
  expect(json['matched']).toMatchObject([{ kind: 'device', selector: LAMP, by: 'origin', target: { selector: LAMP } }]);
  const shown = await as('owner', `GET /automation/${second?.selector}`);
  expect(shown.json).toMatchObject({
    name: 'Second',
    enabled: false,
    state: 'disabled',
    acts_as: { user: { name: 'admin' } },
    triggers: [{ automation: { id: first?.id, selector: first?.selector } }],
    version: 1,
  });
  expect((await as('owner', `GET /automation/${first?.selector}`)).json).toMatchObject({
    room: { selector: 'kitchen' },
    labels: ['light'],
  });
  const enabled = await as('owner', `POST /automation/${second?.selector}/enable`);
  expect(enabled.json['state']).toBe('ready');
  expect((await as('owner', 'GET /automation')).json).toHaveLength(4);
});

test('a device that moved to another integration is found by its selector, then by the name that it alone has', async () => {
  const moved = foreign(await exported(), (text) => text.replaceAll('"simulated-home"', '"old-bridge"'));
  const bySelector = await as('owner', 'POST /automation_import?dry_run=true', moved);
  expect(bySelector.json['matched']).toMatchObject([{ by: 'selector' }]);
  const renamed = foreign(moved, (text) => text.replaceAll(`"selector":"${LAMP}"`, '"selector":"lamp-7"'));
  const byName = await as('owner', 'POST /automation_import?dry_run=true', renamed);
  expect(byName.json['matched']).toMatchObject([{ by: 'name', target: { selector: LAMP } }]);
  expect((await as('owner', 'GET /automation')).json).toHaveLength(2);
});

test('what is not found is answered with pointers, nothing is imported, and a map decides what to take', async () => {
  const unknown = foreign(await exported(), (text) =>
    text
      .replaceAll('"simulated-home"', '"old-bridge"')
      .replaceAll(`"selector":"${LAMP}"`, '"selector":"lamp-7"')
      .replaceAll('"name":"Kitchen ceiling"', '"name":"Old lamp"'),
  );
  const refused = await as('owner', 'POST /automation_import', unknown);
  expect(refused).toMatchObject({ status: 422, json: { code: 'INVALID_IMPORT' } });
  const pointers = [
    '/automations/0/steps/0/command/targets/devices/0',
    '/automations/1/conditions/0/feature/device',
    '/automations/1/steps/0/command/targets/devices/0',
  ];
  const errors = refused.json['errors'] as readonly { pointer: string; message: string }[];
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  expect(errors[0]?.message).toContain('Old lamp, old-bridge');
  expect((await as('owner', 'GET /automation')).json).toHaveLength(2);
  const tried = await as('owner', 'POST /automation_import?dry_run=true', unknown);
  const missing = tried.json['unresolved'] as readonly { pointer: string; kind: string; id: string }[];
  expect([tried.status, missing.map(({ pointer }) => pointer)]).toEqual([200, pointers]);
  const map = { [`device/${missing[0]?.id}`]: LAMP };
  const idle = await as('owner', 'POST /automation_import?dry_run=true', {
    ...unknown,
    map: { ...map, 'room/attic': 'x' },
  });
  expect(idle.json).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/map/room~1attic' }] });
  const mapped = await as('owner', 'POST /automation_import', { ...unknown, map });
  expect([mapped.status, mapped.json['matched']]).toMatchObject([200, [{ by: 'map', target: { selector: LAMP } }]]);
  expect((await as('owner', 'GET /automation')).json).toHaveLength(4);
});

test('faults of one automation keep the others out too', async () => {
  const { format, automations } = await exported();
  const wrongForm = { format, automations: [...automations, { name: 'Third', triggers: [], steps: [{ fly: {} }] }] };
  const refused = await as('owner', 'POST /automation_import', wrongForm);
  expect(refused).toMatchObject({
    status: 422,
    json: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/automations/2/steps/0/fly' }] },
  });
  const steps = [{ command: { targets: { devices: [LAMP] }, set: { brightness: 101 } } }];
  const wrongValue = { format, automations: [...automations, { name: 'Third', triggers: [], steps }] };
  expect((await as('owner', 'POST /automation_import', wrongValue)).json).toMatchObject({
    errors: [{ pointer: '/automations/2/steps/0/command/set/brightness' }],
  });
  expect((await as('owner', 'GET /automation')).json).toHaveLength(2);
});

test('nobody imports more than they may do themselves', async () => {
  const unlock = {
    name: 'Unlock',
    allow_sensitive: ['front-door-lock'],
    triggers: [{ type: 'time', at: '22:00' }],
    conditions: [{ mode: { home: 'home' } }],
    steps: [{ command: { targets: { devices: ['front-door-lock'] }, set: { locked: false } } }],
  };
  const bundle = { format: 'hearthd-automations', automations: [unlock] };
  expect((await as('owner', 'POST /automation_import?dry_run=true', bundle)).json['rights_lost']).toEqual([]);
  const { user } = await hub.addPerson('mia', 'resident');
  const token = await hub.addToken(user, { scopes: ['automation:manage', 'device:read', 'device:control'] });
  const tried = await hub.call('POST /automation_import?dry_run=true', { token, body: bundle });
  const lost = tried.json['rights_lost'] as readonly { readonly pointer: string; readonly right: string }[];
  expect(lost).toContainEqual({
    pointer: '/automations/0/steps/0/command/targets/devices/0',
    right: 'device:control_sensitive',
  });
  const refused = await hub.call('POST /automation_import', { token, body: bundle });
  expect(refused).toMatchObject({ status: 403, json: { code: 'RIGHTS_MISSING' } });
  expect((await as('guest', 'POST /automation_import', bundle)).status).toBe(403);
  expect((await as('guest', 'GET /automation_export')).status).toBe(403);
});

test('an import of more automations than there can be adds none', async () => {
  const automations = Array.from({ length: 499 }, (_, at) => ({ name: `Rule ${at}`, triggers: [], steps: [ON] }));
  const bundle = { format: 'hearthd-automations', automations };
  const refused = await as('owner', 'POST /automation_import', bundle);
  expect(refused.json['code']).toBe('LIMIT_REACHED');
  const taken = await as('owner', 'POST /automation_import', { ...bundle, automations: automations.slice(1) });
  expect([taken.status, (await as('owner', 'GET /automation')).json]).toMatchObject([200, { length: 500 }]);
});

test('a script that may change automations, but not read them, exports none', async () => {
  const owner = people.get('owner') ?? (await hub.addPerson('other', 'owner'));
  const blind = await hub.addToken(owner.user, { scopes: ['automation:manage'] });
  const reader = await hub.addToken(owner.user, { scopes: ['automation:manage', 'automation:read'] });
  for (const path of ['/automation_export', '/automation_export?automation=first']) {
    expect(await hub.call(`GET ${path}`, { token: blind })).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
    expect((await hub.call(`GET ${path}`, { token: reader })).status).toBe(200);
  }
});

test('an export is no larger than what an import takes, and says so', async () => {
  const title = 'x'.repeat(200);
  const notify = { notify: { severity: 'info', title, text: 'y'.repeat(1900) } };
  const steps = Array.from({ length: 29 }, () => notify);
  const description = 'z'.repeat(2000);
  // 63 KB each and two of description, in two imports: nearly as much as there may be.
  for (const part of ['a', 'b']) {
    const automations = Array.from({ length: part === 'a' ? 35 : 30 }, (_, at) => {
      return { name: `Large ${part} ${at}`, description, triggers: [], steps };
    });
    const made = await as('owner', 'POST /automation_import', { format: 'hearthd-automations', automations });
    expect(made.status).toBe(200);
  }
  const refused = await as('owner', 'GET /automation_export');
  expect([refused.status, refused.json['code']]).toEqual([409, 'LIMIT_REACHED']);
  const one = await as('owner', 'GET /automation_export?automation=large-a-1');
  expect(one.status).toBe(200);
  const taken = await as('owner', 'POST /automation_import?dry_run=true', one.json);
  expect(taken.status).toBe(200);
});

test('a document is measured as it is kept, and one that was kept larger is shown and exported', async () => {
  const lamps = (count: number): Json => ({
    name: 'Large',
    triggers: [],
    steps: Array.from({ length: count }, () => ({
      command: { targets: { devices: Array(40).fill(LAMP) }, set: { on: true } },
    })),
  });
  // Its selectors have 17 bytes, its ids 38.
  const refused = await as('owner', 'POST /automation', lamps(60));
  expect(refused.status).toBe(422);
  expect(refused.json).toMatchObject({ errors: [{ pointer: '', code: 'TOO_LONG' }] });
  expect((await exported()).automations).toHaveLength(2);

  const [first] = hub.home.automations.automations();
  const { json } = await as('owner', 'POST /automation', lamps(30));
  const kept = hub.home.automations.automations().find(({ id }) => id === json['id']);
  const steps = kept?.definition.steps ?? [];
  Object.assign(kept?.definition as object, {
    steps: [...steps, ...steps].map((step, at) => ({ ...step, id: `s${at}` })),
  });
  expect((await as('owner', 'GET /automation/large')).status).toBe(200);
  expect((await exported()).automations).toHaveLength(3);

  Object.assign(first?.definition as object, { steps: 'damaged' });
  const rest = await exported();
  expect(rest.automations.map(({ name }) => name)).toEqual(['Large', 'Second']);
  expect(rest).toMatchObject({ left_out: [{ id: first?.id, selector: 'first', name: 'First' }] });
  expect((await as('owner', 'POST /automation_import', foreign(rest))).status).not.toBe(500);
});
