import { expect, test } from 'vitest';
import { openWholeHub, type WholeAnswer } from '#test/support/hub/whole-hub.ts';

const PATH = '/automation_template';
const EVENING = {
  id: 'evening',
  version: 1,
  name: 'Evening lamp',
  description: 'Turns a lamp on at a time.',
  inputs: {
    lamp: { label: 'Lamp', kind: 'device', capability: 'on', writable: true },
    at: { label: 'At', kind: 'time', default: '19:00' },
  },
  definition: {
    triggers: [{ type: 'time', at: { input: 'at' } }],
    steps: [{ command: { targets: { devices: [{ input: 'lamp' }] }, set: { on: true } } }],
  },
};
const pointersOf = ({ json }: WholeAnswer): readonly string[] =>
  ((json['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);

async function open() {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const resident = await hub.addPerson('rob', 'resident');
  const call = (line: string, body?: unknown, { token } = owner): Promise<WholeAnswer> =>
    hub.call(line, body === undefined ? { token } : { token, body });
  return { call, resident };
}

test('an imported template is listed beside the shipped ones, and what is made of it is disabled at first', async () => {
  const { call } = await open();
  const tried = await call(`POST ${PATH}?dry_run=true`, EVENING);
  expect([tried.status, tried.json['step_kinds']]).toEqual([200, ['command']]);
  expect((await call(`GET ${PATH}`)).json).toHaveLength(12);
  const made = await call(`POST ${PATH}`, EVENING);
  expect([made.status, made.json['used_by']]).toEqual([201, []]);
  const list = (await call(`GET ${PATH}`)).json as unknown as { id: string; builtin: boolean }[];
  expect(list.map(({ builtin }) => builtin)).toEqual([...Array.from({ length: 12 }, () => true), false]);
  const instance = await call(`POST ${PATH}/evening/instantiate`, { inputs: { lamp: 'kitchen-ceiling' } });
  expect(instance.json).toMatchObject({ enabled: false, template: { id: 'evening', version: 1 } });
  const enabled = { inputs: { lamp: 'kitchen-ceiling' }, name: 'Now', enabled: true };
  expect((await call(`POST ${PATH}/evening/instantiate`, enabled)).json['enabled']).toBe(true);
});

test('the newer version of a template is offered to its automations, which outlive it', async () => {
  const { call } = await open();
  await call(`POST ${PATH}`, EVENING);
  await call(`POST ${PATH}/evening/instantiate`, { inputs: { lamp: 'kitchen-ceiling' } });
  expect((await call(`POST ${PATH}`, EVENING)).json).toMatchObject({ code: 'NAME_TAKEN' });
  const off = { command: { targets: { devices: [{ input: 'lamp' }] }, set: { on: false } } };
  const newer = { ...EVENING, version: 2, definition: { ...EVENING.definition, steps: [off] } };
  const put = await call(`POST ${PATH}`, newer);
  expect([put.status, put.json['version'], put.json['used_by']]).toMatchObject([200, 2, [{ version: 1 }]]);
  const trial = await call(`POST ${PATH}/evening/instantiate?dry_run=true`, { automation: 'evening-lamp' });
  expect(trial.json['differences']).toMatchObject([{ pointer: '/steps/0/command/set/on', from: true, to: false }]);
  expect((await call(`DELETE ${PATH}/evening`)).status).toBe(204);
  expect((await call(`DELETE ${PATH}/evening`)).status).toBe(404);
  expect((await call('GET /automation/evening-lamp')).json).toMatchObject({ version: 1, template: { id: 'evening' } });
  // What a hub shows can be imported.
  const shown = { ...EVENING, builtin: false, step_kinds: ['command'], used_by: [] };
  expect((await call(`POST ${PATH}`, shown)).status).toBe(201);
});

test('each fault of a template has its pointer, and nothing is kept', async () => {
  const { call } = await open();
  const { lamp } = EVENING.inputs;
  const wrong = { ...EVENING, inputs: { lamp: { ...lamp, capability: undefined, min: 1 }, at: EVENING.inputs.at } };
  const refused = await call(`POST ${PATH}`, wrong);
  expect([refused.status, pointersOf(refused).toSorted()]).toEqual([
    422,
    ['/inputs/lamp/capability', '/inputs/lamp/min'],
  ]);
  const unknown = { ...EVENING, definition: { ...EVENING.definition, steps: [{ fly: {} }] } };
  expect(pointersOf(await call(`POST ${PATH}`, unknown))).toEqual(['/inputs/lamp']);
  expect((await call(`POST ${PATH}`, { ...EVENING, id: 'Evening!' })).status).toBe(422);
  const shipped = await call(`POST ${PATH}`, { ...EVENING, id: 'leak', version: 99 });
  expect([shipped.status, shipped.json['code'], pointersOf(shipped)]).toEqual([409, 'NAME_TAKEN', ['/id']]);
  expect((await call(`DELETE ${PATH}/leak`)).json['code']).toBe('NOT_SUPPORTED');
  expect((await call(`GET ${PATH}`)).json).toHaveLength(12);
});

test('residents make automations of it, but bring no templates into the home', async () => {
  const { call, resident } = await open();
  expect((await call(`POST ${PATH}`, EVENING, resident)).status).toBe(403);
  await call(`POST ${PATH}`, EVENING);
  expect((await call(`DELETE ${PATH}/evening`, undefined, resident)).status).toBe(403);
  const made = await call(`POST ${PATH}/evening/instantiate`, { inputs: { lamp: 'kitchen-ceiling' } }, resident);
  expect([made.status, made.json['enabled']]).toEqual([201, false]);
});
