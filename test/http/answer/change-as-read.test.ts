import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { openWholeHub, type WholeAnswer, type WholeHub } from '#test/support/hub/whole-hub.ts';

// What a call does not name stays as another one at the same time has made it.

let hub: WholeHub;
let token: string;
beforeEach(async () => {
  hub = await openWholeHub();
  ({ token } = await hub.addPerson('ada', 'owner'));
});

const call = (line: string, body?: unknown): Promise<WholeAnswer> => hub.call(line, { token, body });

/** Answers without a socket, so that nothing of it comes later. A command is waited for until it has ended. */
async function ask(line: string, body?: unknown): Promise<number> {
  const [method = '', path = ''] = line.split(' ');
  const { status } = await hub.fetch(
    new Request(`http://hub.local/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Prefer: 'wait=10' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return status;
}

/** The second has read what it changes before the first is on disk. */
async function atOnce(table: 'automations' | 'scenes', lines: readonly (readonly [string, unknown?])[]) {
  hub.writes.length = 0;
  const release = hub.holdWrites(table);
  const changes: Promise<number>[] = [];
  for (const [line, body] of lines) {
    changes.push(ask(line, body));
    for (let turns = 0; turns < 20; turns += 1) await turnOfOthers();
  }
  expect(hub.writes).toHaveLength(1);
  release();
  return Promise.all(changes);
}

test('two captures of a scene keep what each took', async () => {
  const devices = ['kitchen-ceiling', 'living-room-lamp'];
  for (const on of [false, true]) {
    for (const device of devices) expect(await ask(`POST /device/${device}/command`, { set: { on } })).toBe(200);
    if (on) continue;
    const made = await call('POST /scene', { name: 'Both', capture: { devices, keys: ['on'] } });
    expect(made.json['targets']).toMatchObject([{ set: { on } }, { set: { on } }]);
  }
  const lines = devices.map((device) => ['POST /scene/both/capture', { devices: [device], keys: ['on'] }] as const);
  expect(await atOnce('scenes', lines)).toEqual([200, 200]);
  expect((await call('GET /scene/both')).json['targets']).toMatchObject([{ set: { on: true } }, { set: { on: true } }]);
});

const STEP = { command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } };

test('two PATCHes of an automation keep what each brought', async () => {
  await call('POST /automation', { name: 'Night', triggers: [{ type: 'time', at: '22:00' }], steps: [] });
  const lines = [{ steps: [STEP] }, { conditions: [{ time: { after: '20:00' } }] }];
  const statuses = await atOnce(
    'automations',
    lines.map((body) => ['PATCH /automation/night', body] as const),
  );
  expect(statuses).toEqual([200, 200]);
  expect((await call('GET /automation/night')).json).toMatchObject({
    version: 3,
    steps: [{ command: { set: { on: true } } }],
    conditions: [{ time: { after: '20:00' } }],
  });
});

test('an automation that is cut loose from its template keeps what was put in its place meanwhile', async () => {
  const made = await call('POST /automation_template/low-batteries/instantiate', { inputs: {}, name: 'Cells' });
  expect(made.status).toBe(201);
  const body = { name: 'Cells', triggers: [{ type: 'time', at: '22:00' }], steps: [STEP] };
  expect(await atOnce('automations', [['PUT /automation/cells', body], ['DELETE /automation/cells/template']])).toEqual(
    [200, 204],
  );
  expect((await call('GET /automation/cells')).json).toMatchObject({ template: null, triggers: [{ at: '22:00' }] });
});
