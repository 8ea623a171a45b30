import { expect, test } from 'vitest';
import { nameInRoom } from '#web/device/room-words.ts';
import { createOwnView, inOrder, moved, toggled } from '#web/home/home-view.ts';
import { HubProblem } from '#web/client/hub-problem.ts';

test.each([
  ['Bedroom bedside lamp', 'Bedroom', 'Bedside lamp'],
  ['bedroom: window', 'Bedroom', 'Window'],
  ['Bedroom', 'Bedroom', 'Bedroom'],
  ['Bedrooms', 'Bedroom', 'Bedrooms'],
  ['Küche – Ofen', 'Küche', 'Ofen'],
  ['Fridge', 'Kitchen', 'Fridge'],
  ['Kitchen lamp', undefined, 'Kitchen lamp'],
])('%s in the room %s is shown as %s', (name, room, shown) => {
  expect(nameInRoom(name, room)).toBe(shown);
});

test('what a person put in order comes first, and the rest follows as it was', () => {
  const items = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  expect(inOrder(items, ['c', 'gone', 'a']).map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd']);
  expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c']);
  expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  expect(toggled(['b'], 'a')).toEqual(['b', 'a']);
});

test('a view that the hub refuses is as before, and a failed reading shows the home as for everybody', async () => {
  const refusal = new HubProblem(403, { detail: 'No.' }, null);
  const refusing = createOwnView({ call: () => Promise.reject(refusal) });
  expect(refusing.view.value).toBe(null);
  await refusing.look();
  expect(refusing.view.value?.favorites).toEqual([]);
  expect(await refusing.save({ favorites: ['a'] })).toEqual(expect.any(String));
  expect(refusing.view.value?.favorites).toEqual([]);
});
