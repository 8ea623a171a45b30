import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createBench } from '#test/storage/storage-harness.ts';
import { openWholeHub, PASSWORD, type WholeHub } from '#test/support/hub/whole-hub.ts';

async function post({ fetch }: WholeHub, path: string, { token, body }: { token: string; body: object }) {
  const answer = await fetch(
    new Request(`http://hub.local/api/v1${path}`, {
      method: 'POST',
      headers: {
        Host: 'hub.local',
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': path,
      },
      body: JSON.stringify(body),
    }),
  );
  const json = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, json, location: answer.headers.get('Location') };
}

const CALLS: readonly (readonly [path: string, body: object, isShown: boolean])[] = [
  ['/room', { name: 'Attic' }, true],
  ['/mode', { key: 'guests', name: 'Guests', values: ['none', 'some'], value: 'none' }, true],
  ['/variable', { key: 'count', name: 'Count', type: 'number', value: 1 }, true],
  ['/notification', { title: 'A parcel came' }, true],
  ['/automation', { name: 'Evening', triggers: [{ type: 'time', at: '18:30' }], steps: [{ delay: { s: 1 } }] }, true],
  ['/user', { email: 'bea@home.test', name: 'Bea', role: 'guest', password: 'quiet candle 31' }, true],
  ['/backup', {}, true],
  ['/webhook', { url: 'http://127.0.0.1:9/hook', types: ['device.changed'] }, false],
  ['/exporter', { type: 'line_protocol', url: 'http://127.0.0.1:9/write' }, true],
];

test('a lost answer to each call that makes something can be asked for again, over a restart, and nothing is there twice', async () => {
  const bench = createBench();
  const before = await openWholeHub({ bench, isEmpty: true });
  const { token, user } = await before.addPerson('ada', 'owner');
  const made: Awaited<ReturnType<typeof post>>[] = [];
  for (const [path, body] of CALLS) {
    const answer = await post(before, path, { token, body });
    expect([path, answer.status, answer.json]).toEqual([path, 201, expect.anything()]);
    made.push(answer);
  }
  const counts = (hub: WholeHub) => ({
    rooms: hub.home.rooms.rooms().length,
    people: hub.home.accounts.users().length,
    webhooks: hub.home.webhooks.webhooks().length,
    audited: hub.writes.length,
  });
  const { audited: _, ...there } = counts(before);
  await before.end();
  const written = readFileSync(bench.database);
  // The webhook is kept with its secret, once.
  const secret = String(made[CALLS.findIndex(([path]) => path === '/webhook')]?.json['secret']);
  expect(written.toString('latin1').split(secret)).toHaveLength(2);
  for (const text of ['quiet candle 31', PASSWORD]) expect(written.includes(text)).toBe(false);

  const after = await openWholeHub({ bench, isEmpty: true });
  const again = (await after.logIn(user.email)).token;
  after.writes.length = 0;
  for (const [at, [path, body, isShown]] of CALLS.entries()) {
    const { status, json, location } = await post(after, path, { token, body });
    const kept = isShown ? made[at]?.json : { code: 'ANSWER_NOT_KEPT' };
    expect([path, status, json]).toMatchObject([path, isShown ? 201 : 409, kept]);
    expect(location).toBe(made[at]?.location);
  }
  expect(after.writes.filter((write) => !write.startsWith('meta'))).toEqual([]);
  expect(counts(after)).toMatchObject(there);
  // Another login is another caller.
  expect((await post(after, '/room', { token: again, body: { name: 'Attic' } })).json['code']).toBe('NAME_TAKEN');
});
