import { because } from '#core/automation-run/trace/run-reason.ts';
import { describe, expect, test } from 'vitest';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { Feature } from '#core/feature/feature.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { Person } from '#test/support/hub/whole-hub.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';

const LAMP_FOLLOWS_LEAK = {
  triggers: [{ type: 'feature', device: 'kitchen-sink-leak-sensor', key: 'water_leak', to: true }],
  steps: [{ command: { targets: { devices: ['living-room-lamp'] }, set: { brightness: 37 }, wait: 'finished' } }],
} as const;

const WAITS_FOR_WINDOW = {
  ...LAMP_FOLLOWS_LEAK,
  steps: [
    ...LAMP_FOLLOWS_LEAK.steps,
    {
      wait_for: {
        triggers: [{ type: 'feature', device: 'bedroom-window', key: 'open', to: true }],
        timeout_s: 3_600,
      },
    },
  ],
} as const;
const LOCKS_AFTER_WINDOW = {
  ...WAITS_FOR_WINDOW,
  allow_sensitive: ['front-door-lock'],
  steps: [
    ...WAITS_FOR_WINDOW.steps,
    { command: { targets: { devices: ['front-door-lock'] }, set: { locked: true }, skip_if_same: false } },
  ],
} as const;
const BY_HAND = { trigger: null, skipConditions: true, cause: DIRECT };
const numbersIn = (one: Feature): Feature[] => [{ ...one, valueType: 'number', min: 0, max: 100 }];
const eventsIn = (one: Feature): Feature[] => [{ ...one, kind: 'event', options: ['wet'] }];
type RunningHub = Awaited<ReturnType<typeof openRunningHub>>;

