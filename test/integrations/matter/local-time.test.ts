import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { localAsks, type LocalTime } from '#integrations/matter/local-time.ts';
import type { MatterNode } from '#integrations/matter/matter-node.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const SUMMER = Date.UTC(2027, 2, 28, 1);
const WINTER = Date.UTC(2027, 9, 31, 1);
/** As long ago as the standard knows. */
const BEGIN = Date.UTC(2000, 0, 1);
const BERLIN: LocalTime = { nowMs: NOW, isSynced: true, zone: createTimeZone('Europe/Berlin'), language: 'de' };
const CLOCK = ['setUtcTime', 'setTimeZone', 'setDstOffset'];

function nodeWith(state: Record<string, JsonObject>, timeSynchronization: readonly string[] = CLOCK): MatterNode {
  const commands = { timeSynchronization };
  return { nodeId: '1', endpoints: [{ number: 0, parent: null, deviceTypes: [], state, commands, features: {} }] };
}
const asksOf = (node: MatterNode, local = BERLIN): Record<string, unknown> =>
  Object.fromEntries(
    localAsks(node, local).map((ask) => ('write' in ask ? [ask.write, ask.value] : [ask.command, ask.fields])),
  );

test('a clock gets the time, the zone and when its summer begins and ends', () => {
  const has = { timeZone: [{ offset: 0, validAt: 0 }], dstOffset: [], dstOffsetListMaxSize: 3, timeZoneDatabase: 2 };
  const asks = asksOf(nodeWith({ timeSynchronization: has }));
  expect(asks).toEqual({
    setUtcTime: { utcTime: NOW * 1_000, granularity: 3, timeSource: 2 },
    setTimeZone: { timeZone: [{ offset: 3_600, validAt: BEGIN * 1_000, name: 'Europe/Berlin' }] },
    setDstOffset: {
      dstOffset: [
        { offset: 0, validStarting: BEGIN * 1_000, validUntil: SUMMER * 1_000 },
        { offset: 3_600, validStarting: SUMMER * 1_000, validUntil: WINTER * 1_000 },
        { offset: 0, validStarting: WINTER * 1_000, validUntil: Date.UTC(2028, 2, 26, 1) * 1_000 },
      ],
    },
  });
  const told = { ...has, ...(asks['setTimeZone'] as JsonObject), ...(asks['setDstOffset'] as JsonObject) };
  expect(Object.keys(asksOf(nodeWith({ timeSynchronization: told })))).toEqual(['setUtcTime']);
});

test('in summer the present period comes first, and a device with room for one gets that alone', () => {
  const summer = { ...BERLIN, nowMs: Date.UTC(2027, 6, 1) };
  const asks = asksOf(nodeWith({ timeSynchronization: { dstOffsetListMaxSize: 1 } }), summer);
  expect(asks['setDstOffset']).toEqual({
    dstOffset: [{ offset: 3_600, validStarting: BEGIN * 1_000, validUntil: WINTER * 1_000 }],
  });
  expect(asks['setTimeZone']).toMatchObject({ timeZone: [{ offset: 3_600 }] });
});

test('a zone without summer time has one period without an end', () => {
  const tokyo = { ...BERLIN, zone: createTimeZone('Asia/Tokyo') };
  expect(asksOf(nodeWith({ timeSynchronization: {} }), tokyo)['setDstOffset']).toEqual({
    dstOffset: [{ offset: 0, validStarting: BEGIN * 1_000, validUntil: null }],
  });
});

test('a clock that knows all zones itself gets the name alone, one without zones the time alone', () => {
  expect(Object.keys(asksOf(nodeWith({ timeSynchronization: { timeZoneDatabase: 0 } })))).toEqual([
    'setUtcTime',
    'setTimeZone',
  ]);
  expect(Object.keys(asksOf(nodeWith({ timeSynchronization: {} }, ['setUtcTime'])))).toEqual(['setUtcTime']);
});

test.each([
  ['nobody has set the clock', { ...BERLIN, nowMs: null }],
  ['the clock stands before the time of the standard', { ...BERLIN, nowMs: 10_000 }],
])('no device gets a time while %s', (_why, local) => {
  expect(asksOf(nodeWith({ timeSynchronization: {} }), local)).toEqual({});
});

test('a time that a person has told is good to the minute', () => {
  const told = asksOf(nodeWith({ timeSynchronization: {} }), { ...BERLIN, isSynced: false });
  expect(told['setUtcTime']).toMatchObject({ granularity: 1 });
});

test.each([
  [{ supportedLocales: ['en-US', 'de-CH', 'de-DE'], activeLocale: 'en-US' }, 'de', 'de-CH'],
  [{ supportedLocales: ['en-US', 'de-CH', 'de-DE'], activeLocale: 'de-DE' }, 'de', undefined],
  [{ supportedLocales: ['en-US'], activeLocale: 'en-US' }, 'de', undefined],
  [{ supportedLocales: ['en-US', 'de-DE'], activeLocale: 'en-US' }, null, undefined],
  [{ supportedLocales: 'de', activeLocale: 7 }, 'de', undefined],
])('of the languages %j a home that speaks %s takes %s', (localizationConfiguration, language, expected) => {
  expect(asksOf(nodeWith({ localizationConfiguration }), { ...BERLIN, nowMs: null, language })).toEqual(
    expected === undefined ? {} : { activeLocale: expected },
  );
});

test.each([
  [{ timeFormatLocalization: { hourFormat: 0 } }, 'de', { hourFormat: 1 }],
  [{ timeFormatLocalization: { hourFormat: 1 } }, 'fr', {}],
  [{ timeFormatLocalization: { hourFormat: 0 } }, 'en', {}],
  [{ unitLocalization: { temperatureUnit: 0, supportedTemperatureUnits: [0, 1] } }, 'de', { temperatureUnit: 1 }],
  [{ unitLocalization: { temperatureUnit: 0, supportedTemperatureUnits: [0] } }, 'de', {}],
  [{ unitLocalization: {} }, 'de', {}],
])('the display %j in a home that speaks %s', (state, language, expected) => {
  expect(asksOf(nodeWith(state as Record<string, JsonObject>), { ...BERLIN, nowMs: null, language })).toEqual(expected);
});

test('a node of garbage gets only what does not depend on it', () => {
  const garbage = { timeZone: 'x', dstOffset: [null, 1], dstOffsetListMaxSize: -5, timeZoneDatabase: [] };
  const asks = asksOf(nodeWith({ timeSynchronization: garbage }));
  expect((asks['setDstOffset'] as { dstOffset: unknown[] }).dstOffset).toHaveLength(1);
  expect(localAsks({ nodeId: '1', endpoints: [] }, BERLIN)).toEqual([]);
});
