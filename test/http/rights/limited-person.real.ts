import { describe, expect, test } from 'vitest';
import type { Role } from '#core/person/user.ts';
import { openWholeHub, PASSWORD, type Person } from '#test/support/hub/whole-hub.ts';

const MINUTE_MS = 60_000;

/** A hub with a guest and a resident who see only the kitchen, and an owner. */
async function openScene() {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const byOwner = (line: string, body?: unknown) => hub.call(line, { token: owner.token, body });
  const addLimited = async (name: string, role: Role, limits: object): Promise<Person> => {
    const body = { email: `${name}@home.test`, name, role, password: PASSWORD, ...limits };
    const added = await byOwner('POST /user', body);
    expect([added.status, added.json]).toEqual([201, expect.objectContaining({ role })]);
    return hub.logIn(body.email);
  };
  const guest = await addLimited('gus', 'guest', { rooms: ['kitchen'] });
  const resident = await addLimited('rea', 'resident', { rooms: ['kitchen'] });
  const limit = (person: Person, change: object) => byOwner(`PATCH /user/${person.user.id}`, change);
  const listed = async (token: string): Promise<readonly { selector: string; room: { selector: string } | null }[]> =>
    (await hub.call('GET /device', { token })).json as never;
  const inMs = (ms: number): string => new Date(hub.hubClock.nowMs() + ms).toISOString();
  const logIn = (email: string) => hub.call('POST /login', { body: { email, password: PASSWORD } });
  const status = async (token: string): Promise<number> => (await hub.call('GET /device', { token })).status;
  return { hub, owner, byOwner, addLimited, guest, resident, limit, listed, inMs, logIn, status };
}