describe('automations in the hub', () => {
  test('a change starts a run, whose command is confirmed by the device and names what it came from', async () => {
    const hub = await openRunningHub();
    const record = await hub.add('Leak', LAMP_FOLLOWS_LEAK);
    hub.report('kitchen-sink-leak-sensor', { water_leak: true });
    await hub.until(() => hub.runs().some(({ outcome }) => outcome === 'finished'));
    expect(hub.sent()).toEqual(['living-room-lamp brightness=37 confirmed']);
    const [run] = hub.runs();
    expect(run).toMatchObject({ automation: record.id, outcome: 'finished', trigger: { id: 't1', value: true } });
    const [step] = run?.steps ?? [];
    expect(step).toMatchObject({ pointer: '/steps/0/command', outcome: 'done', command: { status: 'confirmed' } });
    const command = hub.home.commands.findCommand(step?.command?.id ?? '');
    expect(command?.createdBy).toEqual({ type: 'automation', id: record.id, userId: hub.owner.user.id });
    expect(command?.cause).toMatchObject({ automation: record.id, run: run?.id, depth: 1 });
  });

  test('the trace of a request that failed does not say whether a port is open', async () => {
    const hub = await openRunningHub();
    const request = { method: 'GET', url: 'http://127.0.0.1:1/', wait: true };
    const record = await hub.add('Asks', { triggers: [], steps: [{ request }] });
    await hub.home.automationEngine.run(record.id, BY_HAND);
    await hub.until(() => hub.runs().some(({ outcome }) => outcome !== 'running'));
    expect(JSON.stringify(hub.runs()[0]?.steps)).toContain('no connection, or no answer within 10 s');
  });

  test('a person starts and stops one by hand; one that is disabled, or a trigger that it does not have, is refused', async () => {
    const hub = await openRunningHub();
    const record = await hub.add('Waits', WAITS_FOR_WINDOW);
    const { token } = hub.owner;
    const started = await hub.call('POST /automation/waits/run', { token, body: { skip_conditions: true } });
    expect(started).toMatchObject({ status: 200, json: { run: expect.any(String) as string } });
    expect(hub.home.automationEngine.statusOf(record.id).running).toBe(1);
    expect((await hub.call('POST /automation/waits/stop', { token })).status).toBe(200);
    expect(hub.runs().map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      [started.json['run'], 'stopped', because('by_person')],
    ]);
    const { json: trace } = await hub.call(`GET /automation_run/${String(started.json['run'])}`, { token });
    const { id, name } = hub.owner.user;
    expect(trace).toMatchObject({ trigger: { by: { id, name }, skips_conditions: true } });
    expect((await hub.call('POST /automation/waits/run', { token, body: { trigger: 't9' } })).status).toBe(422);
    await hub.call('POST /automation/waits/disable', { token });
    expect(await hub.call('POST /automation/waits/run', { token })).toMatchObject({
      status: 409,
      json: { code: 'AUTOMATION_NOT_READY' },
    });
    expect((await hub.call('POST /automation/waits/reset', { token })).status).toBe(200);
  });

  test('a start says who asked for it by name; that of another automation, or of an API token, names nobody', async () => {
    const hub = await openRunningHub();
    const second = await hub.add('Second', { triggers: [], steps: [] });
    await hub.add('First', { triggers: [], steps: [{ automation: { automation: second.id, do: 'run' } }] });
    const script = await hub.addToken(hub.owner.user, { scopes: ['automation:run'] });
    await hub.call('POST /automation/first/run', { token: hub.owner.token });
    await hub.until(() => hub.runs().length === 2);
    await hub.call('POST /automation/second/run', { token: script });
    await hub.until(() => hub.runs().length === 3);
    const { json } = await hub.call('GET /automation_run', { token: hub.owner.token });
    const runs = json['runs'] as readonly {
      readonly automation: string;
      readonly trigger: { readonly by?: { readonly name: string }; readonly skips_conditions?: boolean };
    }[];
    expect(
      runs.map(({ automation, trigger: { by, skips_conditions: skips } }) => [automation, by?.name, skips]),
    ).toEqual([
      ['second', undefined, undefined],
      ['second', undefined, undefined],
      ['first', hub.owner.user.name, undefined],
    ]);
  });

  test('a caller without the right to sensitive devices starts no automation that may move them', async () => {
    const hub = await openRunningHub();
    await hub.add('Door', { allow_sensitive: ['front-door-lock'], triggers: [], steps: [] });
    const script = await hub.addToken(hub.owner.user, { scopes: ['automation:run'] });
    const bold = await hub.addToken(hub.owner.user, { scopes: ['automation:run', 'device:control_sensitive'] });
    expect((await hub.call('POST /automation/door/run', { token: script })).status).toBe(403);
    expect((await hub.call('POST /automation/door/run', { token: bold })).status).toBe(200);
  });

  test.each([
    ['the signer was removed', 'SIGNER_GONE', ({ home }, { user }) => home.accounts.removeUser(user.id)],
    [
      'the API token that it was signed with was revoked',
      'SIGNER_GONE',
      ({ home }) => home.apiTokens.endToken(home.apiTokens.tokens()[0]?.id as ApiTokenId),
    ],
    [
      'the signer became a guest',
      'RIGHTS_MISSING',
      ({ home }, { user }) => home.accounts.updateUser(user.id, { role: 'guest' }),
    ],
    [
      'the signer was limited to another room',
      'RIGHTS_MISSING',
      ({ home }, { user }) => home.accounts.updateUser(user.id, { roomIds: new Set() }),
    ],
  ] as readonly (readonly [string, string, (hub: RunningHub, signer: Person) => Promise<unknown>])[])(
    'in mid-run %s: nothing more is sent, the automation is suspended, and keepers learn of it',
    async (_, code, takeAway) => {
      const hub = await openRunningHub();
      const signer = await hub.addPerson('ben', 'resident');
      const { token } = await hub.home.apiTokens.addToken({
        userId: signer.user.id,
        name: 'script',
        roomIds: null,
        deviceIds: null,
        networks: null,
        provider: null,
        scopes: ['device:control', 'device:control_sensitive', 'automation:manage'],
        expiresInS: null,
      });
      const via = { type: 'api_token', id: token.id } as const;
      const record = await hub.add('Waits', LOCKS_AFTER_WINDOW, { ...hub.signerOf(signer), via });
      hub.report('kitchen-sink-leak-sensor', { water_leak: true });
      await hub.until(() => hub.sent().includes('living-room-lamp brightness=37 confirmed'));
      await takeAway(hub, signer);
      hub.report('bedroom-window', { open: true });
      await hub.until(() => hub.home.automations.find(record.id)?.suspended !== null);
      expect(hub.sent()).toEqual(['living-room-lamp brightness=37 confirmed']);
      expect(hub.home.automations.find(record.id)?.suspended?.code).toBe(code);
      await hub.until(() => hub.home.notifications.all().length > 0);
      expect(hub.home.notifications.all()[0]).toMatchObject({
        title: 'Waits was suspended',
        to: ['role:owner', 'role:admin'],
        source: { kind: 'automation', id: record.id },
      });
      await hub.until(() => hub.home.automationEngine.statusOf(record.id).running === 0);
      // Somebody with the rights signs it, and it runs again.
      await hub.home.automations.sign(record.id, hub.signerOf(hub.owner));
      expect(await hub.home.automationEngine.run(record.id, BY_HAND)).toMatchObject({
        run: expect.any(String) as string,
      });
    },
  );

  test('one whose sensor is removed is broken, and runs again once the sensor is paired anew', async () => {
    const hub = await openRunningHub();
    const record = await hub.add('Leak', LAMP_FOLLOWS_LEAK);
    const { id, integration, availability: _, states: __, ...sensor } = hub.device('kitchen-sink-leak-sensor');
    const stateNow = (): string => hub.home.automations.stateOf(record).state;
    await hub.home.devices.removeDevice(id);
    expect(stateNow()).toBe('broken');
    expect(await hub.home.automationEngine.run(record.id, BY_HAND)).toEqual({ refused: 'broken' });
    const reports = hub.home.devices.reportsOf(integration);
    await reports.describeDevice(sensor);
    reports.reportAvailability(sensor.externalId, 'online', null);
    expect(hub.device('kitchen-sink-leak-sensor').id).toBe(id);
    expect(stateNow()).toBe('ready');
    hub.report('kitchen-sink-leak-sensor', { water_leak: false });
    hub.report('kitchen-sink-leak-sensor', { water_leak: true });
    await hub.until(() => hub.sent().includes('living-room-lamp brightness=37 confirmed'));
  });

  test.each([
    ['lacks what starts it', '/triggers/0/key', { change: () => [], values: [] }],
    ['has numbers there', '/triggers/0/to', { change: numbersIn, values: [0, 1] }],
    ['has events there', '/triggers/0/key', { change: eventsIn, values: [] }],
  ] as readonly (readonly [string, string, { change: (one: Feature) => Feature[]; values: readonly number[] }])[])(
    'one whose sensor is paired anew as one that %s says so, and is whole again with the old one',
    async (_what, pointer, { change, values }) => {
      const hub = await openRunningHub();
      const record = await hub.add('Leak', LAMP_FOLLOWS_LEAK);
      const shown = async () => {
        const { json } = await hub.call('GET /automation/leak', { token: hub.owner.token });
        return { state: json['state'], reason: json['state_reason'] };
      };
      const { id, integration, availability: _, states: __, ...sensor } = hub.device('kitchen-sink-leak-sensor');
      const reports = hub.home.devices.reportsOf(integration);
      await hub.home.devices.removeDevice(id);
      await reports.describeDevice({
        ...sensor,
        features: sensor.features.flatMap((one) => (one.key === 'water_leak' ? change(one) : [one])),
      });
      reports.reportAvailability(sensor.externalId, 'online', null);
      expect(hub.device('kitchen-sink-leak-sensor').id).toBe(id);
      expect(await shown()).toMatchObject({ state: 'ready', reason: { code: 'NO_FIT', pointers: [pointer] } });
      for (const value of values) hub.report('kitchen-sink-leak-sensor', { water_leak: value });
      reports.reportOccurrence(sensor.externalId, 'water_leak', { action: 'wet', raw: 'wet' });
      expect(hub.home.automationEngine.statusOf(record.id)).toMatchObject({ running: 0 });
      const asked = await hub.call(`GET /automation/leak/why?at=${new Date().toISOString()}`, {
        token: hub.owner.token,
      });
      expect(asked).toMatchObject({ status: 200, json: { verdict: 'broken' } });

      await reports.describeDevice(sensor);
      expect(await shown()).toEqual({ state: 'ready', reason: null });
      hub.report('kitchen-sink-leak-sensor', { water_leak: false });
      hub.report('kitchen-sink-leak-sensor', { water_leak: true });
      await hub.until(() => hub.sent().includes('living-room-lamp brightness=37 confirmed'));
      expect(hub.runs()).toHaveLength(1);
    },
  );
});

