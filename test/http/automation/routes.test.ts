import { describe, expect, test } from 'vitest';
import type { Role } from '#core/person/user.ts';
import { openWholeHub, type Person, type WholeAnswer, type WholeHub } from '#test/support/hub/whole-hub.ts';

type Errors = readonly { readonly pointer: string; readonly code: string }[];

const LAMP = 'kitchen-ceiling';
const LOCK = 'front-door-lock';
const lamp = (on: boolean) => ({ command: { targets: { devices: [LAMP] }, set: { on } } });
const NIGHTLY = { triggers: [{ type: 'time', at: '22:00' }], steps: [lamp(true)] };

let hub: WholeHub;
const people = new Map<string, Person>();
let count = 0;

async function openScene(): Promise<void> {
  hub = await openWholeHub();
  people.clear();
  await personOf('owner');
}

async function personOf(name: Role | 'other'): Promise<Person> {
  const person = people.get(name) ?? (await hub.addPerson(name, name === 'other' ? 'resident' : name));
  people.set(name, person);
  return person;
}

const as = async (name: Role | 'other', line: string, body?: unknown): Promise<WholeAnswer> => {
  const { token } = await personOf(name);
  return hub.call(line, body === undefined ? { token } : { token, body });
};
/** A new automation of this person; its selector. */
async function make(name: Role | 'other', document: object = NIGHTLY): Promise<string> {
  count += 1;
  const { status, json } = await as(name, 'POST /automation', { name: `Rule ${count}`, ...document });
  expect([status, json['errors']]).toEqual([201, undefined]);
  return String(json['selector']);
}
const pointersOf = ({ json }: WholeAnswer): readonly string[] =>
  ((json['errors'] ?? []) as Errors).map(({ pointer }) => pointer);

