import { describe, expect, test } from 'vitest';
import { openRunningHub } from '#test/support/automation/running-hub.ts';

const DARK = {
  triggers: [{ id: 'seen', type: 'feature', device: 'kitchen-sink-leak-sensor', key: 'water_leak', to: true }],
  conditions: [{ feature: { device: 'kitchen-ceiling', key: 'on', is: false } }],
  steps: [
    { command: { targets: { devices: ['living-room-lamp'] }, set: { brightness: 37 }, wait: 'finished' } },
    { delay: { s: 60 } },
    { notify: { severity: 'info', title: 'Off now' } },
    { command: { targets: { devices: ['living-room-lamp'] }, set: { on: false } } },
  ],
} as const;

type Tried = {
  readonly state: string;
  readonly state_reason: { readonly code: string } | null;
  readonly over: boolean;
  readonly trace: { readonly outcome: string; readonly conditions: readonly unknown[] };
  readonly commands: readonly {
    readonly step: string;
    readonly after_ms: number;
    readonly targets: readonly { readonly device: string; readonly set: object; readonly problem: unknown }[];
    readonly problem: { readonly code: string } | null;
  }[];
  readonly others: readonly { readonly kind: string; readonly step: string; readonly problem: unknown }[];
};
type RunningHub = Awaited<ReturnType<typeof openRunningHub>>;

async function ask(hub: RunningHub, body: object = {}, token = hub.owner.token) {
  const { status, json } = await hub.call('POST /automation/dark/run', { token, body: { dry_run: true, ...body } });
  return { status, code: json['code'], json, tried: json['dry_run'] as Tried };
}

const NOT_DARK = { given: { 'kitchen-ceiling/on': true } };
const IS_DARK = { trigger: 'seen', given: { 'kitchen-ceiling/on': false } };

