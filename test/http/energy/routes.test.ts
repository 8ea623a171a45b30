import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { openEnergy } from '#core/energy/energy.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { energyRoutes } from '#http/energy/routes.ts';
import { historyOf } from '#test/core/energy/energy-home.ts';
import { openDeviceHome } from '#test/support/hub/device-home.ts';
import { createEnergyDisk } from '#test/core/energy/energy-disk.ts';
import { createFeature, describeLight } from '#test/support/hub/feature.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

const NOW_MS = Date.parse('2026-11-22T10:20:00.000Z');
const HOUR_MS = 3_600_000;
const number = (key: Feature['capability'], unit: string): Feature =>
  createFeature(key, { capability: key, valueType: 'number', unit, writable: false });

type Json = Record<string, unknown>;
type AnswerJson = {
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
  readonly [key: string]: unknown;
};

async function openApp() {
  const home = await openDeviceHome();
  const features = [number('energy', 'kWh'), number('energy_returned', 'kWh'), number('power', 'W')];
  await home.reports.syncDevices(['meter', 'fridge', 'plug'].map((name) => describeLight(name, { features })));
  // One kWh each hour, at the full hour and a half.
  const steady = Array.from({ length: 60 }, (_, hour): Sample => ({
    atMs: NOW_MS - 50 * 60_000 + (hour - 59) * HOUR_MS,
    value: hour,
  }));
  const names = ['meter', 'fridge'].map((name) => `${home.device(name).id}/energy`);
  const disk = createEnergyDisk();
  const clock = { nowMs: NOW_MS };
  const energy = await openEnergy({
    store: disk.store,
    history: historyOf(Object.fromEntries(names.map((name) => [name, steady]))),
    timeZone: () => createTimeZone('Europe/Berlin'),
    meta: disk.meta,
    settleSamples: async () => true,
    hubClock: {
      nowMs: () => clock.nowMs,
      isSynced: () => true,
      toldForMs: () => null,
      epoch: () => 'e1',
      learnedShiftMs: () => null,
    },
    log: home.log,
  });
  const routes = energyRoutes({
    energy,
    timeZone: () => createTimeZone('Europe/Berlin'),
    nowMs: () => clock.nowMs,
    registry: home.registry,
  });
  const { request } = createTestApp(routes);
  const call = async (line: string, body?: unknown, given: string | Readonly<Record<string, string>> = 'owner') => {
    const [who, headers] = typeof given === 'string' ? [given, {}] : ['owner', given];
    const [method = 'GET', path = ''] = line.split(' ');
    const answer = await request(`/api/v1/energy${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${who}`,
        ...headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      etag: answer.headers.get('etag') ?? '',
      body: (text === '' ? {} : JSON.parse(text)) as AnswerJson,
    };
  };
  return { call, home, energy, clock };
}

const TARIFF = {
  id: 'day-night',
  for: 'import',
  currency: 'EUR',
  valid_from: '2026-01-01',
  kind: 'times',
  prices: [{ price: 0.2, from: '22:00', to: '06:00', days: ['mon', 'sun'] }, { price: 0.3 }],
};
const SETTINGS = {
  grid: { import: ['meter/energy'] },
  consumers: [{ series: 'fridge/energy', name: 'Fridge' }],
  tariffs: [TARIFF],
};

