import { createHmac } from 'node:crypto';
import { peerGroup } from '#base/peer-group.ts';
import type { Random } from '#base/random.ts';
import { emailKey } from '#core/user.ts';
import { type AccountLine, createAccountLine, type Intervals } from './account-line.ts';
import { createFailureCounts } from './failure-counts.ts';

/** Who may try a secret now. Nothing is kept of a try that is refused but the place in a line. */
export type LoginThrottle = {
  /** A password for an account, whether or not there is such a one; `isAccount` must not be told to anybody. */
  readonly admitLogin: (login: {
    readonly peer: string;
    readonly email: string;
    readonly isAccount: boolean;
  }) => Admission;
  /** A password from a client that the hub knows: a session of a user, by names of the caller's making. */
  readonly admitClient: (client: string) => Admission;
  /** A claim code. */
  readonly admitClaim: (peer: string) => Admission;
  /** Counts a refresh token that the hub never gave; seconds where there were too many, `undefined` otherwise. */
  readonly noteForeignToken: (peer: string) => number | undefined;
};

export type Admission =
  | { readonly kind: 'admitted'; readonly attempt: Attempt }
  /** In whole seconds, at least 1. */
  | { readonly kind: 'refused'; readonly retryAfterS: number };

/** Counted as a failure from the start, so that many at once are no way around; call one where it was none. */
export type Attempt = {
  /** Takes back what this peer or client failed at this account before, and nothing of others. */
  readonly succeed: () => void;
  /** It was never found out whether the secret is right. */
  readonly cancel: () => void;
};

type Account = {
  readonly line: AccountLine;
  failures: number;
  lastFailureMs: number;
  isKept: boolean;
};

const FREE_OF_ACCOUNT = 10;
const FREE_OF_PEER = 5;
const FREE_OF_CLIENT = 5;
/** Good ones are never refused, so this only has to be clear of a house full of clients whose hub was set up anew. */
const FREE_FOREIGN_TOKENS = 30;
const FIRST_INTERVAL_MS = 30_000;
const LAST_INTERVAL_MS = 300_000;
/** Without a failure for this long an account is as new. */
const QUIET_MS = 3_600_000;
const MAX_ACCOUNTS = 512;
const MAX_PEERS = 2_048;
const MAX_CLIENTS = 1_024;

/**
 * A peer has its own failures to wait for. Beyond ten failures an account has one try per 30 s, which goes to the waiting
 * peer with the fewest failures; for peers that failed before the pause grows to 300 s with each failure. Known clients
 * are counted alone. Nobody is shut out: each wait has an end, and who waits it out is served.
 */
export function createLoginThrottle(deps: {
  readonly monotonicMs: () => number;
  readonly random: Random;
}): LoginThrottle {
  const { monotonicMs } = deps;
  const salt = deps.random(16);
  const peers = createFailureCounts({ free: FREE_OF_PEER, maxNames: MAX_PEERS }, monotonicMs);
  const clients = createFailureCounts({ free: FREE_OF_CLIENT, maxNames: MAX_CLIENTS }, monotonicMs);
  const foreignTokens = createFailureCounts({ free: FREE_FOREIGN_TOKENS, maxNames: MAX_PEERS }, monotonicMs);
  const accounts = new Map<string, Account>();

  const accountOf = (name: string, isAccount: boolean): Account => {
    const known = accounts.get(name);
    const account = known ?? {
      line: createAccountLine({ monotonicMs, rankOf: peers.rankOf, addMissedTurn: peers.addMissedTurn }),
      failures: 0,
      lastFailureMs: monotonicMs(),
      isKept: isAccount,
    };
    if (monotonicMs() - account.lastFailureMs > QUIET_MS) account.failures = 0;
    account.isKept = isAccount;
    return account;
  };
  const keep = (name: string, account: Account): void => {
    if (!accounts.has(name) && accounts.size >= MAX_ACCOUNTS) makeRoom(accounts, monotonicMs() - QUIET_MS);
    accounts.set(name, account);
  };

  return {
    admitLogin: ({ peer: address, email, isAccount }) => {
      const peer = peerGroup(address);
      // What strangers type is not kept, not even in memory.
      const name = createHmac('sha256', salt).update(emailKey(email)).digest('base64url').slice(0, 22);
      const account = accountOf(name, isAccount);
      const isSlow = account.failures >= FREE_OF_ACCOUNT;
      const intervals = intervalsOf(account);
      const ownMs = peers.waitMs(peer);
      if (ownMs > 0) {
        const rank = peers.rankOf(peer);
        return refused(Math.max(ownMs, isSlow ? account.line.opensInMs(rank, intervals) : 0));
      }
      const waitMs = isSlow ? account.line.ask(peer, intervals) : 0;
      if (waitMs > 0) return refused(waitMs);
      const giveBack = isSlow ? account.line.takeTurn(peer) : undefined;
      if (!isSlow) account.line.noteTry();
      const takeBack = peers.add(peer, name);
      account.failures += 1;
      account.lastFailureMs = monotonicMs();
      keep(name, account);
      const drop = (count: number): void => {
        account.failures = Math.max(0, account.failures - count);
        if (account.failures === 0 && accounts.get(name) === account) accounts.delete(name);
      };
      return admitted({
        succeed: () => {
          drop(peers.forgive(peer, name));
          giveBack?.({ keepPlace: false });
        },
        cancel: () => {
          if (takeBack()) drop(1);
          giveBack?.({ keepPlace: true });
        },
      });
    },
    admitClient: (client) => admitByOwn(clients, client, ''),
    admitClaim: (peer) => admitByOwn(peers, peerGroup(peer), 'claim'),
    noteForeignToken: (address) => {
      const peer = peerGroup(address);
      const waitMs = foreignTokens.waitMs(peer);
      if (waitMs > 0) return wholeSeconds(waitMs);
      foreignTokens.add(peer, '');
      return undefined;
    },
  };
}

function admitByOwn(counts: ReturnType<typeof createFailureCounts>, name: string, account: string): Admission {
  const waitMs = counts.waitMs(name);
  if (waitMs > 0) return refused(waitMs);
  const takeBack = counts.add(name, account);
  return admitted({ succeed: () => void counts.forgive(name, account), cancel: () => void takeBack() });
}

function intervalsOf({ failures }: Account): Intervals {
  const otherMs = Math.min(LAST_INTERVAL_MS, FIRST_INTERVAL_MS * 2 ** Math.max(0, failures - FREE_OF_ACCOUNT));
  return { newcomerMs: FIRST_INTERVAL_MS, otherMs };
}

/** Those of real accounts stay: no flood of made-up addresses wipes what protects them. */
function makeRoom(accounts: Map<string, Account>, quietBeforeMs: number): void {
  let least: readonly [name: string, account: Account] | undefined;
  for (const entry of accounts) {
    const [name, account] = entry;
    if (account.lastFailureMs < quietBeforeMs) accounts.delete(name);
    else if (!account.isKept && (least === undefined || account.failures < least[1].failures)) least = entry;
  }
  if (least !== undefined) accounts.delete(least[0]);
}

function admitted(attempt: Attempt): Admission {
  return { kind: 'admitted', attempt };
}

function refused(waitMs: number): Admission {
  return { kind: 'refused', retryAfterS: wholeSeconds(waitMs) };
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