describe('a person who is limited to rooms', () => {
  test('sees the devices in them, and in a wider or narrower limit at once', async () => {
    const { hub, guest, limit, listed } = await openScene();
    const roomsOf = async (): Promise<unknown[]> => [
      ...new Set((await listed(guest.token)).map(({ room }) => room?.selector)),
    ];
    expect(await roomsOf()).toEqual(['kitchen']);
    await limit(guest, { rooms: ['hallway'] });
    expect(await roomsOf()).toEqual(['hallway']);
    await limit(guest, { rooms: [] });
    expect(await roomsOf()).toEqual([]);
    await limit(guest, { rooms: null });
    expect((await roomsOf()).length).toBeGreaterThan(2);
    expect(hub.home.accounts.findUser(guest.user.id)?.roomIds).toBe(null);
  });

  test('gets no answer to a wait for a value of a room that is taken away meanwhile', async () => {
    const { hub, byOwner, guest, limit } = await openScene();
    const next = hub.call('GET /device/kitchen-ceiling/feature/on?wait=20', { token: guest.token });
    // It waits by the time that these are answered.
    for (let times = 0; times < 5; times += 1) await hub.call('GET /health');
    await limit(guest, { rooms: ['hallway'] });
    await byOwner('POST /device/kitchen-ceiling/command', { do: 'toggle' });
    expect((await next).status).toBe(404);
  });

  test('sees no device without a room, nor one of a room that was removed', async () => {
    const { byOwner, guest, limit, listed } = await openScene();
    const [first] = await listed(guest.token);
    await byOwner(`PATCH /device/${first?.selector}`, { room: null });
    expect((await listed(guest.token)).map(({ selector }) => selector)).not.toContain(first?.selector);
    const removed = await byOwner('DELETE /room/kitchen');
    expect([removed.status, await listed(guest.token)]).toEqual([204, []]);
    expect((await limit(guest, { name: 'Gustav' })).json['rooms']).toHaveLength(1);
  });

  test('has no API token that reaches further, and cannot find out the names of other rooms with one', async () => {
    const { hub, resident, listed } = await openScene();
    const make = (change: object) =>
      hub.call('POST /api_token', { token: resident.token, body: { name: 'x', preset: 'read_only', ...change } });
    const made = await make({});
    expect(await listed(String(made.json['token']))).toEqual(await listed(resident.token));
    const wider = await make({ devices: [hub.home.devices.findDevice('front-door-lock')?.id] });
    expect(await listed(String(wider.json['token']))).toEqual([]);
    const refused = [await make({ rooms: ['hallway'] }), await make({ rooms: ['nowhere'] })];
    expect(refused.map(({ status, json }) => [status, json['errors']])).toEqual([
      [422, expect.anything()],
      [422, refused[0]?.json['errors']],
    ]);
    expect((await make({ devices: ['front-door-lock'] })).status).toBe(422);
  });

  test.each(['owner', 'admin'] as const)('cannot be an %s', async (role) => {
    const { byOwner, guest, limit, inMs } = await openScene();
    const body = { email: 'x@home.test', name: 'X', role, password: PASSWORD };
    for (const limits of [{ rooms: [] }, { valid_until: inMs(MINUTE_MS) }]) {
      expect((await byOwner('POST /user', { ...body, ...limits })).status).toBe(422);
    }
    expect((await limit(guest, { role })).status).toBe(422);
    expect((await limit(guest, { role, rooms: null })).status).toBe(200);
    expect((await limit(guest, { rooms: ['kitchen'] })).status).toBe(422);
  });

  test.each([{ rooms: ['nowhere'] }, { rooms: [1] }, { rooms: 'kitchen' }, { valid_until: 'soon' }])(
    'cannot have the limit %j',
    async (limits) => {
      const { guest, limit } = await openScene();
      expect((await limit(guest, limits)).status).toBe(422);
    },
  );

  test('is refused a waiting command once its device is outside', async () => {
    const { hub, resident, limit } = await openScene();
    await limit(resident, { rooms: ['hallway'] });
    hub.home.devices.reportsOf('simulated-home').reportAvailability('hallway-front-door', 'asleep', 'asleep');
    const body = { set: { locked: false }, expires_in: 3600 };
    const { json } = await hub.call('POST /device/front-door-lock/command', { token: resident.token, body });
    expect(json['status']).toBe('queued');
    await limit(resident, { rooms: ['kitchen'] });
    expect(hub.home.commands.findCommand(String(json['id']))?.results.map((one) => one.status)).toEqual(['expired']);
  });

  test('does not keep a list of devices under the ETag of another limit', async () => {
    const { hub, guest, limit } = await openScene();
    const list = async (etag = ''): Promise<Response> =>
      hub.fetch(
        new Request('http://hub.local/api/v1/device', {
          headers: { Authorization: `Bearer ${guest.token}`, 'If-None-Match': etag },
        }),
      );
    const etag = (await list()).headers.get('etag') ?? '';
    expect((await list(etag)).status).toBe(304);
    await limit(guest, { rooms: ['hallway'] });
    expect((await list(etag)).status).toBe(200);
  });

  test.each(['/history?series=front-door-lock/locked', '/history/series', '/history/timeline', '/history/export'])(
    'gets nothing of what is outside by now from a read under way: %s',
    async (path) => {
      const { hub, resident, limit } = await openScene();
      await limit(resident, { rooms: ['hallway'] });
      const read = async (): Promise<string> => {
        const headers = { Authorization: `Bearer ${resident.token}` };
        return (await hub.fetch(new Request(`http://hub.local/api/v1${path}`, { headers }))).text();
      };
      const release = hub.holdWrites('history');
      const under = read();
      await new Promise(setImmediate);
      await limit(resident, { rooms: ['kitchen'] });
      release();
      expect(await under).not.toMatch(/front-door-lock.*locked|"rows"/);
    },
  );

  test('is the same person as before if the same limit is set again', async () => {
    const { hub, guest, limit } = await openScene();
    const room = hub.home.rooms.findRoom('kitchen');
    const before = hub.home.accounts.findUser(guest.user.id);
    expect(before?.roomIds).toEqual(new Set([room?.id]));
    await limit(guest, { rooms: [room?.id] });
    expect(hub.home.accounts.findUser(guest.user.id)).toBe(before);
  });

  test('gets no repeated answer about a device that is outside by now', async () => {
    const { hub, guest, limit } = await openScene();
    await limit(guest, { rooms: null });
    const lamp = hub.home.devices.devices().find(({ features }) => features.some(({ key }) => key === 'brightness'));
    const off = async (): Promise<number> => {
      const answer = await hub.fetch(
        new Request('http://hub.local/api/v1/command', {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${guest.token}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': 'once',
            Prefer: 'wait=0',
          },
          body: JSON.stringify({ targets: { devices: [lamp?.selector] }, set: { on: false } }),
        }),
      );
      return answer.status;
    };
    expect([await off(), await off()]).toEqual([expect.toBeOneOf([200, 202]), expect.toBeOneOf([200, 202])]);
    await limit(guest, { rooms: [] });
    expect(await off()).toBe(404);
  });

  test('gets no event of its old rooms in a poll under way', async () => {
    const { hub, guest, limit } = await openScene();
    const kitchen = hub.home.rooms.findRoom('kitchen');
    const lamp = hub.home.devices.devices().find((one) => one.roomId === kitchen?.id && one.states.has('on'));
    const poll = hub.call('GET /event?wait=60', { token: guest.token });
    await hub.call('GET /me', { token: guest.token });
    await limit(guest, { rooms: ['hallway'] });
    const isOn = lamp?.states.get('on')?.value === true;
    hub.home.devices.reportsOf('simulated-home').reportValues(lamp?.externalId ?? '', new Map([['on', !isOn]]));
    expect((await poll).json['events']).toEqual([]);
  });

  test('begins its events anew with another limit', async () => {
    const { hub, guest, limit } = await openScene();
    const poll = (cursor: string) => hub.call(`GET /event?since=${cursor}&wait=0`, { token: guest.token });
    const cursor = hub.home.events.cursor();
    expect((await poll(cursor)).json['events']).toEqual([]);
    await limit(guest, { rooms: ['hallway'] });
    const { json } = await poll(cursor);
    expect(json['events']).toMatchObject([{ type: 'hub.gap', data: { reason: 'view_changed' } }]);
    expect((await poll(hub.home.events.cursor())).json['events']).toEqual([]);
  });
});

