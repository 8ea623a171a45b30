import { describe, expect, test } from 'vitest';
import { placeRoutes } from '#http/place/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openTestPlace } from '#test/core/place/place-home.ts';

async function createHarness() {
  const { hubClock, locationRecord, world } = await openTestPlace();
  const { request, logged } = createTestApp(placeRoutes({ locationRecord, hubClock }));
  const send = async (call: string, body?: unknown, who = 'owner') => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await request(`/api/v1/hub${path}`, {
      method,
      headers: { Authorization: `Bearer ${who}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  return { send, world, hubClock, logged };
}

describe('the location of the home', () => {
  test('is given, shown rounded and forgotten', async () => {
    const { send, logged } = await createHarness();
    expect(await send('GET /location')).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    const rounded = { latitude: 52.52, longitude: 13.41, elevation_m: 30 };
    const given = { latitude: 52.516_272, longitude: 13.414_722, elevation_m: 34 };
    expect(await send('PUT /location', given, 'admin')).toEqual({ status: 200, json: rounded });
    expect(await send('GET /location')).toEqual({ status: 200, json: rounded });
    expect((await send('DELETE /location')).status).toBe(204);
    expect((await send('GET /location')).status).toBe(404);
    expect(logged.join()).not.toMatch(/52\.5|13\.4/);
  });

  test.each([
    [{ latitude: 90.1, longitude: 0 }, '/latitude'],
    [{ latitude: 0, longitude: -181 }, '/longitude'],
    [{ latitude: 0 }, '/longitude'],
    [{ latitude: 0, longitude: 0, elevation_m: 'high' }, '/elevation_m'],
    [{ latitude: 0, longitude: 0, city: 'Berlin' }, '/city'],
  ])('%j is refused at %s', async (body, pointer) => {
    const { send } = await createHarness();
    const { status, json } = await send('PUT /location', body);
    expect([status, json['errors']]).toMatchObject([422, [{ pointer }]]);
  });

  test.each(['resident', 'guest'])('is neither shown to a %s nor taken from one', async (who) => {
    const { send } = await createHarness();
    expect((await send('GET /location', undefined, who)).status).toBe(403);
    expect((await send('PUT /location', { latitude: 1, longitude: 1 }, who)).status).toBe(403);
    expect((await send('DELETE /location', undefined, who)).status).toBe(403);
    expect((await send('GET /location')).status).toBe(404);
  });
});

describe('the clock of the home', () => {
  test('goes by the word of a person while no time server answers', async () => {
    const { send, hubClock } = await createHarness();
    const answer = await send('POST /clock', { now: '2026-11-22T17:31:00+01:00' });
    expect(answer).toEqual({ status: 200, json: { now: '2026-11-22T16:31:00.000Z', source: 'owner' } });
    expect(hubClock.source()).toBe('owner');
  });

  test('takes no word where a time server has set it', async () => {
    const { send, world } = await createHarness();
    await world.sync();
    const answer = await send('POST /clock', { now: '2026-11-22T16:31:00Z' });
    expect(answer).toMatchObject({ status: 409, json: { code: 'CLOCK_SYNCED' } });
    expect(world.clock().nowMs()).toBe(world.trueMs());
  });

  test.each(['2025-12-31T23:59:59Z', '2100-01-01T00:00:00Z', 'yesterday', '2026-11-22T17:31'])(
    'does not take %s',
    async (now) => {
      const { send, hubClock } = await createHarness();
      expect(await send('POST /clock', { now })).toMatchObject({
        status: 422,
        json: { errors: [{ pointer: '/now' }] },
      });
      expect(hubClock.source()).toBe('none');
    },
  );

  test('takes no time that is certainly past', async () => {
    const { send, world } = await createHarness();
    await world.sync();
    world.clock().epoch();
    await world.stop();
    world.reboot(1_000, 0);
    await world.start();
    const { request } = createTestApp(
      placeRoutes({
        locationRecord: { location: () => undefined, set: async () => undefined },
        hubClock: world.clock(),
      }),
    );
    const answer = await request('/api/v1/hub/clock', {
      method: 'POST',
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
      body: JSON.stringify({ now: '2026-05-01T00:00:00Z' }),
    });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('certainly past');
    expect((await send('POST /clock', { now: '2026-05-01T00:00:00Z' }, 'resident')).status).toBe(403);
  });
});
