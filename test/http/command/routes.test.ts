import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import { dataOf } from '#core/event/event-log.ts';
import { commandRoutes } from '#http/command/routes.ts';
import { createEventEncoder } from '#http/event/json.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { type CommandHome, describeDevice, openCommandHome } from '#test/support/hub/command-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

const LOCK = createFeature('locked', { capability: 'locked' });
const CODE = createFeature('x.lock_code', { capability: 'x.lock_code', valueType: 'string', readable: false });
const SIREN = createFeature('siren.on', { capability: 'siren' });
const THERMOMETER = createFeature('temperature', { capability: 'temperature', writable: false, valueType: 'number' });

type Answer = { status: number; headers: Headers; json: Record<string, unknown> & { id: string; code?: string } };

async function openApp() {
  const home = await openCommandHome([
    describeDevice('lamp'),
    describeDevice('plug', { features: [createFeature('on')] }),
    describeDevice('lock', { type: 'door_lock', features: [LOCK, CODE] }),
    describeDevice('alarm', { type: 'smoke_co_alarm', features: [SIREN] }),
    describeDevice('sensor', { features: [THERMOMETER] }),
  ]);
  const kitchen = await home.rooms.addRoom('Kitchen');
  for (const id of ['lamp', 'plug', 'lock', 'sensor']) {
    await home.registry.updateDevice(home.device(id).id, { roomId: kitchen.id });
  }
  const audited: AuditEvent[] = [];
  const routes = commandRoutes({
    audit: { record: async (event) => void audited.push(event) },
    commands: home.commands,
    registry: home.registry,
    findRoom: home.rooms.findRoom,
  });
  const { request } = createTestApp(routes);
  const call = async (line: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> => {
    const [method = '', path = ''] = line.split(' ');
    const headers = { Authorization: 'Bearer owner', 'Content-Type': 'application/json', Prefer: 'wait=0', ...more };
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await request(`/api/v1${path}`, { method, headers, ...json });
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Answer['json'] };
  };
  /** The lamp carries out each command at once. */
  const obey = (): void => {
    home.radio.send = async ({ externalId, set }) => {
      home.reports.reportValues(externalId, set);
      return 'transport_ack';
    };
  };
  return { home, kitchen, call, obey, audited };
}

const settled = (home: CommandHome): Promise<void> => home.time.advance(0);
const AS = { guest: { Authorization: 'Bearer guest' }, resident: { Authorization: 'Bearer resident' } };

test('the code of a lock reaches the lock, and no answer, event or entry of the audit log has it', async () => {
  const { home, call, audited } = await openApp();
  const codes: unknown[] = [];
  home.radio.send = async ({ set }) => {
    codes.push(set.get('x.lock_code'));
    return 'device_ack';
  };
  const given = await call('POST /device/lock/command', { set: { locked: false, 'x.lock_code': '4711' } });
  await settled(home);
  const read = await call(`GET /command/${given.json.id}`);
  expect(codes).toEqual(['4711']);
  expect(read.json).toMatchObject({
    results: [{ requested: false }, { key: 'x.lock_code', requested: null, observed: null, status: 'confirmed' }],
  });
  const encode = createEventEncoder({ findRoom: home.rooms.findRoom, wallMs: () => 0 });
  const shown = home.events.map((event) => dataOf(encode(event, '')));
  expect(shown.join()).toContain('x.lock_code');
  expect(JSON.stringify([given.json, read.json, shown, audited])).not.toContain('4711');
});