test('a scene that an automation sets gives members of a group the transition of that group', async () => {
  const hub = await openRunningHub();
  const { token } = hub.owner;
  const lamps = ['kitchen-ceiling', 'living-room-lamp'];
  expect(await hub.call('POST /group', { token, body: { name: 'Both', members: lamps } })).toMatchObject({
    status: 201,
  });
  const targets = [{ device: 'both', set: { on: true }, transition_ms: 4_000 }];
  const scene = { name: 'Slow', targets, transition_ms: 1_000 };
  expect(await hub.call('POST /scene', { token, body: scene })).toMatchObject({ status: 201 });
  const record = await hub.add('Slowly', { triggers: [], steps: [{ scene: { scene: 'slow', skip_if_same: false } }] });
  const asked: (readonly [string, number])[] = [];
  hub.home.events.subscribe((event) => {
    if (event.type === 'command.changed') asked.push(...event.command.transitionMsOf);
  });
  await hub.home.automationEngine.run(record.id, BY_HAND);
  const expected = lamps.map((selector) => [hub.device(selector).id, 4_000] as const);
  await hub.until(() => asked.length > 0);
  expect(new Map(asked)).toEqual(new Map(expected));
});

test('a start that its conditions refuse is an event for clients that ask for it, and for no other', async () => {
  const hub = await openRunningHub();
  const { token } = hub.owner;
  const { id } = await hub.add('Never', {
    triggers: [{ type: 'feature', device: 'living-room-lamp', key: 'brightness' }],
    conditions: [{ feature: { device: 'living-room-lamp', key: 'on', is: true } }],
    steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }],
  });
  const since = hub.home.events.cursor();
  hub.report('living-room-lamp', { on: false, brightness: 11 });
  hub.report('living-room-lamp', { on: false, brightness: 12 });
  await hub.until(() => hub.runs().some(({ outcome }) => outcome === 'not_met'));
  const eventsOf = async (types: string): Promise<readonly { readonly type: string; readonly data: unknown }[]> =>
    (await hub.call(`GET /event?since=${since}&wait=0${types}`, { token })).json['events'] as never;
  const typesOf = async (types: string) => new Set((await eventsOf(types)).map(({ type }) => type));
  expect(await typesOf('')).not.toContain('automation.run.dull');
  expect(await typesOf('&types=automation.run')).toEqual(new Set());
  expect((await eventsOf('&types=automation.run.dull'))[0]).toMatchObject({
    type: 'automation.run.dull',
    data: { automation: { id, selector: 'never' }, phase: 'finished', outcome: 'not_met' },
  });
});

test('automations that were put off and fail to begin stay put off, and the next call begins them, once', async () => {
  const off = new Set(['automations']);
  let begins = 0;
  const hub = await openRunningHub({
    safeMode: {
      holds: (what) => off.has(what),
      note: () => null,
      during: async (what, work) => {
        if (what === 'automations') begins += 1;
        if (begins === 1) throw new Error('the disk fails');
        return work();
      },
      release: async (what) => off.delete(what),
      stop: () => undefined,
    },
  });
  const { areAutomationsPutOff, resumeAutomations, automationEngine } = hub.home;
  await expect(resumeAutomations()).rejects.toThrow('the disk fails');
  expect(areAutomationsPutOff()).toBe(true);
  const { id } = await hub.add('Waits', WAITS_FOR_WINDOW);
  expect(await automationEngine.run(id, BY_HAND)).toEqual({ refused: 'put_off' });
  await Promise.all([resumeAutomations(), resumeAutomations()]);
  expect([areAutomationsPutOff(), begins]).toEqual([false, 2]);
  expect(await automationEngine.run(id, BY_HAND)).toHaveProperty('run');
});
