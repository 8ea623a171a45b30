import { timingSafeEqual } from 'node:crypto';
import { fieldError, HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { SecretFiles } from '#base/secret-files.ts';
import { faultWords } from '#words/faults.ts';

/** The right to become the first owner, for a person who can read the hub's console, journal or command line. */
export type Claim = {
  /** As people read it; `undefined` once the hub is claimed. */
  readonly code: () => string | undefined;
  /**
   * Runs the task if the code is right, one task at a time. The code is used up once the task resolves. Throws
   * ALREADY_CLAIMED, INVALID_CLAIM_CODE.
   */
  readonly redeem: <Result>(presented: string, task: () => Promise<Result>) => Promise<Result>;
};

const FILE = 'claim-code';
const MAX_TRIES = 10;
/**
 * A replaced code stays valid this long: its reader may be typing it in while wrong tries of a neighbour replace it.
 */
const REPLACED_VALID_MS = 600_000;

/** Reads the code of the last run, or creates one, and announces it. A claimed hub has no code. */
export async function openClaim(deps: {
  readonly files: SecretFiles;
  readonly random: Random;
  readonly log: Log;
  readonly isClaimed: () => boolean;
  readonly monotonicMs: () => number;
  /** Shows a code, the first and each later one, on the console and in the journal. */
  readonly announce: (code: string) => void;
}): Promise<Claim> {
  const { files, random, log, isClaimed, monotonicMs, announce } = deps;
  const inTurn = createTurnQueue();
  let wrongTries = 0;
  let replaced: { readonly code: ClaimCode; readonly untilMs: number }[] = [];

  const replaceCode = async (): Promise<ClaimCode> => {
    const code = createClaimCode(random);
    try {
      await files.write(FILE, Buffer.from(`${showClaimCode(code)}\n`));
    } catch (cause) {
      log.warn('the claim code cannot be written and changes with a restart', { cause });
    }
    return code;
  };
  const dropCode = async (): Promise<void> => {
    try {
      await files.remove(FILE);
    } catch (cause) {
      log.warn('the used claim code cannot be removed; it is not valid any more', { cause });
    }
  };
  const keptCode = async (): Promise<ClaimCode | undefined> => {
    try {
      const kept = await files.read(FILE);
      return kept === undefined ? undefined : readClaimCode(kept.toString('latin1'));
    } catch (cause) {
      log.warn('the claim code cannot be read and is replaced', { cause });
      return undefined;
    }
  };

  const isGood = (given: ClaimCode, current: ClaimCode): boolean => {
    replaced = replaced.filter(({ untilMs }) => monotonicMs() < untilMs);
    return [current, ...replaced.map((one) => one.code)].some((one) => isSameClaimCode(given, one));
  };

  if (isClaimed()) await dropCode();
  let code: ClaimCode | undefined;
  if (!isClaimed()) {
    code = (await keptCode()) ?? (await replaceCode());
    announce(showClaimCode(code));
  }

  return {
    code: () => (isClaimed() || code === undefined ? undefined : showClaimCode(code)),
    redeem: (presented, task) =>
      inTurn(async () => {
        if (isClaimed()) throw new HubError('ALREADY_CLAIMED', 'The hub already has an owner.');
        const given = readClaimCode(presented);
        if (given === undefined || code === undefined || !isGood(given, code)) {
          wrongTries += 1;
          if (wrongTries >= MAX_TRIES) {
            wrongTries = 0;
            if (code !== undefined) replaced.push({ code, untilMs: monotonicMs() + REPLACED_VALID_MS });
            code = await replaceCode();
            log.warn('ten wrong claim codes: there is a new one');
            announce(showClaimCode(code));
          }
          throw new HubError('INVALID_CLAIM_CODE', 'The claim code is not the one that the hub shows.', {
            errors: [fieldError('/claim_code', 'INVALID_VALUE', ...faultWords('not_the_code'))],
          });
        }
        const result = await task();
        await dropCode();
        return result;
      }),
  };
}

/** 40 bits in Crockford's base32, eight characters without the hyphen. */
type ClaimCode = string;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const CODE = /^[0-9A-HJKMNP-TV-Z]{8}$/;

export function createClaimCode(random: Random): ClaimCode {
  // 32 divides 256: every character is as likely as every other.
  return Array.from(random(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** As people read it: `XXXX-XXXX`. */
export function showClaimCode(code: ClaimCode): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Accepts what people type: any case, hyphens and blanks anywhere, I and L for 1, O for 0. */
export function readClaimCode(text: string): ClaimCode | undefined {
  const code = text.replaceAll(/[-\s]/g, '').toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return CODE.test(code) ? code : undefined;
}

/** Takes the same time whichever characters differ. */
export function isSameClaimCode(left: ClaimCode, right: ClaimCode): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
