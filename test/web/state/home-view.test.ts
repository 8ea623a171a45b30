import { expect, test } from 'vitest';
import { nameInRoom } from '#web/device/room-words.ts';
import type { HomeView } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { createOwnView, inOrder, moved, PLAIN_VIEW, toggled } from '#web/state/home-view.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { hubText } from '#test/support/page/hub-text.ts';

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
  expect(toggled(['a', 'b'], 'a', false)).toEqual(['b']);
  expect(toggled(['b'], 'a', false)).toEqual(['b']);
  expect(toggled(['b'], 'a', true)).toEqual(['b', 'a']);
  expect(toggled(['a', 'b'], 'a', true)).toEqual(['a', 'b']);
});

test('a view that the hub refuses is as before, and a failed reading shows the home as for everybody', async () => {
  const refusal = new HubProblem(403, { detail: hubText('No.') }, null);
  const refusing = createOwnView({ call: () => Promise.reject(refusal) });
  expect(refusing.view.value).toBe(null);
  await refusing.look();
  expect(refusing.view.value?.favorites).toEqual([]);
  expect(await refusing.save(() => ({ favorites: ['a'] }))).toEqual(expect.any(String));
  expect(refusing.view.value?.favorites).toEqual([]);
});

test('a change keeps what was changed elsewhere since the view was read, also of two changes at once', async () => {
  let kept: HomeView = { ...PLAIN_VIEW, favorites: ['a'] };
  const call = async (method: string, _path: string, body?: unknown): Promise<unknown> => {
    await Promise.resolve();
    if (method === 'PUT') kept = body as HomeView;
    return kept;
  };
  const own = createOwnView({ call: call as HubClient['call'] });
  await own.look();
  kept = { ...kept, favorites: ['a', 'elsewhere'], hidden: ['h'] };
  const star = (id: string) => own.save(({ favorites }) => ({ favorites: toggled(favorites, id, true) }));
  const both = [star('b'), star('c')];
  expect(own.view.value?.favorites).toEqual(['a', 'b', 'c']);
  expect(await Promise.all(both)).toEqual([undefined, undefined]);
  expect(kept).toEqual({ ...PLAIN_VIEW, favorites: ['a', 'elsewhere', 'b', 'c'], hidden: ['h'] });
  expect(own.view.value).toEqual(kept);
});