describe('the settings', () => {
  test('are shown as they were set, each series by the selector that its device has now', async () => {
    const { call, home } = await openApp();
    expect((await call('PUT /settings', SETTINGS)).status).toBe(200);
    await home.registry.updateDevice(home.device('meter').id, { ownName: 'Main meter' });
    const { body } = await call('GET /settings');
    expect(body).toEqual({
      grid: { import: ['meter/energy'], export: [], power: null },
      solar: [],
      battery: [],
      gas: [],
      water: [],
      consumers: [{ series: 'fridge/energy', name: 'Fridge', within: null }],
      tariffs: [
        {
          ...TARIFF,
          prices: [TARIFF.prices[0], { price: 0.3, days: null, from: null, to: null }],
        },
      ],
      revision: 2,
    });
    expect((await call('PUT /settings', body)).status).toBe(200);
  });

  test('are replaced only at the revision that a client names, and by one that names none', async () => {
    const { call } = await openApp();
    const { etag, body } = await call('GET /settings');
    const first = await call('PUT /settings', SETTINGS, { 'If-Match': etag });
    expect(first).toMatchObject({ status: 200, body: { revision: Number(body['revision']) + 1 } });
    const late = await call('PUT /settings', { solar: ['plug/power'] }, { 'If-Match': etag });
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect((await call('GET /settings')).body).toEqual(first.body);
    const known = await call('GET /settings', undefined, { 'If-None-Match': first.etag });
    expect(known.status).toBe(304);
    const number = { 'If-Match': `"${Number(first.body['revision'])}"` };
    expect((await call('PUT /settings', {}, number)).status).toBe(200);
    expect((await call('PUT /settings', SETTINGS)).body).toMatchObject({ revision: 4 });
  });

  const withPrices = (prices: readonly object[]): Json => ({ tariffs: [{ ...TARIFF, prices }] });
  test.each<[string, Json, string]>([
    ['an unknown series', { solar: ['moon/energy'] }, '/solar/0'],
    ['an unknown field', { sun: [] }, '/sun'],
    ['a time without an end', withPrices([{ price: 1, from: '10:00' }]), '/tariffs/0/prices/0/to'],
    ['a time of no length', withPrices([{ price: 1, from: '10:00', to: '10:00' }]), '/tariffs/0/prices/0/from'],
    ['a time that is none', withPrices([{ price: 1, from: '10:60', to: '11:00' }]), '/tariffs/0/prices/0/from'],
    ['a price that is none', withPrices([{ price: '1' }]), '/tariffs/0/prices/0/price'],
    ['a day that is none', { tariffs: [{ ...TARIFF, valid_from: '2026-02-30' }] }, '/tariffs/0/valid_from'],
    ['a currency that is none', { tariffs: [{ ...TARIFF, currency: '€' }] }, '/tariffs/0/currency'],
    [
      'a consumer within itself',
      { consumers: [{ series: 'fridge/energy', within: 'fridge/energy' }] },
      '/consumers/0/within',
    ],
  ])('refuse %s with its place', async (_what, body, pointer) => {
    const { call } = await openApp();
    const answer = await call('PUT /settings', body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.map((one) => one.pointer)).toEqual([pointer]);
    expect((await call('GET /settings')).body['tariffs']).toEqual([]);
  });
});

describe('what the home used', () => {
  test('is in the answer for each hour of the day and for all of it', async () => {
    const { call, energy } = await openApp();
    await call('PUT /settings', SETTINGS);
    await energy.settle();
    const { status, body } = await call('GET ?period=day', undefined, 'resident');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      period: 'day',
      date: '2026-11-22',
      from: '2026-11-21T23:00:00.000Z',
      to: '2026-11-22T23:00:00.000Z',
      resolution: '1h',
      settled_until: '2026-11-22T10:00:00.000Z',
      flows: ['import'],
      consumers: [{ series: 'fridge/energy', name: 'Fridge', within: null }],
    });
    const buckets = body['buckets'] as readonly Json[];
    expect(buckets.length).toBe(12);
    const measured = { amount: 1, in_gap: 0, known: 1, estimated: false };
    expect(buckets[0]).toMatchObject({ import: measured, export: null, home: 1, untracked: 0, consumers: [measured] });
    expect(buckets[0]?.['cost']).toEqual([
      { currency: 'EUR', import: 0.3, export: 0, gas: 0, water: 0, total: 0.3, in_gap: 0 },
    ]);
    // Sunday's night begins at 22 o'clock; the one before was of a Saturday, without its own price.
    const total = body['total'] as { import: Json; cost: readonly Json[]; known: number };
    expect([total.import['amount'], total.cost[0]?.['total'], total.known]).toEqual([11, 3.3, 1]);
  });

  test.each([
    ['?period=month&date=2026-11', 200, 22],
    ['?period=year&date=2026', 200, 11],
    ['?date=2026-11-21', 200, 24],
    ['?date=2026-11-23', 400, undefined],
    ['?date=2026-02-30', 400, undefined],
    ['?date=0000', 200, 24],
    ['?period=week', 400, undefined],
    ['?date=-1d', 400, undefined],
  ])('GET %s answers %i', async (query, status, count) => {
    const { call } = await openApp();
    const answer = await call(`GET ${query}`);
    expect([answer.status, (answer.body['buckets'] as Json[] | undefined)?.length]).toEqual([status, count]);
  });

  test('is recalculated only within 62 days, and says how many hours that were', async () => {
    const { call, energy } = await openApp();
    await call('PUT /settings', SETTINGS);
    await energy.settle();
    await call('PUT /settings', { ...SETTINGS, tariffs: [{ ...TARIFF, prices: [{ price: 1 }] }] });
    const range = { from: '2026-11-21T23:00:00.000Z', to: '2026-11-22T01:00:00.000Z' };
    expect(await call('POST /recalculate', range)).toMatchObject({ status: 200, body: { hours: 2 } });
    expect((await call('GET')).body['total']).toMatchObject({ cost: [{ total: 4.7 }] });
    const backwards = await call('POST /recalculate', { from: range.to, to: range.from });
    const long = await call('POST /recalculate', { ...range, from: '2026-01-01T00:00:00.000Z' });
    expect([backwards.body.code, long.body.code]).toEqual(['HISTORY_RANGE', 'HISTORY_RANGE']);
  });
});

