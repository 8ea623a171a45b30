import {
  anything,
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  jsonValue,
  oneof,
  record,
  string,
} from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HomeEvent } from '#core/event/event.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { inShort, openRunningProvider, type ProviderApp, THERMOMETER } from './provider-app.ts';

const STATE = 'POST /provider/weather/state';
let app: ProviderApp;
beforeAll(async () => {
  app = await openRunningProvider();
});
const report = async (...reports: readonly unknown[]) => (await app.call(STATE, { reports })).json;
const valueOf = (externalId: string, key: string): unknown => app.device(externalId)?.states.get(key)?.value;

describe('reports', () => {
  test('are taken one by one: what is wrong with one leaves the others', async () => {
    const good = { device: 'roof', values: { temperature: 3.5 } };
    const answer = await report(
      good,
      { device: 'cellar', values: {} },
      { device: 'heater', values: { on: true, 'x.level': 'turbo' } },
      { device: 'heater', values: { 'x.level': 'boost' }, availability: 'asleep' },
    );
    expect(answer).toEqual({
      taken: 2,
      refused: [
        {
          report: 1,
          device: 'cellar',
          errors: [expect.objectContaining({ pointer: '/reports/1/device', code: 'UNKNOWN' })],
        },
        {
          report: 2,
          device: 'heater',
          errors: [expect.objectContaining({ pointer: '/reports/2/values/x.level', code: 'INVALID_VALUE' })],
        },
      ],
    });
    expect([valueOf('roof', 'temperature'), valueOf('heater', 'x.level'), valueOf('heater', 'on')]).toEqual([
      3.5,
      'boost',
      undefined,
    ]);
    expect([app.device('roof')?.availability.state, app.device('heater')?.availability.state]).toEqual([
      'online',
      'asleep',
    ]);
  });

  test('of which nothing was taken are 422 with what is wrong with each, and renew the lease all the same', async () => {
    const refused = await app.call(STATE, { reports: [{ device: 'cellar' }, { device: 'roof', values: { x: 1 } }, 7] });
    expect(inShort(refused)).toBe('422 VALIDATION_FAILED');
    expect(refused.json['errors']).toMatchObject([
      { pointer: '/reports/0/device' },
      { pointer: '/reports/1/values/x' },
      { pointer: '/reports/2' },
    ]);
    expect((await app.call(STATE, { reports: [] })).json).toEqual({ taken: 0, refused: [] });
  });

  test('may be of an earlier time, and never replace something newer', async () => {
    const at = (agoMs: number): string => new Date(Date.now() - agoMs).toISOString();
    const observed = at(-30_000);
    expect(await report({ device: 'roof', values: { temperature: 4 }, observed_at: observed })).toMatchObject({
      taken: 1,
    });
    expect(await report({ device: 'roof', values: { temperature: 5 }, observed_at: at(600_000) })).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/reports/0/observed_at' }],
    });
    expect(valueOf('roof', 'temperature')).toBe(4);
  });

  test('end a value with null, and take no text for a number', async () => {
    expect(await report({ device: 'roof', values: { temperature: 6 } })).toMatchObject({ taken: 1 });
    // The API has types: a text is no number, whatever it says.
    for (const text of ['21.5', '', 'unknown', true, [], {}]) {
      expect(await report({ device: 'roof', values: { temperature: text } })).toMatchObject({ status: 422 });
    }
    expect(valueOf('roof', 'temperature')).toBe(6);
    expect(await report({ device: 'roof', values: { temperature: null } })).toMatchObject({ taken: 1 });
    expect(valueOf('roof', 'temperature')).toBeNull();
  });

  test('of what happened make events', async () => {
    const events: HomeEvent[] = [];
    const stop = app.hub.home.events.subscribe((event) => void events.push(event));
    await report({ device: 'roof', occurrences: [{ key: 'button', action: 'single' }] });
    stop();
    const occurrence = { action: 'single', raw: 'single' };
    expect(events).toContainEqual(expect.objectContaining({ type: 'feature.occurred', key: 'button', occurrence }));
  });

  test('come a thousand at once, and not one more', async () => {
    const one = { device: 'roof', values: { temperature: 1 } };
    expect(await report(...Array.from({ length: 1_000 }, () => one))).toEqual({ taken: 1_000, refused: [] });
    const more = await app.call(STATE, { reports: Array.from({ length: 1_001 }, () => one) });
    expect(inShort(more)).toBe('413 PAYLOAD_TOO_LARGE');
    const large = { device: 'roof', values: { temperature: 'x'.repeat(256 * 1024) } };
    expect(inShort(await app.call(STATE, { reports: [large] }))).toBe('413 PAYLOAD_TOO_LARGE');
  });

  test('that would fill the memory are refused', async () => {
    const features = Array.from({ length: 4 }, (_, index) => ({
      key: `x.text${index}`,
      capability: `x.text${index}`,
      kind: 'state',
      value_type: 'string',
    }));
    await app.call('PUT /provider/weather/device/texts', { ...THERMOMETER, features });
    const text = 'x'.repeat(60_000);
    const values = (...keys: number[]) => Object.fromEntries(keys.map((key) => [`x.text${key}`, text]));
    expect(await report({ device: 'texts', values: values(0, 1) })).toMatchObject({ taken: 1 });
    expect(await report({ device: 'texts', values: values(2) })).toMatchObject({
      status: 422,
      errors: [{ pointer: '/reports/0/values', code: 'TOO_LONG' }],
    });
    expect(valueOf('texts', 'x.text2')).toBeUndefined();
  });
});