describe('a dry run', () => {
  test('tells which way a start would go and what it would command', async () => {
    const hub = await openRunningHub();
    await hub.add('Dark', DARK);
    const { status, tried } = await ask(hub, IS_DARK);
    expect(status).toBe(200);
    expect(tried).toMatchObject({ state: 'ready', state_reason: null, over: true, trace: { outcome: 'finished' } });
    expect(tried.commands.map(({ step, targets, problem }) => [step, targets, problem])).toEqual([
      ['/steps/0/command', [{ device: 'living-room-lamp', set: { brightness: 37 }, problem: null }], null],
      ['/steps/3/command', [{ device: 'living-room-lamp', set: { on: false }, problem: null }], null],
    ]);
    expect(tried.commands.map(({ after_ms: ms }) => ms)).toEqual([0, 60_300]);
    expect(tried.others).toMatchObject([{ kind: 'notify', step: '/steps/2/notify', problem: null }]);
    expect((await ask(hub, NOT_DARK)).tried).toMatchObject({ trace: { outcome: 'not_met' }, commands: [] });
    const anyway = await ask(hub, { ...NOT_DARK, skip_conditions: true });
    expect(anyway.tried.commands).toHaveLength(2);
  });

  test('leaves nothing behind: no command, event, trace, count, entry of the audit log, or write', async () => {
    const hub = await openRunningHub();
    const { id } = await hub.add('Dark', DARK);
    const { events, commands, storage, notifications, automationEngine, runHistory } = hub.home;
    const lamp = hub.device('living-room-lamp');
    const before = [
      lamp.states,
      notifications.all(),
      automationEngine.statusOf(id),
      await storage.entries.loadEntries(),
    ];
    const cursor = events.cursor();
    hub.writes.length = 0;
    const { json, tried } = await ask(hub, IS_DARK);
    expect(tried.commands).toHaveLength(2);
    expect(hub.writes.filter((write) => !/session|user|apiToken/i.test(write))).toEqual([]);
    expect(events.cursor()).toBe(cursor);
    expect([hub.sent(), hub.runs(), runHistory.nearMisses.list(id), runHistory.runs.lastOf(id)]).toEqual([
      [],
      [],
      [],
      null,
    ]);
    expect(runHistory.runs.find(String(json['run']))).toBeUndefined();
    expect(runHistory.runs.countsOf(id, hub.hubClock.nowMs())).toMatchObject({ runs: 0, notMet: 0, skipped: 0 });
    expect(commands.isBusy(lamp.id)).toBe(false);
    expect([
      hub.device('living-room-lamp').states,
      notifications.all(),
      automationEngine.statusOf(id),
      await storage.entries.loadEntries(),
    ]).toEqual(before);
  });

  test('works for one that is disabled, broken, suspended or tripped, and says so', async () => {
    const hub = await openRunningHub();
    const steps = [{ command: { targets: { devices: ['living-room-lamp'] }, set: { brightness: 37 } } }];
    const { id } = await hub.add('Dark', { triggers: DARK.triggers, steps });
    const { automationEngine, automations, devices } = hub.home;
    await automations.change(id, { enabled: false });
    expect((await ask(hub, IS_DARK)).tried).toMatchObject({ state: 'disabled', trace: { outcome: 'finished' } });
    await automations.change(id, { enabled: true });
    // As often as it takes: the bucket is filled again while a slow machine starts them.
    while (automationEngine.statusOf(id).tripped === null) {
      hub.report('kitchen-sink-leak-sensor', { water_leak: false });
      hub.report('kitchen-sink-leak-sensor', { water_leak: true });
      await new Promise((resolve) => void setImmediate(resolve));
    }
    await hub.until(() => hub.runs().every(({ outcome }) => outcome !== 'running'));
    expect((await ask(hub, IS_DARK)).tried).toMatchObject({ state: 'tripped', trace: { outcome: 'finished' } });
    await automations.suspend(id, 'RIGHTS_MISSING');
    const suspended = await ask(hub, IS_DARK);
    expect(suspended.tried).toMatchObject({ state: 'suspended', state_reason: { code: 'RIGHTS_MISSING' } });
    await automations.sign(id, hub.signerOf(hub.owner));
    await devices.removeDevice(hub.device('living-room-lamp').id);
    const broken = await ask(hub, IS_DARK);
    expect([broken.status, broken.tried.state]).toEqual([200, 'broken']);
    expect(broken.tried.commands.filter(({ problem }) => problem === null)).toEqual([]);
  });

  test('checks each command with the rights that the signer has now, and against the device', async () => {
    const hub = await openRunningHub();
    const ben = await hub.addPerson('ben', 'resident');
    await hub.add('Dark', DARK, hub.signerOf(ben));
    const problems = async (): Promise<unknown> =>
      (await ask(hub, IS_DARK)).tried.commands.map(({ problem }) => problem?.code);
    const { integration, externalId } = hub.device('living-room-lamp');
    hub.home.devices.reportsOf(integration).reportAvailability(externalId, 'offline', null);
    expect(await problems()).toEqual(['DEVICE_OFFLINE', 'DEVICE_OFFLINE']);
    hub.home.devices.reportsOf(integration).reportAvailability(externalId, 'online', null);
    expect(await problems()).toEqual([undefined, undefined]);
    await hub.home.accounts.updateUser(ben.user.id, { roomIds: new Set() });
    expect(await problems()).toEqual(['RIGHTS_MISSING', 'RIGHTS_MISSING']);
    await hub.home.accounts.removeUser(ben.user.id);
    const { tried } = await ask(hub, IS_DARK);
    expect(tried.commands.map(({ problem }) => problem?.code)).toEqual(['SIGNER_GONE', 'SIGNER_GONE']);
    expect(tried.others).toMatchObject([{ problem: { code: 'SIGNER_GONE' } }]);
  });

  test('is for callers who see all that the automation looks at', async () => {
    const hub = await openRunningHub();
    await hub.add('Dark', DARK);
    const { user } = hub.owner;
    const whole = await hub.addToken(user, { scopes: ['automation:run', 'automation:read', 'device:read'] });
    const blind = await hub.addToken(user, { scopes: ['automation:run', 'device:read'] });
    const deviceIds = [hub.device('living-room-lamp').id];
    const narrow = await hub.addToken(user, {
      scopes: ['automation:run', 'automation:read', 'device:read'],
      deviceIds,
      roomIds: [],
    });
    const statusOf = async (token: string, body: object = IS_DARK): Promise<unknown> =>
      (await ask(hub, body, token)).status;
    expect(await statusOf(whole)).toBe(200);
    expect(await statusOf(blind)).toBe(403);
    expect(await statusOf(narrow)).toBe(403);
  });

  test('what it is asked wrongly is refused, and values are given to dry runs only', async () => {
    const hub = await openRunningHub();
    await hub.add('Dark', DARK);
    const codes = async (body: object): Promise<unknown> => {
      const { status, json } = await ask(hub, body);
      return [status, (json['errors'] as readonly { pointer: string }[] | undefined)?.map(({ pointer }) => pointer)];
    };
    expect(await codes({ trigger: 't9' })).toEqual([422, ['/trigger']]);
    expect(await codes({ given: { 'no-such/on': true } })).toEqual([422, ['/given/no-such~1on']]);
    expect(await codes({ given: { 'kitchen-ceiling/on': 4 } })).toEqual([422, ['/given/kitchen-ceiling~1on']]);
    expect(await codes({ ...IS_DARK, dry_run: false })).toEqual([422, ['/given']]);
    expect(hub.runs()).toEqual([]);
  });
});
