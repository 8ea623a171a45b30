import { createHmac } from 'node:crypto';
import { peerAddress, peerGroup } from '#base/ip-address.ts';
import type { Random } from '#base/random.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { emailKey } from '#core/person/user.ts';
import { type AccountLine, createAccountLine, type Intervals } from './account-line.ts';
import { createFailureCounts } from './failure-counts.ts';

/** Decides which peer may try a secret now. A refused try leaves no trace but a place in the account's queue. */
export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

export type Admission =
  | { readonly kind: 'admitted'; readonly attempt: Attempt }
  /** Whole seconds, at least 1. */
  | { readonly kind: 'refused'; readonly retryAfterS: number };

/** Counts as a failure from the start, so that parallel tries gain nothing. Call one of these if it was no failure. */
export type Attempt = {
  /** Takes back all failures of this peer or client at this account, and none of others. */
  readonly succeed: () => void;
  /** Takes back this try: the secret was not checked. */
  readonly cancel: () => void;
};

type Account = {
  readonly line: AccountLine;
  failures: number;
  lastFailureMs: number;
};

const FREE_OF_ACCOUNT = 10;
const FREE_OF_PEER = 5;
const FREE_OF_CLIENT = 5;
/**
 * Valid tokens are never refused, so this need only allow for a house full of clients after the hub was set up anew.
 */
const FREE_FOREIGN_TOKENS = 30;
const FIRST_INTERVAL_MS = 30_000;
const LAST_INTERVAL_MS = 300_000;
/** After this long without a failure an account counts none. */
const QUIET_MS = 3_600_000;
/**
 * A secret hash assigns each account, real or made up, to one of these slots. No slot is ever dropped for another, so a
 * flood of made-up addresses neither ends the protection of a real account nor reveals whether an account exists.
 */
const ACCOUNT_SLOTS = 1_024;
/**
 * Bounds the wrong tries of all addresses of one IPv6 network together, far above what one address may do: it limits
 * hashing.
 */
const TRIES_OF_GROUP = { capacity: 30, refillMs: 1_000 };
const MAX_PEERS = 2_048;
const MAX_CLIENTS = 1_024;
/**
 * Stands for the claim code among the accounts at which a peer failed. No digest of an e-mail address is this short.
 */
const CLAIM = 'claim';

/**
 * Each address waits for its own failures. After ten failures an account allows one try per 30 s, which goes to the
 * waiting address with the fewest failures; for addresses that failed before, the pause grows to 300 s with each
 * failure. Known clients are counted separately. No peer is shut out: each wait ends, and a peer that waits gets its
 * try.
 */
export function createLoginThrottle(deps: { readonly monotonicMs: () => number; readonly random: Random }) {
  const { monotonicMs } = deps;
  const salt = deps.random(16);
  const peers = createFailureCounts({ free: FREE_OF_PEER, maxNames: MAX_PEERS }, monotonicMs);
  const clients = createFailureCounts({ free: FREE_OF_CLIENT, maxNames: MAX_CLIENTS }, monotonicMs);
  const foreignTokens = createFailureCounts({ free: FREE_FOREIGN_TOKENS, maxNames: MAX_PEERS }, monotonicMs);
  const groups = createTokenBuckets({ ...TRIES_OF_GROUP, maxNames: MAX_PEERS, monotonicMs });
  const newAccount = (): Account => ({
    line: createAccountLine({ monotonicMs, ...peers }),
    failures: 0,
    lastFailureMs: monotonicMs(),
  });
  const slots = new Map<number, Account>();
  const claimCode = newAccount();

  /** The hub does not keep what strangers type, not even in memory. */
  const digestOf = (email: string): Buffer => createHmac('sha256', salt).update(emailKey(email)).digest();
  const accountOf = (digest: Buffer): Account => {
    const slot = digest.readUInt32BE(digest.length - 4) % ACCOUNT_SLOTS;
    const account = slots.get(slot) ?? newAccount();
    slots.set(slot, account);
    return account;
  };
  const admit = (peer: string, name: string, account: Account): Admission => {
    if (monotonicMs() - account.lastFailureMs > QUIET_MS) account.failures = 0;
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
    const group = peerGroup(peer);
    if (!groups.take(group)) {
      giveBack?.({ keepPlace: true });
      return refused(TRIES_OF_GROUP.refillMs);
    }
    if (!isSlow) account.line.noteTry();
    const takeBack = peers.add(peer, name);
    account.failures += 1;
    account.lastFailureMs = monotonicMs();
    const drop = (count: number): void => {
      account.failures = Math.max(0, account.failures - count);
    };
    return admitted({
      succeed: () => {
        groups.giveBack(group);
        drop(peers.forgive(peer, name));
        giveBack?.({ keepPlace: false });
      },
      cancel: () => {
        groups.giveBack(group);
        if (takeBack()) drop(1);
        giveBack?.({ keepPlace: true });
      },
    });
  };

  return {
    /** A password for an account, whether or not the account exists. */
    admitLogin: ({ peer, email }: { readonly peer: string; readonly email: string }): Admission => {
      const digest = digestOf(email);
      return admit(peerAddress(peer), digest.toString('base64url').slice(0, 22), accountOf(digest));
    },
    /**
     * A password from a known client, that is a session of a user. The caller of this function makes up the client's
     * name.
     */
    admitClient: (client: string): Admission => admitClient(clients, client),
    admitClaim: (peer: string): Admission => admit(peerAddress(peer), CLAIM, claimCode),
    /**
     * Counts a refresh token that the hub never issued. Seconds to wait if there were too many, otherwise `undefined`.
     */
    noteForeignToken: (address: string): number | undefined => {
      const peer = peerAddress(address);
      const waitMs = foreignTokens.waitMs(peer);
      if (waitMs > 0) return wholeSeconds(waitMs);
      foreignTokens.add(peer, '');
      return undefined;
    },
  };
}

function admitClient(counts: ReturnType<typeof createFailureCounts>, name: string): Admission {
  const waitMs = counts.waitMs(name);
  if (waitMs > 0) return refused(waitMs);
  const takeBack = counts.add(name, '');
  return admitted({ succeed: () => void counts.forgive(name, ''), cancel: () => void takeBack() });
}

function intervalsOf({ failures }: Account): Intervals {
  const otherMs = Math.min(LAST_INTERVAL_MS, FIRST_INTERVAL_MS * 2 ** Math.max(0, failures - FREE_OF_ACCOUNT));
  return { newcomerMs: FIRST_INTERVAL_MS, otherMs };
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