describe('A10: the audit log', () => {
  test('has who commanded a lock, and no commands to harmless devices', async () => {
    const { call, audited } = await openApp();
    await call('POST /device/lamp/command', { set: { on: true } });
    expect(audited).toEqual([]);
    await call('POST /device/lock/command', { set: { locked: false } });
    const by = { peer: expect.any(String), userId: 'user-owner', sessionId: 'session-of-owner' };
    expect(audited).toEqual([{ type: 'command.given', ...by, detail: 'locked=false lock' }]);
  });

  test('has one entry for each lock and alarm of a command for several devices', async () => {
    const { call, audited, kitchen } = await openApp();
    await call('POST /command', { targets: { devices: ['lock', 'alarm'] }, set: { locked: false } });
    expect(audited).toEqual([]);
    await call('POST /command', { targets: { devices: ['lock'], room: kitchen.id }, set: { locked: true } });
    expect(audited.map(({ detail }) => detail)).toEqual(['locked=true lock']);
  });

  test('has a repeated command once, and no refused command', async () => {
    const { call, audited } = await openApp();
    const key = { 'Idempotency-Key': 'once' };
    for (let count = 0; count < 3; count += 1) {
      await call('POST /device/lock/command', { set: { locked: false } }, key);
    }
    expect((await call('POST /device/lock/command', { set: { locked: 'x' } })).status).toBe(422);
    expect((await call('POST /device/lock/command', { set: { locked: true } }, AS.guest)).status).toBe(403);
    expect(audited).toHaveLength(1);
  });

  test('has no text and no number from a command, because it can be the code of a lock', async () => {
    const pin = createFeature('pin', { capability: 'x.pin', valueType: 'string' });
    const code = createFeature('code', { capability: 'x.code', valueType: 'number' });
    const { call, audited, home } = await openApp();
    await home.reports.describeDevice(describeDevice('safe', { type: 'door_lock', features: [LOCK, pin, code] }));
    home.reports.reportAvailability('safe', 'online', null);
    const body = { set: { locked: true, pin: '4711', code: 4711 } };
    expect((await call('POST /device/safe/command', body)).status).toBe(202);
    expect(audited.map(({ detail }) => detail)).toEqual(['locked=true,pin,code safe']);
  });
});

describe('POST /api/v1/device/{selector}/command', () => {
  test('answers 200 with the finished command, as the API documents it', async () => {
    const { home, call, obey } = await openApp();
    obey();
    const { status, headers, json } = await call(
      'POST /device/lamp/command',
      { set: { on: true } },
      { Prefer: 'wait=3' },
    );
    expect([status, headers.get('preference-applied'), headers.get('location')]).toEqual([200, 'wait=3', null]);
    expect(json).toEqual({
      id: json.id,
      device: 'lamp',
      status: 'confirmed',
      evidence: 'state_report',
      results: [{ key: 'on', requested: true, observed: true, status: 'confirmed' }],
      created_at: '2026-01-01T00:00:00.000Z',
      finished_at: '2026-01-01T00:00:00.000Z',
      cause: { command: null, scene: null, automation: null, run: null, depth: 0 },
      created_by: { type: 'session', id: 'session-of-owner' },
    });
    expect((await call(`GET /command/${json.id}`)).json).toEqual(json);
    expect(home.sent()).toEqual(['lamp on=true']);
  });

  test('answers 202 with the address of the command while it is not finished', async () => {
    const { home, call } = await openApp();
    const { status, headers, json } = await call(`POST /device/${home.device('lamp').id}/command`, {
      set: { brightness: 60 },
      transition_ms: 400,
      expires_in: 30,
    });
    expect([status, headers.get('location')]).toEqual([202, `/api/v1/command/${json.id}`]);
    expect(json).toMatchObject({ device: 'lamp', status: 'queued', finished_at: null });
    await settled(home);
    expect(home.wire[0]).toMatchObject({ externalId: 'lamp', transitionMs: 400 });
    home.commands.reportFailure('radio', 'lamp', { keys: ['brightness'], reason: 'no route' });
    expect((await call(`GET /command/${json.id}`)).json).toMatchObject({
      status: 'failed',
      results: [{ key: 'brightness', requested: 60, observed: null, status: 'failed', reason: 'no route' }],
    });
  });

  test('waits 2 s by default, and then answers that the command is under way', async () => {
    const { home, call } = await openApp();
    const answer = call('POST /device/lamp/command', { do: 'toggle' }, { Prefer: '' });
    await settled(home);
    await home.time.advance(1999);
    expect(home.time.pendingMs()[0]).toBe(1);
    await home.time.advance(1);
    expect(await answer).toMatchObject({ status: 202, json: { status: 'sent' } });
    expect((await answer).headers.get('preference-applied')).toBe(null);
  });

  test.each([
    [{ set: { on: 1 } }, ['/set/on']],
    [{ set: { on: true, 'a/b': 1, temperature: 3 } }, ['/set/a~1b', '/set/temperature']],
    [{ set: { brightness: 101 }, do: 'toggle' }, ['/do']],
    [{ set: {} }, ['/set']],
    [{}, ['/set']],
    [{ do: 'sing' }, ['/do']],
    [{ set: { on: true }, transition_ms: -1 }, ['/transition_ms']],
    [{ set: { on: true }, transition_ms: 2 ** 31 }, ['/transition_ms']],
    [{ set: { on: true }, expires_in: 0 }, ['/expires_in']],
    [{ set: { on: true }, expires_in: 1e9 }, ['/expires_in']],
    [{ set: { on: true }, wait: 3 }, ['/wait']],
    [{ set: [true] }, ['/set']],
  ])('refuses %j with a pointer to each fault and sends nothing', async (body, pointers) => {
    const { home, call } = await openApp();
    const { status, json } = await call('POST /device/lamp/command', body);
    expect([status, (json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)]).toEqual([422, pointers]);
    await settled(home);
    expect(home.wire).toEqual([]);
  });

  test('I2: refuses at once a command to an unreachable device', async () => {
    const { home, call } = await openApp();
    home.reports.reportAvailability('lamp', 'offline', 'unreachable');
    expect(await call('POST /device/lamp/command', { set: { on: true } })).toMatchObject({
      status: 409,
      json: { code: 'DEVICE_OFFLINE' },
    });
    home.radio.isUp = false;
    const down = await call('POST /device/lamp/command', { set: { on: true } });
    expect([down.status, down.json.code, down.headers.get('retry-after')]).toEqual([503, 'INTEGRATION_DOWN', '5']);
    expect((await call('POST /device/nothing/command', { set: { on: true } })).status).toBe(404);
  });
});

