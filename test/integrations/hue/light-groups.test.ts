import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { chooseGroups, type LightGroup, type LightPut } from '#integrations/hue/resources/light-groups.ts';

const group = (groupedLightId: string, ...lights: string[]): LightGroup => ({
  groupedLightId,
  lightIds: new Set(lights),
});
const puts = (lights: string, body: JsonObject = { on: { on: true } }): LightPut[] =>
  lights.split('').map((lightId) => ({ lightId, body }));
const chosen = (asked: readonly LightPut[], groups: readonly LightGroup[]): string =>
  chooseGroups(asked, groups)
    .map(({ groupedLightId }) => groupedLightId)
    .join();

const HOME = group('home', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const LIVING = group('living', 'a', 'b', 'c', 'd');
const KITCHEN = group('kitchen', 'e', 'f', 'g');
const ALL = [HOME, LIVING, KITCHEN];

test.each([
  ['a whole room', 'abcd', 'living'],
  ['the whole home, as one', 'abcdefgh', 'home'],
  ['two rooms', 'abcdefg', 'living,kitchen'],
  ['a room and a lamp of another', 'abcde', 'living'],
  ['a room without one of its lamps', 'abc', ''],
  ['two lamps', 'ef', ''],
])('%s', (_what, lights, groups) => {
  expect(chosen(puts(lights), ALL)).toBe(groups);
});

test('a group whose lights do not all get the same request is left alone', () => {
  expect(chosen([...puts('abc'), ...puts('d', { on: { on: false } })], ALL)).toBe('');
  expect(chosen([...puts('efg', { on: { on: false } }), ...puts('abcd')], ALL)).toBe('living,kitchen');
});

test('no more groups are used than the bridge takes in the time of single requests', () => {
  const rooms = Array.from({ length: 8 }, (_, index) => group(`r${index}`, `${index}x`, `${index}y`, `${index}z`));
  const asked = rooms.flatMap(({ lightIds }) => [...lightIds].map((lightId) => ({ lightId, body: {} })));
  expect(chosen(asked, rooms)).toBe('r0,r1,r2');
});
