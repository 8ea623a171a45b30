import { expect, test, vi } from 'vitest';
import type { SampleValue } from '#core/past/history/sample.ts';
import { simulateInProcess } from '#test/support/automation/replay-in-process.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

const HOUR_MS = 3_600_000;

type Simulated = {
  readonly id: string;
  readonly status: string;
  readonly error: unknown;
  readonly result: {
    readonly counts: Readonly<Record<string, number>>;
    readonly per_day: readonly { readonly new: readonly { readonly at: string; readonly run: string }[] }[];
    readonly runs: readonly { readonly id: string; readonly steps: readonly unknown[] }[];
    readonly fidelity: { readonly complete: boolean; readonly missing: readonly { readonly reason: string }[] };
    readonly compare: { readonly only_old: readonly unknown[]; readonly both: number } | null;
    readonly commands: unknown;
    readonly time_zone: string;
  };
};

const LIGHT = {
  triggers: [{ id: 'seen', type: 'feature', device: 'kitchen-ceiling', key: 'on', to: true }],
  conditions: [{ feature: { device: 'living-room-lamp', key: 'brightness', below: 40 } }],
  steps: [{ command: { targets: { devices: ['living-room-lamp'] }, set: { on: true } } }],
};

async function openPast(simulated: typeof simulateInProcess = simulateInProcess) {
  const hub = await openWholeHub({ simulate: simulated });
  const owner = (await hub.addPerson('Olga', 'owner')).token;
  const nowMs = hub.hubClock.nowMs();
  const idOf = (selector: string): string => hub.home.devices.findDevice(selector)?.id ?? '';
  const at = (hoursAgo: number): number => nowMs - hoursAgo * HOUR_MS;
  const put = (device: string, key: string, ...samples: readonly (readonly [number, SampleValue])[]) =>
    hub.home.storage.history.importSamples(
      [{ name: `${idOf(device)}/${key}`, kind: key === 'brightness' ? 'gauge' : 'state', unit: null }],
      samples.map(([hoursAgo, value]) => ({ series: `${idOf(device)}/${key}`, atMs: at(hoursAgo), value })),
    );
  await put('kitchen-ceiling', 'on', [60, false], [40, true], [39, false], [30, true], [29, false]);
  await put('kitchen-ceiling', 'availability', [60, 'online']);
  await put('living-room-lamp', 'brightness', [60, 80], [35, 20]);
  await put('living-room-lamp', 'availability', [60, 'online']);
  await put('living-room-lamp', 'on', [60, false]);
  // The hub of a test was not there at that time.
  const simulate = (body: object, token = owner) =>
    hub.call('POST /automation_simulation', { token, body: { as_if_on: true, ...body } });
  return { hub, owner, at, simulate, idOf };
}

test('an automation is tried on the past, and says what it would have done on which day', async () => {
  const { simulate } = await openPast();
  const { status, json } = await simulate({ definition: LIGHT, from: '-48h', to: '-20h' });
  const { result, error } = json as unknown as Simulated;
  expect([status, error]).toEqual([200, null]);
  expect(result.counts).toEqual({ not_met: 1, finished: 1 });
  const fired = result.per_day.flatMap((day) => day.new);
  expect(fired).toHaveLength(1);
  expect(result.runs.map(({ id }) => id)).toContain(fired[0]?.run);
  expect(result.commands).toEqual({ 'living-room-lamp': { sent: 1, on_s: 10 * 3600 } });
});

test('a change is compared with the automation as it is', async () => {
  const { hub, simulate, owner } = await openPast();
  const { definition } = await readSaved(hub);
  const always = { ...LIGHT, conditions: [] };
  const { json } = await simulate({
    automation: 'hall-light',
    definition: always,
    compare_to: 1,
    from: '-48h',
    to: '-20h',
  });
  const { result } = json as unknown as Simulated;
  expect(result.compare).toMatchObject({ only_old: [], both: 1 });
  expect(result.counts).toEqual({ finished: 2 });
  const given = await simulate({
    automation: 'hall-light',
    from: '-48h',
    to: '-20h',
    given: { 'living-room-lamp/brightness': 10 },
  });
  expect((given.json as unknown as Simulated).result.counts).toEqual({ finished: 2 });
  expect([definition.triggers.length, owner.length > 0]).toEqual([1, true]);
});

test('as if the hub had been on, what was imported for a time before it starts things too', async () => {
  const { simulate } = await openPast();
  const noon = { triggers: [{ type: 'time', every_s: 3_600 }], steps: [] };
  const asked = { definition: noon, from: '-13d', to: '-12d' };
  const { result } = (await simulate({ ...asked, as_if_on: false })).json as unknown as Simulated;
  expect([result.counts, result.fidelity.missing.map(({ reason }) => reason)]).toEqual([{}, ['hub_off']]);
  const imported = (await simulate(asked)).json as unknown as Simulated;
  expect([imported.result.counts, imported.result.fidelity]).toEqual([
    { finished: 24 },
    { complete: true, missing: [] },
  ]);
});