describe('rights', () => {
  test('A1: a guest may not use a lock; the refusal names the missing right', async () => {
    const { home, call, obey } = await openApp();
    obey();
    const refused = await call('POST /device/lock/command', { set: { locked: false } }, AS.guest);
    expect([refused.status, refused.json.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.json['detail']).toBe('This needs the right device:control_sensitive for lock.');
    expect(refused.headers.get('www-authenticate')).toContain('scope="device:control_sensitive"');
    await settled(home);
    expect(home.wire).toEqual([]);
    expect((await call('POST /device/lamp/command', { set: { on: true } }, AS.guest)).status).toBeLessThan(300);
    expect((await call('POST /device/lock/command', { set: { locked: false } }, AS.resident)).status).toBeLessThan(300);
  });

  test('A1: a guest may not toggle what it may not set', async () => {
    const { home, call } = await openApp();
    for (const request of [{ set: { 'siren.on': true } }, { do: 'siren.toggle' }]) {
      expect((await call('POST /device/alarm/command', request, AS.guest)).json.code).toBe('FORBIDDEN');
      const several = { targets: { devices: ['alarm'] }, ...request };
      expect((await call('POST /command', several, AS.guest)).json.code).toBe('FORBIDDEN');
    }
    await settled(home);
    expect(home.wire).toEqual([]);
    expect((await call('POST /device/alarm/command', { do: 'siren.toggle' }, AS.resident)).status).toBeLessThan(300);
  });

  test('the issuer and callers that manage devices see a command; for others it does not exist', async () => {
    const { call } = await openApp();
    const { json } = await call('POST /device/lamp/command', { set: { on: true } }, AS.resident);
    expect((await call(`GET /command/${json.id}`, undefined, AS.resident)).status).toBe(200);
    expect((await call(`GET /command/${json.id}`)).status).toBe(200);
    expect((await call(`GET /command/${json.id}`, undefined, AS.guest)).json.code).toBe('NOT_FOUND');
    expect((await call('GET /command/0198f1c2-0000-7000-8000-000000000000')).status).toBe(404);
  });
});

describe('Idempotency-Key', () => {
  const KEY = { 'Idempotency-Key': 'one' };

  test('makes one command of fifty simultaneous requests and sends it once', async () => {
    const { home, call } = await openApp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        // Some requests use the id for the selector, or the same body in another order.
        call(
          `POST /device/${index % 2 === 0 ? 'lamp' : home.device('lamp').id}/command`,
          index % 3 === 0 ? { set: { on: true, brightness: 5 } } : { set: { brightness: 5, on: true } },
          KEY,
        ),
      ),
    );
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    await settled(home);
    expect(home.sent()).toHaveLength(1);
  });

  test('gets the old answer even if the home has changed, but not for another request or device', async () => {
    const { home, call } = await openApp();
    const first = await call('POST /device/lamp/command', { set: { on: true } }, KEY);
    home.radio.isUp = false;
    expect((await call('POST /device/lamp/command', { set: { on: true } }, KEY)).json.id).toBe(first.json.id);
    for (const [line, body] of [
      ['POST /device/lamp/command', { set: { on: false } }],
      ['POST /device/plug/command', { set: { on: true } }],
      ['POST /command', { targets: { devices: ['lamp'] }, set: { on: true } }],
    ] as const) {
      expect((await call(line, body, KEY)).json.code).toBe('IDEMPOTENCY_KEY_REUSED');
    }
    home.radio.isUp = true;
    const other = await call('POST /device/lamp/command', { set: { on: false } }, { ...KEY, ...AS.resident });
    expect(other.status).toBe(202);
  });

  test.each(['', 'a b', 'x'.repeat(256), 'ü'])('a key of %j is refused', async (key) => {
    const { call } = await openApp();
    const answer = await call('POST /device/lamp/command', { set: { on: true } }, { 'Idempotency-Key': key });
    expect([answer.status, answer.json.code]).toEqual([400, 'MALFORMED_REQUEST']);
  });
});