describe('settled hours', () => {
  test.each<[string, number, object]>([
    ['?from=2026-11-21T23:30:00Z&to=2026-11-22T01:00:00Z&dry_run=true', 200, { hours: 2, dry_run: true }],
    ['?from=2026-11-21T23:30:00Z&to=2026-11-22T01:00:00Z', 200, { hours: 2, from: '2026-11-21T23:30:00.000Z' }],
    ['?consumer=fridge/energy', 200, { from: null }],
    ['?consumer=fridge/power', 404, { code: 'NOT_FOUND' }],
    ['?consumer=constructor', 404, { code: 'NOT_FOUND' }],
    ['?consumer=moon/energy,constructor/x', 404, { code: 'NOT_FOUND' }],
    ['', 400, { code: 'INVALID_QUERY' }],
    ['?from=2026-11-22T01:00:00Z&to=2026-11-21T01:00:00Z', 400, { code: 'HISTORY_RANGE' }],
    ['?from=yesterday', 400, { code: 'INVALID_QUERY' }],
  ])('DELETE %s answers %i', async (query, status, body) => {
    const { call, energy } = await openApp();
    await call('PUT /settings', SETTINGS);
    await energy.settle();
    const before = (await call('GET')).body['total'];
    const answer = await call(`DELETE ${query}`);
    expect(answer).toMatchObject({ status, body });
    const after = (await call('GET')).body['total'];
    const isChanged = JSON.stringify(after) !== JSON.stringify(before);
    expect(isChanged).toBe(status === 200 && !query.includes('dry_run'));
  });
});

describe('prices that a script sends', () => {
  const SPOT = { ...TARIFF, id: 'spot', kind: 'pushed', prices: [] };
  const slot = (from: string, to: string, price = 0.5) => ({
    from: `2026-11-22T${from}:00Z`,
    to: `2026-11-22T${to}:00+00:00`,
    price,
  });

  test('are the prices of the hours of then', async () => {
    const { call } = await openApp();
    await call('PUT /settings', { ...SETTINGS, tariffs: [SPOT] });
    const body = { tariff: 'spot', slots: [slot('08:00', '09:00'), slot('09:00', '10:00', -0.1)] };
    expect((await call('POST /price', body, 'admin')).status).toBe(204);
    expect((await call('POST /price', body, 'admin')).status).toBe(204);
    const total = (await call('GET')).body['total'] as { import: Json; cost: readonly Json[] };
    expect([total.cost[0]?.['total'], total.import['unpriced']]).toEqual([0.4, 9]);
  });

  test.each<[string, readonly object[], readonly string[]]>([
    ['none', [], ['/slots']],
    ['one that ends before it begins', [slot('09:00', '08:00')], ['/slots/0/to']],
    ['two at the same time', [slot('08:00', '10:00'), slot('09:00', '11:00')], ['/slots/1/from']],
    [
      'one of last year',
      [{ ...slot('08:00', '09:00'), from: '2025-11-22T08:00:00Z' }],
      ['/slots/0/to', '/slots/0/from'],
    ],
    ['one that begins at no time', [{ ...slot('08:00', '09:00'), from: 'soon' }], ['/slots/0/from']],
    ['a price that is none', [slot('08:00', '09:00', 1e300)], ['/slots/0/price']],
  ])('are refused if they are %s', async (_what, slots, pointers) => {
    const { call } = await openApp();
    await call('PUT /settings', { ...SETTINGS, tariffs: [SPOT] });
    const answer = await call('POST /price', { tariff: 'spot', slots });
    expect([answer.status, answer.body.errors?.map(({ pointer }) => pointer)]).toEqual([422, pointers]);
  });

  test('are refused for a tariff that takes none, and from people without the right', async () => {
    const { call } = await openApp();
    await call('PUT /settings', SETTINGS);
    const body = { tariff: 'day-night', slots: [slot('08:00', '09:00')] };
    expect((await call('POST /price', body)).body.errors?.[0]?.pointer).toBe('/tariff');
    expect((await call('POST /price', body, 'resident')).status).toBe(403);
  });
});
