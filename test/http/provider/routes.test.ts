import { describe, expect, test } from 'vitest';
import { HEATER, inShort, openProviderApp, openRunningProvider, THERMOMETER } from './provider-app.ts';

const PATHS = [
  'GET /provider/NAME',
  'PUT /provider/NAME',
  'DELETE /provider/NAME',
  'PUT /provider/NAME/device/roof',
  'DELETE /provider/NAME/device/roof',
  'POST /provider/NAME/state',
  'GET /provider/NAME/command?wait=0',
  'POST /provider/NAME/command/x',
];

describe('A1: the token of a provider', () => {
  test.each(PATHS)('is refused for another name before anything is read: %s', async (line) => {
    const { call, asOwner } = await openRunningProvider();
    await asOwner('PUT /provider/knx', {});
    const body = /^(GET|DELETE)/.test(line) ? undefined : '{';
    const { status, json } = await call(line.replace('NAME', 'knx'), body);
    expect([status, json['detail']]).toEqual([403, expect.stringContaining('its own provider')]);
    expect((await asOwner('GET /provider/knx')).json['name']).toBe('knx');
  });

  test('opens nothing but its provider', async () => {
    const { call } = await openRunningProvider();
    for (const line of ['GET /device', 'GET /event', 'GET /integration', 'GET /command/x'])
      expect(inShort(await call(line))).toBe('403 FORBIDDEN');
  });

  test('is not enough without the right', async () => {
    const { call, addToken } = await openRunningProvider();
    expect(
      inShort(await call('GET /provider/weather', undefined, { token: await addToken('weather', ['device:read']) })),
    ).toBe('403 FORBIDDEN');
  });
});