describe('POST /api/v1/command', () => {
  const targetsOf = ({ json }: Answer): unknown =>
    (json['results'] as { device: string; status: string }[]).map(({ device, status }) => `${device} ${status}`);

  test('has one result for each device, which names the device', async () => {
    const { home, call, obey } = await openApp();
    obey();
    const devices = ['lamp', 'plug', home.device('lamp').id];
    const { status, json } = await call(
      'POST /command',
      { targets: { devices }, set: { on: true } },
      { Prefer: 'wait=1' },
    );
    expect([status, json['device'], json['status']]).toEqual([200, null, 'confirmed']);
    expect(json['results']).toEqual([
      { device: 'lamp', key: 'on', requested: true, observed: true, status: 'confirmed' },
      { device: 'plug', key: 'on', requested: true, observed: true, status: 'confirmed' },
    ]);
  });

  test('for a room commands the devices that can do it and that the caller may use', async () => {
    const { call, kitchen } = await openApp();
    const all = await call('POST /command', { targets: { room: 'kitchen' }, set: { on: false } }, AS.guest);
    expect(targetsOf(all)).toEqual(['lamp queued', 'plug queued']);
    const dimmed = await call('POST /command', {
      targets: { room: kitchen.id, devices: ['lamp'] },
      set: { brightness: 5 },
    });
    expect(targetsOf(dimmed)).toEqual(['lamp queued']);
    const toggled = await call('POST /command', { targets: { room: 'kitchen' }, do: 'toggle' });
    expect(targetsOf(toggled)).toEqual(['lamp queued', 'plug queued']);
    const guest = await call('POST /command', { targets: { room: 'kitchen' }, set: { locked: false } }, AS.guest);
    expect([guest.status, guest.json['detail']]).toEqual([
      403,
      'This needs the right device:control_sensitive for lock.',
    ]);
    const named = await call('POST /command', { targets: { devices: ['lock', 'lamp'] }, set: { on: true } }, AS.guest);
    expect(named.status).toBe(403);
  });

  test('commands the other devices if one is offline', async () => {
    const { home, call } = await openApp();
    home.reports.reportAvailability('plug', 'offline', 'unreachable');
    const answer = await call('POST /command', { targets: { room: 'kitchen' }, set: { on: true } });
    expect(targetsOf(answer)).toEqual(['lamp queued', 'plug failed']);
    expect(answer.json['results']).toContainEqual(
      expect.objectContaining({ device: 'plug', code: 'DEVICE_OFFLINE', reason: 'The device is offline.' }),
    );
  });

  test.each([
    [{ targets: {}, set: { on: true } }, '/targets'],
    [{ targets: { devices: [] }, set: { on: true } }, '/targets/devices'],
    [{ targets: { devices: ['lamp', 'ghost'] }, set: { on: true } }, '/targets/devices/1'],
    [{ targets: { devices: Array(201).fill('lamp') }, set: { on: true } }, '/targets/devices'],
    [{ targets: { room: 'cellar' }, set: { on: true } }, '/targets/room'],
    [{ targets: { room: 'kitchen' }, set: { volume: 1 } }, '/targets/room'],
    [{ targets: { room: 'kitchen' }, set: { brightness: 101 } }, '/set/brightness'],
    [{ targets: { devices: ['lamp', 'plug'] }, set: { on: true, brightness: 10 } }, '/set/brightness'],
    [{ targets: { room: 'kitchen' } }, '/set'],
    [{ targets: { room: 'kitchen' }, set: { on: true }, do: 'toggle' }, '/do'],
    [{ set: { on: true } }, '/targets'],
  ])('refuses %j whole', async (body, pointer) => {
    const { home, call } = await openApp();
    const { status, json } = await call('POST /command', body);
    expect([status, (json['errors'] as { pointer: string }[])[0]?.pointer]).toEqual([422, pointer]);
    await settled(home);
    expect(home.wire).toEqual([]);
  });
});