test('what is asked wrongly is refused', async () => {
  const { simulate, hub } = await openPast();
  const codeOf = async (body: object): Promise<unknown[]> => {
    const { status, json } = await simulate(body);
    return [
      status,
      json['code'],
      ...((json['errors'] as { pointer: string }[] | undefined) ?? []).map(({ pointer }) => pointer),
    ];
  };
  expect(await codeOf({})).toEqual([422, 'VALIDATION_FAILED', '/definition']);
  expect(await codeOf({ automation: 'none' })).toEqual([404, 'NOT_FOUND']);
  expect(await codeOf({ definition: LIGHT, from: '-40d' })).toEqual([422, 'SIMULATION_TOO_LARGE']);
  expect(await codeOf({ definition: LIGHT, from: 'yesterday' })).toEqual([422, 'VALIDATION_FAILED', '/from']);
  expect(await codeOf({ definition: LIGHT, from: '-1h', to: '-2h' })).toEqual([400, 'HISTORY_RANGE']);
  expect(await codeOf({ definition: LIGHT, given: { 'living-room-lamp/on': 3 } })).toEqual([
    422,
    'VALIDATION_FAILED',
    '/given/living-room-lamp~1on',
  ]);
  expect(
    await codeOf({ definition: { ...LIGHT, triggers: [{ type: 'feature', device: 'none', key: 'on' }] } }),
  ).toEqual([422, 'VALIDATION_FAILED', '/definition/triggers/0/device']);
  const conditions = hub.home.devices
    .devices()
    .flatMap(({ selector, features }) =>
      features.flatMap(({ key, kind }) =>
        kind === 'state' ? [{ changed: { device: selector, key, within_s: 60 } }] : [],
      ),
    );
  expect(await codeOf({ definition: { ...LIGHT, conditions: conditions.slice(0, 40) } })).toEqual([
    422,
    'SIMULATION_TOO_LARGE',
  ]);
});

test('only the one who asked reads it, and may end it', async () => {
  const { hub, simulate, owner } = await openPast();
  const { id } = (await simulate({ definition: LIGHT, from: '-48h' })).json as unknown as Simulated;
  const other = (await hub.addPerson('Ada', 'admin')).token;
  const guest = (await hub.addPerson('Gus', 'guest')).token;
  const path = `/automation_simulation/${id}`;
  const statusOf = async (line: string, token: string): Promise<number> => (await hub.call(line, { token })).status;
  expect(await statusOf(`GET ${path}`, other)).toBe(404);
  expect(await statusOf(`GET ${path}`, guest)).toBe(403);
  expect(await statusOf(`GET ${path}`, owner)).toBe(200);
  expect(await statusOf(`DELETE ${path}`, other)).toBe(404);
  expect(await statusOf(`DELETE ${path}`, owner)).toBe(204);
  expect(await statusOf(`GET ${path}`, owner)).toBe(404);
});

test('one that takes long is under way until it is done', async () => {
  let go = (): void => undefined;
  const isTime = new Promise<void>((resolve) => (go = resolve));
  const { hub, simulate, owner } = await openPast(async (...given) => {
    await isTime;
    return simulateInProcess(...given);
  });
  const { status, json } = await simulate({ definition: LIGHT, from: '-48h' });
  const { id } = json as unknown as Simulated;
  expect([status, json['status']]).toEqual([202, 'running']);
  const statusNow = async (): Promise<unknown> =>
    (await hub.call(`GET /automation_simulation/${id}`, { token: owner })).json['status'];
  expect(await statusNow()).toBe('running');
  go();
  await vi.waitFor(async () => expect(await statusNow()).toBe('done'));
});

test('of what was not recorded yet it says so', async () => {
  const { simulate } = await openPast();
  const { json } = await simulate({ definition: LIGHT, from: '-100h', to: '-20h' });
  const { fidelity } = (json as unknown as Simulated).result;
  expect(fidelity.complete).toBe(false);
  expect(new Set(fidelity.missing.map(({ reason }) => reason))).toContain('not_recorded');
});

async function readSaved(hub: Awaited<ReturnType<typeof openWholeHub>>) {
  const { automations, accounts } = hub.home;
  const [user] = accounts.users();
  if (user === undefined) throw new Error('there is nobody');
  const { readDefinition } = await import('#core/automation/document/read-definition.ts');
  const { definition } = readDefinition(LIGHT, (kind, name) => automations.findTarget(kind, name)?.id);
  if (definition === undefined) throw new Error('it cannot be read');
  return automations.create({
    name: 'Hall light',
    description: '',
    roomId: null,
    labels: [],
    enabled: true,
    definition,
    template: null,
    signer: { user: { id: user.id, name: user.name }, via: { type: 'session', id: 'one' }, signedAtMs: 0 },
    note: null,
  });
}