describe('a provider', () => {
  test('is made by its first call, changed by the next ones, and shown', async () => {
    const { hub, call } = await openProviderApp();
    expect(inShort(await call('GET /provider/weather'))).toBe('404 NOT_FOUND');
    const made = await call('PUT /provider/weather', { name: 'Weather station' });
    const shown = {
      id: 'weather',
      name: 'Weather station',
      lease_s: 300,
      status: 'connected',
      since: expect.any(String),
      error: null,
      devices: 0,
    };
    expect([made.status, made.json]).toEqual([201, shown]);
    const changed = await call('PUT /provider/weather', { lease_s: 30 });
    expect([changed.status, changed.json]).toEqual([200, { ...shown, lease_s: 30 }]);
    expect((await call('PUT /provider/weather', {})).json).toEqual({ ...shown, lease_s: 30 });
    expect((await call('GET /provider/weather')).json).toEqual({ ...shown, lease_s: 30 });
    expect(hub.providers.find('weather')?.leaseS).toBe(30);
  });

  test.each([
    [{ lease_s: 29 }, '/lease_s'],
    [{ lease_s: 3_601 }, '/lease_s'],
    [{ lease_s: 60.5 }, '/lease_s'],
    [{ name: '' }, '/name'],
    [{ title: 'Weather' }, '/title'],
  ])('with %j is refused', async (body, pointer) => {
    const { call } = await openProviderApp();
    const { status, json } = await call('PUT /provider/weather', body);
    expect([status, json['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
  });

  test.each(['Weather', '1st', 'x'.repeat(33), '-a', 'a_b', 'a%2fb'])('cannot have the name %s', async (name) => {
    const { asOwner } = await openProviderApp();
    expect((await asOwner(`PUT /provider/${name}`, {})).status).toBe(422);
  });

  test('cannot have the name of another integration', async () => {
    const { asOwner } = await openProviderApp();
    expect(inShort(await asOwner('PUT /provider/zigbee2mqtt', {}))).toBe('409 NAME_TAKEN');
  });

  test('that is switched off is refused, and shown', async () => {
    const { hub, call } = await openRunningProvider();
    hub.providers.switchOff('weather');
    expect((await call('GET /provider/weather')).status).toBe(200);
    expect((await call('PUT /provider/weather', {})).status).toBe(200);
    for (const line of ['GET /provider/weather/command?wait=0', 'DELETE /provider/weather/device/roof'])
      expect(inShort(await call(line))).toBe('503 INTEGRATION_DOWN');
  });

  test('is removed by its own token, and gone', async () => {
    const { call } = await openRunningProvider();
    expect((await call('DELETE /provider/weather')).status).toBe(204);
    for (const line of ['GET /provider/weather', 'DELETE /provider/weather', 'GET /provider/weather/command?wait=0'])
      expect(inShort(await call(line))).toBe('404 NOT_FOUND');
  });
});

describe('a declared device', () => {
  test('is a device of the home; the same again changes nothing, another description changes it', async () => {
    const { call, asOwner, device } = await openProviderApp();
    await call('PUT /provider/weather', {});
    const made = await call('PUT /provider/weather/device/roof', THERMOMETER);
    const { id, selector } = device('roof') ?? {};
    expect([made.status, made.json]).toEqual([201, { id, selector, external_id: 'roof' }]);
    const again = await call('PUT /provider/weather/device/roof', THERMOMETER);
    expect([again.status, device('roof')?.revision]).toEqual([200, 1]);
    await call('PUT /provider/weather/device/roof', { ...THERMOMETER, model: 'WS-1', stale_after_s: 600 });
    expect((await asOwner(`GET /device/${selector}`)).json).toMatchObject({
      integration: 'weather',
      external_id: 'roof',
      name: 'Roof',
      type: 'temperature_sensor',
      manufacturer: null,
      model: 'WS-1',
      revision: 2,
      availability: { state: 'unknown' },
      features: [
        { key: 'temperature', unit: 'celsius', min: -50, max: 60, writable: false, value: null, quality: 'none' },
        { key: 'button', kind: 'event', options: ['single'] },
      ],
    });
    expect(device('roof')?.staleAfterMs).toBe(600_000);
  });

  test.each<[object, string]>([
    [{ type: 'thermometer' }, '/type'],
    [{ features: undefined }, '/features'],
    [{ features: [{ key: 'a b', capability: 'on', kind: 'state', value_type: 'boolean' }] }, '/features/0/key'],
    [{ features: [{ ...THERMOMETER.features[0], capability: 'temprature' }] }, '/features/0/capability'],
    [{ features: [{ ...THERMOMETER.features[0], unit: 'K' }] }, '/features/0/unit'],
    [{ features: [{ ...THERMOMETER.features[0], value: 3 }] }, '/features/0/value'],
    [{ features: Array.from({ length: 2_001 }, () => ({})) }, '/features'],
    [{ model: 'a\u0007b' }, '/model'],
    [{ stale_after_s: 0 }, '/stale_after_s'],
  ])('with %j is refused, with the place', async (change, pointer) => {
    const { call, device } = await openProviderApp();
    await call('PUT /provider/weather', {});
    const { status, json } = await call('PUT /provider/weather/device/roof', { ...THERMOMETER, ...change });
    expect([status, json['errors']]).toEqual([422, expect.arrayContaining([expect.objectContaining({ pointer })])]);
    expect(device('roof')).toBeUndefined();
  });

  test('for which the home has no room is refused, and so is one that is too large', async () => {
    const { hub, call } = await openProviderApp();
    await call('PUT /provider/weather', {});
    const feature = { capability: 'temperature', kind: 'state', value_type: 'number' };
    const features = Array.from({ length: 700 }, (_, index) => ({ ...feature, key: `k${index}` }));
    const large = await call('PUT /provider/weather/device/roof', { ...THERMOMETER, features });
    expect([large.status, large.json['errors']]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/features', code: 'TOO_LONG' })],
    ]);
    Object.assign(hub.providers.doorOf('weather'), { describeDevice: async () => false });
    expect(inShort(await call('PUT /provider/weather/device/roof', THERMOMETER))).toBe('409 LIMIT_REACHED');
  });

  test.each(['a%20b', 'x'.repeat(129), '%00', '..%2f'])('cannot have the external id %s', async (externalId) => {
    const { call } = await openProviderApp();
    await call('PUT /provider/weather', {});
    expect([400, 404, 422]).toContain((await call(`PUT /provider/weather/device/${externalId}`, HEATER)).status);
  });

  test('is hidden when it is taken away, and returns with its id', async () => {
    const { call, device } = await openRunningProvider();
    const id = device('roof')?.id;
    expect((await call('DELETE /provider/weather/device/roof')).status).toBe(204);
    expect(device('roof')).toBeUndefined();
    expect(inShort(await call('DELETE /provider/weather/device/roof'))).toBe('404 NOT_FOUND');
    await call('PUT /provider/weather/device/roof', THERMOMETER);
    expect(device('roof')?.id).toBe(id);
  });
});

describe('a sensor in one call', () => {
  const SOIL = {
    name: 'Soil',
    type: 'temperature_sensor',
    features: [
      { key: 'temperature', capability: 'temperature' },
      { key: 'button', capability: 'button', options: ['single'] },
    ],
    values: { temperature: 11.5 },
  };
  const LINE = 'PUT /provider/weather/device/soil';

  test('is declared and reported, its provider made, its kinds and types those of the vocabulary', async () => {
    const { call, device } = await openProviderApp();
    const made = await call(LINE, SOIL);
    expect([made.status, made.json]).toEqual([201, expect.objectContaining({ external_id: 'soil' })]);
    expect((await call('GET /provider/weather')).json).toMatchObject({ id: 'weather', lease_s: 300, devices: 1 });
    expect(device('soil')?.features).toMatchObject([
      { key: 'temperature', kind: 'state', valueType: 'number', unit: 'celsius' },
      { key: 'button', kind: 'event', valueType: 'object' },
    ]);
    expect(device('soil')?.states.get('temperature')?.value).toBe(11.5);
    expect((await call(LINE, { ...SOIL, values: { temperature: 12 } })).status).toBe(200);
    expect(device('soil')?.states.get('temperature')?.value).toBe(12);
    expect(device('soil')?.availability.state).toBe('online');
  });

  test.each([
    [{ values: { temperature: 'warm' } }, '/values/temperature'],
    [{ values: { humidity: 3 } }, '/values/humidity'],
    [{ occurrences: [{ key: 'button', action: 'triple' }] }, '/occurrences/0/action'],
    [{ features: [{ key: 'x.level', capability: 'x.level', kind: 'state' }] }, '/features/0/value_type'],
    [{ features: [{ key: 'x.level', capability: 'x.level', value_type: 'number' }] }, '/features/0/kind'],
  ])('with %j is 422', async (change, pointer) => {
    const { call, device } = await openProviderApp();
    const { status, json } = await call(LINE, { ...SOIL, ...change });
    expect([status, json['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
    expect(device('soil') === undefined).toBe('features' in change);
  });

  test('makes no provider of a name that none can have', async () => {
    const { asOwner } = await openProviderApp();
    expect((await asOwner('PUT /provider/Weather/device/soil', SOIL)).status).toBe(422);
    expect(inShort(await asOwner('PUT /provider/zigbee2mqtt/device/soil', SOIL))).toBe('409 NAME_TAKEN');
  });
});