describe('an automation', () => {
  test('is answered with what it names, and may be sent back so', async () => {
    await openScene();
    const selector = await make('owner', { ...NIGHTLY, room: 'kitchen', labels: ['light', 'light'] });
    const { json } = await as('owner', `GET /automation/${selector}`);
    const device = hub.home.devices.findDevice(LAMP);
    const reference = { id: device?.id, selector: LAMP, name: device?.name };
    expect(json).toMatchObject({
      room: { selector: 'kitchen' },
      labels: ['light'],
      state: 'ready',
      state_reason: null,
      mode: { kind: 'single', max: 1 },
      triggers: [{ id: 't1', type: 'time', at: '22:00' }],
      steps: [{ id: 's1', command: { targets: { devices: [reference] }, set: { on: true } } }],
      devices_used: [reference],
      acts_as: { user: { name: 'owner' }, via: { type: 'session' } },
      sensitive: false,
      version: 1,
    });
    const { triggers, conditions, steps, mode } = json;
    const again = await as('owner', `PUT /automation/${selector}`, { triggers, conditions, steps, mode });
    expect([again.status, again.json['version'], again.json['revision']]).toEqual([200, 1, 1]);
  });

  test('is refused with a pointer to each fault', async () => {
    await openScene();
    const answer = await as('owner', 'POST /automation', {
      name: 'Wrong',
      triggers: [{ type: 'feature', device: 'no-such-thing', key: 'on', to: true }],
      steps: [{ command: { targets: { devices: [LAMP] }, set: { brightness: 101, colour: 1 } } }, { fly: {} }],
    });
    expect(answer).toMatchObject({ status: 422, json: { code: 'VALIDATION_FAILED' } });
    expect(pointersOf(answer)).toEqual(['/triggers/0/device', '/steps/1/fly']);
    const values = await as('owner', 'POST /automation', {
      name: 'Wrong',
      triggers: [],
      steps: [{ command: { targets: { devices: [LAMP] }, set: { brightness: 101, colour: 1 } } }],
    });
    expect(pointersOf(values)).toEqual(['/steps/0/command/set/brightness', '/steps/0/command/set/colour']);
    expect(pointersOf(await as('owner', 'POST /automation', { name: 'x', triggers: [], steps: [], fly: 1 }))).toEqual([
      '/fly',
    ]);
  });

  test('with a priority or a claim is refused by each call that takes one: the hub keeps no such promise', async () => {
    await openScene();
    const selector = await make('owner');
    const bundle = (await as('owner', 'GET /automation_export')).json;
    const [exported] = bundle['automations'] as readonly object[];
    const claiming = { command: { ...lamp(true).command, claim_s: 60 } };
    const steps = [claiming, { scene: { scene: 'all-off', claim_s: 'run' } }];
    for (const [part, faults] of [
      [{ priority: 1 }, ['/priority']],
      [{ steps }, ['/steps/0/command/claim_s', '/steps/1/scene/claim_s']],
    ] as const) {
      const document = { ...NIGHTLY, ...part };
      const imported = { ...bundle, automations: [{ ...exported, ...part }] };
      for (const [line, body, prefix] of [
        ['POST /automation', { name: 'x', ...document }, ''],
        [`PUT /automation/${selector}`, document, ''],
        [`PATCH /automation/${selector}`, part, ''],
        ['POST /automation_validation', document, ''],
        ['POST /automation_simulation', { definition: document, from: '-1h' }, '/definition'],
        ['POST /automation_import', imported, '/automations/0'],
      ] as const) {
        const answer = await as('owner', line, body);
        const pointers = faults.map((fault) => prefix + fault);
        expect([line, answer.status, pointersOf(answer)]).toEqual([line, 422, pointers]);
      }
    }
  });

  test('may be as deep as its limits allow', async () => {
    await openScene();
    let step: object = lamp(true);
    for (let depth = 1; depth < 8; depth += 1)
      step = { choose: { cases: [{ if: { not: { time: { after: '22:00' } } }, then: [step] }] } };
    await make('owner', { triggers: [], steps: [step] });
    const deeper = { choose: { cases: [{ if: { time: { after: '22:00' } }, then: [step] }] } };
    expect((await as('owner', 'POST /automation', { name: 'x', triggers: [], steps: [deeper] })).status).toBe(422);
  });

  test('is changed by PATCH member by member, on the revision that was read', async () => {
    await openScene();
    const selector = await make('owner');
    const renamed = await as('owner', `PATCH /automation/${selector}`, { name: 'Evening', labels: ['x'] });
    expect(renamed.json).toMatchObject({ name: 'Evening', version: 1, revision: 2, selector });
    const changed = await as('owner', `PATCH /automation/${selector}`, { steps: [lamp(false)], note: 'off' });
    expect(changed.json).toMatchObject({ version: 2, triggers: [{ at: '22:00' }] });
    const versions = await as('admin', `GET /automation/${selector}/version`);
    expect(versions.json).toMatchObject([
      { version: 2, note: 'off', pointers: ['/steps/0/command/set/on'], by: { name: 'owner' } },
      { version: 1, reverted_to: null },
    ]);
    const diff = await as('owner', `GET /automation/${selector}/version/1/diff`);
    expect(diff.json).toEqual({
      from: 1,
      to: 2,
      changes: [{ pointer: '/steps/0/command/set/on', from: true, to: false }],
    });
    const back = await as('admin', `POST /automation/${selector}/revert`, { version: 1 });
    expect(back.json).toMatchObject({
      version: 3,
      acts_as: { user: { name: 'admin' } },
      steps: [{ command: { set: { on: true } } }],
    });
    expect((await as('owner', `GET /automation/${selector}/version/9`)).status).toBe(404);
  });

  test('goes into the trash and comes out of it', async () => {
    await openScene();
    const selector = await make('owner');
    expect((await as('owner', `DELETE /automation/${selector}`)).status).toBe(204);
    expect((await as('owner', `GET /automation/${selector}`)).status).toBe(404);
    const trash = (await as('owner', 'GET /automation?deleted=true')).json as unknown as readonly {
      selector: string;
    }[];
    expect(trash.map((one) => one.selector)).toContain(selector);
    const restored = await as('owner', `POST /automation/${selector}/restore`);
    expect(restored.json).toMatchObject({ selector, deleted_at: null, state: 'ready' });
  });

  test('is found by what it is about', async () => {
    await openScene();
    const selector = await make('owner', { ...NIGHTLY, room: 'hallway', labels: ['only-this'] });
    await as('owner', `POST /automation/${selector}/disable`);
    const found = async (query: string): Promise<readonly string[]> =>
      ((await as('owner', `GET /automation?${query}`)).json as unknown as readonly { selector: string }[]).map(
        (one) => one.selector,
      );
    expect(await found('label=only-this')).toEqual([selector]);
    expect(await found('room=hallway')).toEqual([selector]);
    expect(await found('state=disabled')).toEqual([selector]);
    expect(await found(`device=${LAMP}`)).toContain(selector);
    expect(await found(`device=${LOCK}&label=only-this`)).toEqual([]);
  });

  test('is listed with what it did, and warned of where it may start itself over another one', async () => {
    await openScene();
    const watch = (mode: string, value: string) => ({
      triggers: [{ type: 'mode', mode: 'home', to: mode }],
      steps: [{ mode: { mode: 'home', value } }],
    });
    await make('owner', watch('home', 'away'));
    const { json } = await as('owner', 'POST /automation', { name: 'Ring', ...watch('away', 'home') });
    expect(json).toMatchObject({
      warnings: [{ code: 'POSSIBLE_LOOP', pointer: '/steps/0/mode/value' }],
      last_run: null,
      next_at: null,
      running: 0,
      counts: { today: { runs: 0, not_met: 0, skipped: 0, failed: 0 } },
    });
    const timed = await make('owner');
    const all = (await as('owner', 'GET /automation')).json as unknown as readonly {
      selector: string;
      next_at: string;
    }[];
    expect(all.find(({ selector }) => selector === timed)?.next_at).toMatch(/Z$/);
  });

  test('says when it starts next, and has a schema for editors', async () => {
    await openScene();
    const selector = await make('owner');
    const { json } = await as('owner', `GET /automation/${selector}/next`);
    expect(json).toMatchObject({ waits_for: 'none' });
    expect(json['next']).toHaveLength(10);
    const sunny = await make('owner', { triggers: [{ type: 'sun', event: 'sunset' }], steps: [] });
    expect((await as('owner', `GET /automation/${sunny}/next`)).json).toEqual({ next: [], waits_for: 'location' });
    expect((await as('owner', 'GET /automation_schema')).json).toHaveProperty('$defs.Trigger');
  });

  test('breaks when its device is removed, is changed all the same, and is whole again with the device', async () => {
    await openScene();
    const { devices } = hub.home;
    const reports = devices.reportsOf('simulated-home');
    const window = devices.findDevice('bedroom-window');
    if (window === undefined) throw new Error('there is no window');
    const selector = await make('owner', {
      triggers: [{ type: 'feature', device: window.id, key: 'open', to: true }],
      steps: [lamp(true)],
    });
    await reports.removeDevice(window.externalId);
    const broken = await as('owner', `GET /automation/${selector}`);
    expect(broken.json).toMatchObject({
      state: 'broken',
      state_reason: { code: 'BROKEN', pointers: ['/triggers/0/device'] },
      triggers: [{ device: { id: window.id, selector: 'bedroom-window' } }],
    });
    const changed = await as('owner', `PATCH /automation/${selector}`, { steps: [lamp(false)] });
    expect([changed.status, changed.json['state'], changed.json['version']]).toEqual([200, 'broken', 2]);
    await reports.describeDevice(window);
    expect((await as('owner', `GET /automation/${selector}`)).json).toMatchObject({ state: 'ready' });
  });
});

