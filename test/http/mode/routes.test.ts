import { expect, test } from 'vitest';
import { modeRoutes } from '#http/mode/routes.ts';
import { variableRoutes } from '#http/variable/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openModeHome } from '#test/core/mode/mode-home.ts';

async function createHarness(isClockSet = true) {
  const { modes, variables, time } = await openModeHome();
  const deps = {
    modes,
    variables,
    eventCursor: () => 'run1-1',
    nowMs: time.clock.wallMs,
    isClockSet: () => isClockSet,
  };
  const { request } = createTestApp([...modeRoutes(deps), ...variableRoutes(deps)]);
  return async (call: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await request(`/api/v1${path}`, {
      method,
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, json };
  };
}

test('a mode is listed, set until a time, and set back', async () => {
  const send = await createHarness();
  expect((await send('GET /mode')).json).toMatchObject([{ key: 'home', value: 'home', until: null, changed_at: null }]);
  const set = await send('PUT /mode/home', { value: 'away', until: '2026-01-03T19:00:00+01:00' });
  expect([set.status, set.headers.get('etag')]).toEqual([200, '"2"']);
  expect(set.json).toMatchObject({
    value: 'away',
    until: '2026-01-03T18:00:00.000Z',
    next: 'home',
    changed_by: { type: 'session' },
  });
  const known = await send('GET /mode/home', undefined, { 'If-None-Match': '"2"' });
  expect(known.status).toBe(304);
  const stale = await send('PUT /mode/home', { value: 'home' }, { 'If-Match': '"1"' });
  expect(stale.json['code']).toBe('PRECONDITION_FAILED');
  expect((await send('PUT /mode/home', { value: 'home' })).json).toMatchObject({ until: null, next: null });
});

test('what was read is sent back with another value', async () => {
  const send = await createHarness();
  const { json } = await send('PUT /mode/home', { value: 'away', for_s: 3_600, next: 'night' });
  const again = await send('PUT /mode/home', { ...json, value: 'vacation' });
  expect([again.status, again.json]).toMatchObject([
    200,
    { value: 'vacation', until: json['until'], next: 'night', revision: Number(json['revision']) + 1 },
  ]);
  const changed = await send('PUT /mode/home', { ...json, values: ['home', 'away'] });
  expect(changed.json['errors']).toMatchObject([{ pointer: '/values' }]);
});

test.each([
  [{ value: 'away', until: '2025-12-31T23:59:59Z' }, '/until'],
  [{ value: 'away', until: '2027-06-01T00:00:00Z' }, '/until'],
  [{ value: 'away', until: '2026-02-01T00:00:00Z', for_s: 5 }, '/for_s'],
  [{ value: 'away', for_s: 0 }, '/for_s'],
  [{ value: 'away', next: 'night' }, '/next'],
  [{ value: 'away', for_s: 5, next: 'party' }, '/next'],
  [{ value: 'party' }, '/value'],
  [{ until: null }, '/value'],
])('the setting %j is refused at %s', async (body, pointer) => {
  const send = await createHarness();
  const { status, json } = await send('PUT /mode/home', body);
  expect([status, json['errors']]).toMatchObject([422, [{ pointer }]]);
  expect((await send('GET /mode/home')).json['value']).toBe('home');
});

test('while the hub does not know the time, a value can hold for seconds and not until a time', async () => {
  const send = await createHarness(false);
  const refused = await send('PUT /mode/home', { value: 'away', until: '2026-01-03T19:00:00Z' });
  expect([refused.status, refused.json['code']]).toEqual([409, 'CLOCK_NOT_SET']);
  expect((await send('PUT /mode/home', { value: 'away', for_s: 60 })).json).toMatchObject({
    value: 'away',
    until: '2026-01-01T00:01:00.000Z',
  });
});

test('a mode of the home is added, changed and removed', async () => {
  const send = await createHarness();
  const added = await send('POST /mode', { key: 'heating', name: 'Heating', values: ['summer', 'winter'] });
  expect([added.status, added.headers.get('location')]).toEqual([201, '/api/v1/mode/heating']);
  expect(added.json).toMatchObject({ value: 'summer', revision: 1 });
  const values = { key: 'x', name: 'X', values: ['a', 'a'] };
  expect((await send('POST /mode', values)).json['errors']).toMatchObject([{ pointer: '/values' }]);
  expect((await send('POST /mode', { ...values, values: ['a', 'b'], value: 'c' })).status).toBe(422);
  expect((await send('PATCH /mode/heating', { name: 'Boiler' })).json).toMatchObject({ name: 'Boiler', revision: 2 });
  expect((await send('DELETE /mode/heating')).status).toBe(204);
  expect((await send('GET /mode/heating')).status).toBe(404);
  expect((await send('DELETE /mode/home')).json['code']).toBe('NOT_SUPPORTED');
});

const PARTY = { values: ['home', 'away', 'night', 'vacation', 'party', 'work'] };

test('values keep the names that people wrote, as long as the values are there', async () => {
  const send = await createHarness();
  const names = { party: '  Gäste & Party ', work: 'Umbau' };
  const named = await send('PATCH /mode/home', { ...PARTY, value_names: names });
  expect(named.json['value_names']).toEqual({ party: 'Gäste & Party', work: 'Umbau' });
  expect((await send('PATCH /mode/home', { name: 'Home', ...PARTY })).json).toEqual(named.json);
  expect((await send('PATCH /mode/home', { value_names: { work: null, away: 'Fort' } })).json).toMatchObject({
    value_names: { away: 'Fort', party: 'Gäste & Party' },
    revision: 3,
  });
  const fewer = { values: PARTY.values.slice(0, 4) };
  expect((await send('PATCH /mode/home', fewer)).json['value_names']).toEqual({ away: 'Fort' });
  expect((await send('PATCH /mode/home', PARTY)).json['value_names']).toEqual({ away: 'Fort' });
  expect((await send('PATCH /mode/home', { value_names: null })).json['value_names']).toEqual({});
  const heating = { key: 'heating', name: 'Heating', values: ['summer', 'winter'] };
  expect((await send('POST /mode', { ...heating, value_names: { winter: 'Kälte' } })).json['value_names']).toEqual({
    winter: 'Kälte',
  });
});

test.each([
  [{ party: 'Party' }, '/value_names/party', 'UNKNOWN'],
  [{ away: '' }, '/value_names/away', 'TOO_SHORT'],
  [{ away: 'a'.repeat(101) }, '/value_names/away', 'TOO_LONG'],
  [{ away: 'two\nlines' }, '/value_names/away', 'INVALID_FORMAT'],
  [{ 'a/b': 'Away' }, '/value_names/a~1b', 'INVALID_VALUE'],
])('the names %j are refused', async (names, pointer, code) => {
  const send = await createHarness();
  const { status, json } = await send('PATCH /mode/home', { value_names: names });
  expect([status, json['errors']]).toMatchObject([422, [{ pointer, code }]]);
  const added = { key: 'x', name: 'X', values: ['away', 'home'], value_names: names };
  expect((await send('POST /mode', added)).status).toBe(422);
});

test('a variable is added, set, changed and removed', async () => {
  const send = await createHarness();
  const added = await send('POST /variable', { key: 'bedtime', name: 'Bedtime', type: 'time', value: '22:00' });
  expect([added.status, added.headers.get('location')]).toEqual([201, '/api/v1/variable/bedtime']);
  const set = await send('PUT /variable/bedtime', { value: '22:30' });
  expect(set.json).toMatchObject({ value: '22:30', changed_by: { type: 'session' }, revision: 2 });
  expect((await send('PUT /variable/bedtime', { value: '25:00' })).json['errors']).toMatchObject([
    { pointer: '/value', code: 'INVALID_FORMAT' },
  ]);
  expect((await send('PATCH /variable/bedtime', { min: 3 })).json['errors']).toMatchObject([{ pointer: '/min' }]);
  expect((await send('PATCH /variable/bedtime', { name: 'Time for bed' })).json).toMatchObject({ revision: 3 });
  expect((await send('GET /variable')).json).toMatchObject([{ key: 'bedtime', name: 'Time for bed' }]);
  expect((await send('DELETE /variable/bedtime')).status).toBe(204);
  expect((await send('PUT /variable/bedtime', { value: '22:30' })).status).toBe(404);
});
