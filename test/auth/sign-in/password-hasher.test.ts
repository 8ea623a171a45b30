import { expect, test } from 'vitest';
import { ARGON2_COST, createPasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { systemRandom } from '#base/random.ts';

const hasher = createPasswordHasher({ random: systemRandom });
const cheap = createPasswordHasher({ random: systemRandom, cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });

test('A3: passwords are hashed with argon2id, 19 MiB, two passes, one lane, and a salt each', async () => {
  const phc = await hasher.hash('lamp quilt orbit', 'peer');
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await hasher.hash('lamp quilt orbit', 'peer')).not.toBe(phc);
  expect(await hasher.verify(phc, 'lamp quilt orbit', 'peer')).toBe(true);
  expect(await hasher.verify(phc, 'lamp quilt orbiT', 'peer')).toBe(false);
  expect(hasher.isOutdated(phc)).toBe(false);
});

test('A3: the dummy is a hash of the same cost and shape that no password matches', async () => {
  const phc = await hasher.hash('lamp quilt orbit', 'peer');
  expect(hasher.dummyPhc.replace(/p=1\$.*/, '')).toBe(phc.replace(/p=1\$.*/, ''));
  expect(hasher.dummyPhc).toHaveLength(phc.length);
  expect(await hasher.verify(hasher.dummyPhc, '', 'peer')).toBe(false);
});

test('A4: the composed and the decomposed form of a password are the same', async () => {
  const phc = await cheap.hash('K\u00fcche und Flur', 'peer');
  expect(await cheap.verify(phc, 'Ku\u0308che und Flur', 'peer')).toBe(true);
});

test('A4: every character of a long password counts', async () => {
  const long = 'x'.repeat(255);
  const phc = await cheap.hash(`${long}a`, 'peer');
  expect(await cheap.verify(phc, `${long}b`, 'peer')).toBe(false);
});

test.each([
  ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', false],
  ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaA', false],
  ['$argon2id$v=19$m=19455,t=2,p=1$c2FsdHNhbHQ$aGFzaA', true],
  ['$argon2id$v=19$m=65536,t=1,p=1$c2FsdHNhbHQ$aGFzaA', true],
  ['$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', true],
])('A3: %s is outdated: %s', (phc, outdated) => {
  expect(hasher.isOutdated(phc)).toBe(outdated);
});

test('A3: hashes run one at a time, eight wait, and the next is refused with a time to retry', async () => {
  let running = 0;
  let most = 0;
  const counting = createPasswordHasher({
    random: systemRandom,
    cost: ARGON2_COST,
    argon2: {
      hash: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => void setImmediate(resolve));
        running -= 1;
        return '';
      },
      verify: async () => true,
    },
  });
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => counting.hash('x', '192.168.1.9')));
  expect(most).toBe(1);
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ code: 'OVERLOADED', options: { retryAfterS: 1 } });
});