describe('a dry run', () => {
  test('says what the command would do, and does nothing', async () => {
    const { home, call, audited } = await openApp();
    home.reports.reportValues('lamp', new Map([['on', true]]));
    const body = { targets: { devices: ['lamp', 'plug'] }, do: 'toggle' };
    const { status, json } = await call('POST /command?dry_run=true', body, { 'Idempotency-Key': 'k' });
    await settled(home);
    expect([status, json]).toEqual([
      200,
      {
        values: [
          { device: 'lamp', key: 'on', from: true, to: false, reachable: true, needs: null },
          { device: 'plug', key: 'on', from: null, to: true, reachable: true, needs: null },
        ],
        skipped: [],
      },
    ]);
    expect([home.sent(), audited]).toEqual([[], []]);
    // The key is still free.
    expect((await call('POST /device/lamp/command', { set: { on: false } }, { 'Idempotency-Key': 'k' })).status).toBe(
      202,
    );
  });

  test('names the right that is missing, what is out of reach, and refuses what the command would be refused for', async () => {
    const { home, call } = await openApp();
    home.reports.reportAvailability('lamp', 'offline', null);
    const unlock = { set: { locked: false } };
    const tried = await call('POST /device/lock/command?dry_run=true', unlock, AS.guest);
    expect([tried.status, tried.json]).toMatchObject([200, {}]);
    expect(tried.json['values']).toMatchObject([{ device: 'lock', needs: 'device:control_sensitive' }]);
    const both = { targets: { devices: ['lamp', 'plug'] }, set: { on: true } };
    expect((await call('POST /command?dry_run=true', both)).json['values']).toMatchObject([
      { device: 'lamp', reachable: false },
      { device: 'plug', reachable: true },
    ]);
    const wrong = await call('POST /device/plug/command?dry_run=true', { do: 'jump' });
    expect([wrong.status, wrong.json['errors']]).toMatchObject([
      422,
      [{ pointer: '/do', message: expect.stringContaining('toggle') as unknown }],
    ]);
    expect((await call('POST /device/nothing/command?dry_run=true', unlock)).status).toBe(404);
  });
});
