import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { HubError } from '#base/hub-error.ts';
import { peerGroup } from '#base/ip-address.ts';
import type { Random } from '#base/random.ts';
import type { UserId } from '#core/person/user.ts';
import { createFairQueue } from './fair-queue.ts';

type Argon2 = {
  readonly hash: (password: string, options: Argon2Cost) => Promise<string>;
  readonly verify: (phc: string, password: string) => Promise<boolean>;
};
type Argon2Cost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number };

/** Hashes and verifies one password at a time. Peers take turns. Rejects with OVERLOADED if too many wait. */
export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

export const ARGON2_COST: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// One hash takes some 20 MB and one of two cores for tens of milliseconds. More at once would starve all file reads.
const MAX_WAITING = 8;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;

export function createPasswordHasher(deps: {
  readonly random: Random;
  readonly argon2?: Argon2;
  readonly cost?: Argon2Cost;
}) {
  const { random, cost = ARGON2_COST, argon2 = { hash: argon2Hash, verify: argon2Verify } } = deps;
  const inTurn = createFairQueue(
    MAX_WAITING,
    () => new HubError('OVERLOADED', 'Too many sign-ins at once: try again in a moment.', { retryAfterS: 1 }),
  );
  return {
    /** A PHC string. */
    hash: (password: string, peer: string): Promise<string> =>
      inTurn(peerGroup(peer), () => argon2.hash(password.normalize('NFC'), cost)),
    verify: (phc: string, password: string, peer: string): Promise<boolean> =>
      inTurn(peerGroup(peer), () => argon2.verify(phc, password.normalize('NFC'))),
    /** As `verify`, ahead of all others, for a known client. The tries of such a client must be counted separately. */
    // Users take turns, not their clients, because a user can have any number of clients.
    verifyKnown: (phc: string, password: string, userId: UserId): Promise<boolean> =>
      inTurn(userId, () => argon2.verify(phc, password.normalize('NFC')), 'first'),
    /** The hash was made with less than today's cost. */
    isOutdated: (phc: string): boolean => {
      const [, memory, time, parallelism] = PHC.exec(phc) ?? [];
      return (
        Number(memory ?? 0) < cost.memoryCost ||
        Number(time ?? 0) < cost.timeCost ||
        Number(parallelism ?? 0) < cost.parallelism
      );
    },
    /** A PHC string that no password matches, and that takes as long to verify as a real one. */
    dummyPhc: `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${phcBase64(random(16))}$${phcBase64(random(32))}`,
  };
}

/** PHC strings use base64 without padding. */
function phcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