test.each<[unknown, string]>([
  ['{', '400 INVALID_JSON'],
  ['{"reports":[{"device":"roof","values":{"temperature":NaN}}]}', '400 INVALID_JSON'],
  ['{"reports":[{"device":"roof","values":{"temperature":1e999}}]}', '400 INVALID_JSON'],
  ['{"reports":[{"device":"roof","values":{"__proto__":1}}]}', '400 INVALID_JSON'],
  [[], '422 VALIDATION_FAILED'],
  [{}, '422 VALIDATION_FAILED'],
  [{ reports: {} }, '422 VALIDATION_FAILED'],
  [{ reports: [], more: 1 }, '422 VALIDATION_FAILED'],
])('a body %j is refused as a whole: %s', async (body, expected) => {
  expect(inShort(await app.call(STATE, body))).toBe(expected);
});

test.each<[unknown, string]>([
  [{}, '/device'],
  [null, ''],
  [[], ''],
  [{ device: 7 }, '/device'],
  [{ device: 'roof', valeus: {} }, '/valeus'],
  [{ device: 'roof', observed_at: 'today' }, '/observed_at'],
  [{ device: 'roof', values: Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`k${at}`, 1])) }, '/values'],
  [{ device: 'roof', availability: 'on' }, '/availability'],
  [{ device: 'roof', occurrences: [{ key: 'button' }] }, '/occurrences/0/action'],
])('a report %j is refused, with the place, and leaves the others', async (wrong, pointer) => {
  expect(await report(wrong, { device: 'heater', values: { on: true } })).toEqual({
    taken: 1,
    refused: [
      {
        report: 0,
        device: (wrong as { device?: unknown } | null)?.device === 'roof' ? 'roof' : null,
        errors: [expect.objectContaining({ pointer: `/reports/0${pointer}` })],
      },
    ],
  });
});

test('any JSON is answered, and none of it is a fault of the hub', async () => {
  const values = dictionary(
    oneof(constantFrom('temperature', 'on', 'button', 'x.level'), string()),
    oneof(jsonValue(), anything()),
  );
  const likely = record(
    {
      device: constantFrom('roof', 'heater', 'x'),
      values,
      occurrences: oneof(jsonValue(), constantFrom([{ key: 'button', action: 'single', count: 1 }])),
      observed_at: oneof(constantFrom('2026-01-01T00:00:00Z', new Date().toISOString()), string()),
      availability: oneof(constantFrom('online', 'offline'), string()),
    },
    { requiredKeys: ['device'] },
  );
  const body = oneof(
    jsonValue(),
    record({ reports: jsonValue() }),
    likely.map((one) => ({ reports: [one] })),
  );
  const seen = new Set<number>();
  await assert(
    asyncProperty(body, async (given) => {
      const { status } = await app.call(STATE, JSON.stringify(given));
      seen.add(status);
      expect([200, 400, 422]).toContain(status);
    }),
    searchOf(2_000),
  );
  expect(seen).toContain(200);
});
