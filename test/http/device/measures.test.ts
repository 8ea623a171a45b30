import { describe, expect, test } from 'vitest';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

const DESCRIPTION = {
  externalId: 'AABBCC',
  name: 'Meter',
  type: 'electrical_sensor',
  manufacturer: null,
  model: null,
  firmware: null,
  staleAfterMs: null,
  features: [
    ownFeature('e_in', 'main', { valueType: 'any' }),
    ownFeature('words', 'main', { valueType: 'any' }),
    ownFeature('limit', 'main', { valueType: 'number', writable: true }),
    wordFeature('power', 'main'),
  ],
} as const;

/** A smart meter whose owner named its registers. */
async function openMeter() {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const reports = hub.home.devices.reportsOf('tasmota');
  const report = (value: number | string): void => reports.reportValues('AABBCC', new Map([['x.e_in', value]]));
  await reports.describeDevice(DESCRIPTION);
  const say = (body: object, key = 'x.e_in', token = owner.token) =>
    hub.call(`PATCH /device/meter/feature/${key}`, { token, body });
  const shown = async (): Promise<unknown> => {
    const { json } = await hub.call('GET /device/meter', { token: owner.token });
    return (json['features'] as { readonly key: string }[]).find(({ key }) => key === 'x.e_in');
  };
  const grid = async (): Promise<number> => {
    const { json } = await hub.call('GET /energy/settings', { token: owner.token });
    const body = { ...json, grid: { import: ['meter/x.e_in'], export: [], power: null } };
    return (await hub.call('PUT /energy/settings', { token: owner.token, body })).status;
  };
  return { hub, owner, reports, report, say, shown, grid };
}

const ENERGY = { capability: 'energy', value_type: 'number', unit: 'kWh', category: 'primary' };

describe('a number of which a person says what it measures', () => {
  test('is that in the unit of the word, for the energy page too', async () => {
    const { report, say, shown, grid } = await openMeter();
    report(1_234_500);
    expect(await shown()).toMatchObject({ capability: 'x.e_in', value: 1_234_500 });
    expect(await grid()).toBe(422);
    expect(await say({ capability: 'energy', unit: 'Wh' })).toMatchObject({ status: 200, json: ENERGY });
    expect(await shown()).toMatchObject({ ...ENERGY, value: null, measures: { capability: 'energy', unit: 'Wh' } });
    report('1234600');
    expect(await shown()).toMatchObject({ ...ENERGY, key: 'x.e_in', value: 1_234.6, quality: 'confirmed' });
    report('broken');
    expect(await shown()).toMatchObject({ value: 1_234.6 });
    expect(await grid()).toBe(200);
  });

  test('stays that when its device is described anew, and when it is paired anew', async () => {
    const { reports, report, say, shown } = await openMeter();
    await say({ capability: 'energy', unit: 'Wh' });
    await reports.describeDevice({ ...DESCRIPTION, firmware: '9' });
    expect(await shown()).toMatchObject(ENERGY);
    await reports.removeDevice('AABBCC');
    await reports.describeDevice(DESCRIPTION);
    report(5_000);
    expect(await shown()).toMatchObject({ ...ENERGY, value: 5 });
  });

  test('shows no value of another unit, and is what it was once that is taken back', async () => {
    const { report, say, shown } = await openMeter();
    await say({ capability: 'energy' });
    report(1_234.5);
    expect(await shown()).toMatchObject({ value: 1_234.5 });
    await say({ capability: 'energy', unit: 'MWh' });
    expect(await shown()).toMatchObject({ value: null });
    await say({ capability: null });
    report(1_234.5);
    expect(await shown()).toMatchObject({ capability: 'x.e_in', value_type: 'any', unit: null, value: 1_234.5 });
    expect(await shown()).not.toHaveProperty('measures');
  });

  test('is known to the home by one revision, and saying it again is no change', async () => {
    const { hub, owner, say } = await openMeter();
    const revision = async (): Promise<unknown> =>
      (await hub.call('GET /device/meter', { token: owner.token })).json['revision'];
    const before = Number(await revision());
    await say({ capability: 'energy' });
    await say({ capability: 'energy' });
    expect(await revision()).toBe(before + 1);
  });

  test('is none that has a word, takes values or has other values, and measures no more than its word allows', async () => {
    const { reports, say } = await openMeter();
    reports.reportValues('AABBCC', new Map([['x.words', 'cold']]));
    const energy = { capability: 'energy' };
    const refused = await Promise.all([
      ...['power', 'x.limit', 'x.words'].map((key) => say(energy, key)),
      ...['on', 'brightness', 'constructor'].map((capability) => say({ capability })),
      say({ ...energy, unit: 'W' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 422));
  });

  test('is said by people who manage devices', async () => {
    const { hub, say } = await openMeter();
    const resident = await hub.addPerson('rea', 'resident');
    const guest = await hub.addPerson('gus', 'guest');
    expect((await say({ capability: 'energy' }, 'x.e_in', guest.token)).status).toBe(403);
    const { status } = await hub.call('PATCH /device/meter', { token: resident.token, body: { icon: 'meter' } });
    expect((await say({ capability: 'energy' }, 'x.e_in', resident.token)).status).toBe(status);
    expect((await say({ capability: 'energy' }, 'x.nothing')).status).toBe(404);
  });
});