describe('a person whose time is over', () => {
  test('is refused with every session and API token, and cannot log in', async () => {
    const { hub, guest, limit, inMs, logIn, status } = await openScene();
    const token = await hub.addToken(guest.user, { scopes: ['device:read'] });
    const { json: signedIn } = await logIn(guest.user.email);
    await limit(guest, { valid_until: inMs(MINUTE_MS) });
    expect([await status(guest.token), await status(token)]).toEqual([200, 200]);
    hub.hubClock.advance(MINUTE_MS);
    const refresh = () => hub.call('POST /access_token', { body: { refresh_token: signedIn['refresh_token'] } });
    expect([await status(token), await status(guest.token), (await refresh()).status]).toEqual([401, 401, 401]);
    expect(hub.home.sessions.sessionsOf(guest.user.id)).toEqual([]);
    expect(hub.home.apiTokens.tokens()).toEqual([]);
    const refused = await logIn(guest.user.email);
    const wrong = await hub.call('POST /login', { body: { email: guest.user.email, password: 'not this one' } });
    expect(refused).toEqual({ ...wrong, json: { ...wrong.json, request_id: expect.any(String) } });
  });

  test('is let in again by a later time, with a new login alone', async () => {
    const { hub, guest, limit, inMs, logIn, status } = await openScene();
    await limit(guest, { valid_until: inMs(MINUTE_MS) });
    hub.hubClock.advance(MINUTE_MS);
    const extended = await limit(guest, { valid_until: inMs(MINUTE_MS) });
    expect([extended.status, extended.json['ended']]).toEqual([200, false]);
    expect(await status(guest.token)).toBe(401);
    const { json } = await logIn(guest.user.email);
    expect(await status(String(json['access_token']))).toBe(200);
  });

  test('stays out although the clock goes back', async () => {
    const { hub, guest, limit, inMs, logIn } = await openScene();
    await limit(guest, { valid_until: inMs(MINUTE_MS) });
    hub.hubClock.advance(MINUTE_MS);
    await hub.home.accounts.endOver();
    hub.hubClock.advance(-MINUTE_MS);
    expect((await logIn(guest.user.email)).status).toBe(401);
    const { json } = await hub.call(`GET /audit?types=user.ended`, {
      token: (await hub.logIn('ada@home.test')).token,
    });
    expect(json).toMatchObject([{ type: 'user.ended', peer: null, user_id: guest.user.id }]);
  });

  test('is out at once if the time is past already, and while the disk takes no write', async () => {
    const { hub, guest, resident, limit, inMs, logIn, status } = await openScene();
    const { json } = await limit(guest, { valid_until: inMs(-MINUTE_MS) });
    expect([json['ended'], await status(guest.token), (await logIn(guest.user.email)).status]).toEqual([
      true,
      401,
      401,
    ]);
    await limit(resident, { valid_until: inMs(MINUTE_MS) });
    const release = hub.holdWrites('users');
    hub.hubClock.advance(MINUTE_MS);
    expect((await logIn(resident.user.email)).status).toBe(401);
    const refused = status(resident.token);
    release();
    expect(await refused).toBe(401);
  });

  test('has no waiting command sent, even if the device wakes first', async () => {
    const { hub, resident, limit, inMs } = await openScene();
    await limit(resident, { rooms: ['hallway'], valid_until: inMs(MINUTE_MS) });
    const reports = hub.home.devices.reportsOf('simulated-home');
    reports.reportAvailability('hallway-front-door', 'asleep', 'asleep');
    const body = { set: { locked: false }, expires_in: 3600 };
    const { json } = await hub.call('POST /device/front-door-lock/command', { token: resident.token, body });
    hub.hubClock.advance(MINUTE_MS);
    reports.reportAvailability('hallway-front-door', 'online', null);
    await hub.call('GET /health');
    expect(hub.home.commands.findCommand(String(json['id']))?.results.map((one) => one.status)).toEqual(['expired']);
  });

  test('loses its event stream and its waiting commands', async () => {
    const { hub, resident, limit, inMs } = await openScene();
    await limit(resident, { rooms: ['hallway'], valid_until: inMs(MINUTE_MS) });
    hub.home.devices.reportsOf('simulated-home').reportAvailability('hallway-front-door', 'asleep', 'asleep');
    const body = { set: { locked: false }, expires_in: 3600 };
    const { json } = await hub.call('POST /device/front-door-lock/command', { token: resident.token, body });
    const poll = hub.call('GET /event?wait=60', { token: resident.token });
    await hub.call('GET /me', { token: resident.token });
    hub.hubClock.advance(MINUTE_MS);
    await hub.home.accounts.endOver();
    expect((await poll).json['events']).toMatchObject([{ type: 'session.revoked' }]);
    expect(hub.home.commands.findCommand(String(json['id']))?.results.map((one) => one.status)).toEqual(['expired']);
  });
});

test('a hub that does not know the time takes no end of an account', async () => {
  const { hub, guest, limit, inMs } = await openScene();
  const until = inMs(MINUTE_MS);
  hub.hubClock.advance(Date.UTC(2020, 0, 1) - hub.hubClock.nowMs());
  const { token } = await hub.logIn('ada@home.test');
  const body = { valid_until: until };
  const refused = await hub.call(`PATCH /user/${guest.user.id}`, { token, body });
  expect([refused.status, refused.json['code']]).toEqual([409, 'CLOCK_NOT_SET']);
  expect((await limit(guest, { valid_until: null })).status).toBe(200);
});
