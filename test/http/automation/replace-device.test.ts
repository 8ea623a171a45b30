import { expect, test } from 'vitest';
import { refuseNewcomers, type ReplacePlan } from '#http/automation/replace/plan.ts';
import { openWholeHub, type Person } from '#test/support/hub/whole-hub.ts';

const [OLD, NEW, LOCK, SPARE] = ['kitchen-ceiling', 'living-room-lamp', 'front-door-lock', 'hallway-ceiling'];
const step = (device: string, set: object) => ({ command: { targets: { devices: [device] }, set } });
const PATH = 'POST /automation/replace_device';

/** A home in which an automation, a scene and a group name a lamp, and something else names another one. */
async function openScene(set: object = { on: true }) {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const admin = await hub.addPerson('ben', 'admin');
  const as = (person: Person) => (line: string, body?: unknown) => hub.call(line, { token: person.token, body });
  const call = as(owner);
  const made = [
    await call('POST /automation', {
      name: 'Rule',
      triggers: [{ type: 'feature', device: OLD, key: 'on', to: true }],
      steps: [step(OLD, set)],
    }),
    await call('POST /automation', { name: 'Other', triggers: [], steps: [step(SPARE, { on: true })] }),
    await call('POST /scene', {
      name: 'Scene',
      targets: [
        { device: OLD, set: { on: true } },
        { device: LOCK, set: { locked: true } },
      ],
    }),
    await call('POST /group', { name: 'Lamps', members: [OLD] }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const shown = async () => {
    const paths = ['/automation/rule', '/automation/other', '/scene/scene', '/group/lamps'];
    const answers = await Promise.all(paths.map((path) => call(`GET ${path}`)));
    return answers.map(({ json }) => json);
  };
  const naming = async (name: string) => (await shown()).map((json) => JSON.stringify(json).includes(`"${name}"`));
  return { hub, owner, admin, as, call, shown, naming };
}

test('a device takes the place of another in all that names it, with the rights of the caller', async () => {
  const { hub, admin, as, naming, shown } = await openScene();
  const events: string[] = [];
  const references = {
    automations: [{ selector: 'rule' }],
    scenes: [{ selector: 'scene' }],
    groups: [{ selector: 'lamps' }],
  };
  const call = as(admin);
  const before = await shown();
  const trial = await call(PATH, { from: OLD, to: NEW, dry_run: true });
  expect(trial).toMatchObject({ status: 200, json: { ...references, keys: { changed: [] } } });
  expect((await shown()).map((json) => json['revision'])).toEqual(before.map((json) => json['revision']));
  hub.home.events.subscribe(({ type }) => void events.push(type));
  expect(await call(PATH, { from: OLD, to: NEW })).toMatchObject({ status: 200, json: references });
  expect(await naming(OLD)).toEqual([false, false, false, false]);
  expect(await naming(NEW)).toEqual([true, false, true, true]);
  expect((await shown())[0]).toMatchObject({ version: 2, state: 'ready', acts_as: { user: { name: 'ben' } } });
  expect(events.filter((type) => /^(automation|scene|device)\.changed$/.test(type)).slice(0, 3)).toEqual([
    'device.changed',
    'scene.changed',
    'automation.changed',
  ]);
  expect(await call(PATH, { from: OLD, to: NEW })).toMatchObject({
    status: 200,
    json: { automations: [], scenes: [], groups: [] },
  });
});

test('a device that is gone is found by what names it', async () => {
  const { hub, call, naming } = await openScene();
  const { devices } = hub.home;
  const lamp = devices.findDevice(OLD);
  if (lamp === undefined) throw new Error('there is no lamp');
  await devices.reportsOf('simulated-home').removeDevice(lamp.externalId);
  expect((await call('GET /automation/rule')).json).toMatchObject({ state: 'broken' });
  expect(await call(PATH, { from: OLD, to: NEW })).toMatchObject({
    status: 200,
    json: { keys: { missing: [], changed: [], added: [] } },
  });
  expect(await naming(NEW)).toEqual([true, false, true, true]);
  expect((await call('GET /automation/rule')).json).toMatchObject({ state: 'ready' });
});

test('what the other device cannot do is refused with pointers, and nothing changes', async () => {
  const { call, naming } = await openScene({ brightness: 50 });
  const answer = await call(PATH, { from: OLD, to: 'hallway-motion' });
  expect(answer).toMatchObject({ status: 422, json: { code: 'VALIDATION_FAILED' } });
  const errors = answer.json['errors'] as readonly { readonly pointer: string }[];
  expect(errors.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/scenes/scene/targets/0/set/on', '/automations/rule/steps/0/command/set/brightness']),
  );
  expect(await naming(OLD)).toEqual([true, false, true, true]);
  // The scene has both.
  const twice = await call(PATH, { from: OLD, to: LOCK });
  expect(JSON.stringify(twice.json['errors'])).toContain('/scenes/scene/targets/0/device');
  const wrong = [
    { from: 'no-such-thing', to: NEW },
    { from: OLD, to: 'no-such-thing' },
    { from: OLD, to: OLD },
    { from: OLD, to: 'lamps' },
  ];
  for (const body of wrong) expect((await call(PATH, body)).status).toBe(422);
});

test('who could not save one of them changes none of them', async () => {
  const { hub, as, call, naming } = await openScene();
  const resident = as(await hub.addPerson('cleo', 'resident'));
  expect((await resident(PATH, { from: OLD, to: NEW })).status).toBe(403);
  expect(await naming(OLD)).toEqual([true, false, true, true]);
  for (const path of ['/automation/rule', '/group/lamps']) await call(`DELETE ${path}`);
  // What is left is a scene, which residents may change; without its right a script may not.
  const owner = await hub.addPerson('dora', 'owner');
  const token = await hub.addToken(owner.user, { scopes: ['automation:manage', 'device:read'] });
  expect((await hub.call(PATH, { token, body: { from: OLD, to: NEW } })).status).toBe(403);
  expect((await call(PATH, { from: OLD, to: NEW })).status).toBe(200);
});

test('what names the device since the plan was made keeps the plan from being written', async () => {
  const { hub } = await openScene();
  const { automations, scenes, groups, devices } = hub.home;
  const plan: ReplacePlan = {
    automations: automations.automations().map((record) => ({ record, definition: record.definition, template: null })),
    scenes: scenes.scenes().map((scene) => ({ scene, targets: [] })),
    groups: groups.groups().map((group) => ({ group, members: [] })),
  };
  const old = devices.findDevice(OLD);
  if (old === undefined) throw new Error('there is no lamp');
  const refuse = (part: Partial<ReplacePlan>) => () =>
    refuseNewcomers(hub.home, { fromId: old.id }, { ...plan, ...part });
  expect(refuse({})).not.toThrow();
  expect(refuse({ automations: [] })).toThrow('rule names the device');
  expect(refuse({ scenes: [] })).toThrow('scene names the device');
  expect(refuse({ groups: [] })).toThrow('lamps names the device');
});
