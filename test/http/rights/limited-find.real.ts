import { expect, test } from 'vitest';
import type { Role } from '#core/person/user.ts';
import { openWholeHub, PASSWORD } from '#test/support/hub/whole-hub.ts';

const LOCK = { device: 'front-door-lock', set: { locked: true } };
const LAMP = { device: 'kitchen-ceiling', set: { on: true } };

/** A home in which each kind of thing is called `movie`, in the hallway and in the kitchen. */
async function openScene() {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const byOwner = async (line: string, body: unknown) => {
    const { status, json } = await hub.call(line, { token: owner.token, body });
    expect([line, Math.floor(status / 100), json]).toEqual([line, 2, expect.anything()]);
  };
  await byOwner('POST /scene', { name: 'Movie with the lock', targets: [LAMP, LOCK] });
  await byOwner('POST /scene', { name: 'Movie with the lamp', targets: [LAMP] });
  await byOwner('POST /group', { name: 'Movie doors', members: [LOCK.device], room: 'hallway' });
  await byOwner('POST /group', { name: 'Movie lamps', members: [LAMP.device], room: 'kitchen' });
  await byOwner('POST /room', { name: 'Movie room' });
  const triggers = [{ type: 'feature', device: LAMP.device, key: 'on', to: true }];
  await byOwner('POST /automation', { name: 'Movie night', triggers, steps: [] });
  const person = async (name: string, role: Role, limits: object): Promise<string> => {
    const body = { email: `${name}@home.test`, name, role, password: PASSWORD, ...limits };
    await byOwner('POST /user', body);
    return (await hub.logIn(body.email)).token;
  };
  const search = async (token: string, query: string): Promise<readonly string[]> => {
    const { status, json } = await hub.call(`GET /find?q=${query}`, { token });
    expect(status).toBe(200);
    return (json as unknown as { kind: string; name: string }[]).map(({ kind, name }) => `${kind}: ${name}`);
  };
  return { hub, owner, person, search };
}

test('a person finds what is theirs, by no word of what is not', async () => {
  const { hub, owner, person, search } = await openScene();
  const everything = [
    'room: Movie room',
    'scene: Movie with the lamp',
    'scene: Movie with the lock',
    'automation: Movie night',
    'group: Movie doors',
    'group: Movie lamps',
  ];
  expect(await search(owner.token, 'movie')).toEqual(everything);
  const guest = await person('gus', 'guest', {});
  expect(await search(guest, 'movie')).toEqual(everything.filter((line) => !line.startsWith('automation')));
  expect(await search(guest, 'movie&kind=automation')).toEqual([]);
  for (const role of ['guest', 'resident'] as const) {
    const limited = await person(`limited-${role}`, role, { rooms: ['kitchen'] });
    expect(await search(limited, 'movie')).toEqual(['scene: Movie with the lamp', 'group: Movie lamps']);
    for (const word of ['hallway', 'lock', 'doors', 'night']) expect(await search(limited, word)).toEqual([]);
  }
  const reader = await hub.addToken(owner.user, { scopes: ['device:read'] });
  expect(await search(reader, 'night')).toEqual([]);
  const both = await hub.addToken(owner.user, { scopes: ['device:read', 'automation:read'] });
  expect(await search(both, 'night')).toEqual(['automation: Movie night']);
});