describe('rights', () => {
  test('a resident changes what residents made themselves, and nothing of others', async () => {
    await openScene();
    const [mine, theirs] = [await make('resident'), await make('owner')];
    expect((await as('resident', `PATCH /automation/${mine}`, { name: 'Mine' })).status).toBe(200);
    for (const line of [`PATCH /automation/${theirs}`, `PUT /automation/${theirs}`]) {
      expect(await as('resident', line, { triggers: [], steps: [] })).toMatchObject({ status: 403 });
    }
    for (const line of [`DELETE /automation/${theirs}`, `POST /automation/${theirs}/sign`]) {
      expect(await as('resident', line)).toMatchObject({ status: 403 });
    }
    expect(await as('other', `DELETE /automation/${mine}`)).toMatchObject({ status: 403 });
    expect((await as('resident', `POST /automation/${theirs}/disable`)).json).toMatchObject({ state: 'disabled' });
    expect((await as('guest', `GET /automation/${mine}`)).status).toBe(403);
    expect((await as('resident', `DELETE /automation/${mine}`)).status).toBe(204);
    expect((await as('other', `POST /automation/${mine}/restore`)).status).toBe(403);
    expect((await as('resident', `POST /automation/${mine}/restore`)).status).toBe(200);
  });

  test.each([
    ['a request', { request: { method: 'GET', url: 'http://192.168.1.9/' } }, 'hub:manage'],
    ['a notification', { notify: { severity: 'info', title: 'Hello' } }, 'notification:manage'],
  ])('nobody gives an automation more rights than they have: %s', async (_what, step, right) => {
    await openScene();
    const document = { name: 'x', triggers: [], steps: [step] };
    const refused = await as('resident', 'POST /automation', document);
    expect(refused).toMatchObject({ status: 403, json: { code: 'RIGHTS_MISSING' } });
    expect(pointersOf(refused)).toEqual(['/steps/0']);
    const { json } = await as('resident', 'POST /automation_validation', document);
    expect(json['rights_lost']).toEqual([{ pointer: '/steps/0', right }]);
    expect((await as('admin', 'POST /automation', document)).status).toBe(201);
  });

  test('a request to the hub itself is only for owners', async () => {
    await openScene();
    const document = {
      name: 'x',
      triggers: [],
      steps: [{ request: { method: 'GET', url: 'http://localhost:8080/' } }],
    };
    expect(pointersOf(await as('admin', 'POST /automation', document))).toEqual(['/steps/0/request/url']);
    expect((await as('owner', 'POST /automation', document)).status).toBe(201);
  });

  test.each([
    ['a fragment', 'http://192.168.1.9/#on'],
    ['more characters than a run takes', `http://192.168.1.9/${'x'.repeat(2_000)}`],
  ])('a request that each run would refuse is refused when it is saved: %s', async (_what, url) => {
    await openScene();
    const document = { name: 'x', triggers: [], steps: [{ request: { method: 'GET', url } }] };
    expect(pointersOf(await as('owner', 'POST /automation', document))).toEqual(['/steps/0/request/url']);
  });

  test('a script is bound by the scopes of its token', async () => {
    await openScene();
    const { user } = await personOf('owner');
    const call = async (scopes: Parameters<WholeHub['addToken']>[1]['scopes']): Promise<WholeAnswer> =>
      hub.call('POST /automation', { token: await hub.addToken(user, { scopes }), body: { name: 'x', ...NIGHTLY } });
    expect(await call(['automation:manage'])).toMatchObject({ status: 403, json: { code: 'RIGHTS_MISSING' } });
    const made = await call(['automation:manage', 'device:control']);
    expect(made).toMatchObject({ status: 201, json: { acts_as: { via: { type: 'api_token' } } } });
  });

  test('a resident may have one enable and disable what others made, as by hand', async () => {
    await openScene();
    const selector = await make('owner');
    for (const word of ['enable', 'disable']) {
      expect((await as('resident', `POST /automation/${selector}/${word}`)).status).toBe(200);
      await make('resident', { triggers: [], steps: [{ automation: { automation: selector, do: word } }] });
    }
  });

  test('what opens the home is named, has a condition, and needs the right', async () => {
    await openScene();
    const open = { command: { targets: { devices: [LOCK] }, set: { locked: false } } };
    const document = { name: 'x', triggers: [{ type: 'hook' }], steps: [open] };
    const unnamed = await as('owner', 'POST /automation', document);
    expect(unnamed).toMatchObject({ status: 422, json: { code: 'SENSITIVE_NOT_NAMED' } });
    expect(pointersOf(unnamed)).toEqual(['/steps/0/command/targets/devices/0']);
    const named = { ...document, allow_sensitive: [LOCK] };
    expect((await as('owner', 'POST /automation', named)).json['code']).toBe('SENSITIVE_NEEDS_CONDITION');
    const guarded = { ...named, conditions: [{ time: { after: '07:00', before: '08:00' } }] };
    expect(await as('owner', 'POST /automation', guarded)).toMatchObject({ status: 201, json: { sensitive: true } });
    const { user } = await personOf('owner');
    const token = await hub.addToken(user, { scopes: ['automation:manage', 'device:control'] });
    expect((await hub.call('POST /automation', { token, body: guarded })).json['code']).toBe('RIGHTS_MISSING');
    // Nor has one that opens the home run by another.
    const opener = await make('owner', { ...guarded, name: 'Opener' });
    const runs = (selector: string) => ({
      name: 'x',
      triggers: [],
      steps: [{ automation: { automation: selector, do: 'run' } }],
    });
    const script = await hub.addToken(user, { scopes: ['automation:manage', 'automation:run'] });
    const answer = await hub.call('POST /automation', { token: script, body: runs(opener) });
    expect([answer.json['code'], pointersOf(answer)]).toEqual(['RIGHTS_MISSING', ['/steps/0']]);
    const lamps = await make('owner');
    expect((await hub.call('POST /automation', { token: script, body: runs(lamps) })).status).toBe(201);
  });
});
