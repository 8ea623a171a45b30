import { createHash, timingSafeEqual } from 'node:crypto';
import { HubError } from '#base/hub-error.ts';
import { peerAddress, peerGroup } from '#base/ip-address.ts';
import type { Random } from '#base/random.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';

/**
 * Screens on the wall that wait for a person, as the device flow of RFC 8628 has it. Only in memory: after a restart a
 * screen asks anew.
 */
export type WallRequests = ReturnType<typeof createWallRequests>;

/** A screen that asked, as the person sees it before they allow it. */
export type WallRequest = {
  readonly id: string;
  readonly code: string;
  /** A stranger typed it. */
  readonly name: string;
  /** Socket address of the screen. */
  readonly address: string;
};

/** `allowed` has the token, and comes once. */
type WallAnswer =
  | { readonly state: 'open' | 'refused' | 'handed_over'; readonly token?: never }
  | { readonly state: 'allowed'; readonly token: string };

type Entry = WallRequest & { readonly secretHash: Buffer; endsMs: number; answer: WallAnswer };
/** `group`: of the peer. One machine has as many addresses of IPv6 as it likes. */
type Asked = { readonly group: string; readonly atMs: number };

export const WALL_REQUEST_S = 300;
const LIFETIME_MS = WALL_REQUEST_S * 1_000;
/** A screen that was allowed at the last moment still has time to ask for its token. */
const PICKUP_MS = 60_000;
const MAX_OPEN = 3;
const PEER_INTERVAL_MS = 60_000;
const MAX_PEERS = 2_048;
/** A peer that has asked more often within this time gives way to one that has not. */
const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 256;
const CODES = 1_000_000;
const SECRET_BYTES = 32;

export function createWallRequests(deps: {
  readonly monotonicMs: () => number;
  readonly random: Random;
  readonly newId: () => string;
}) {
  const { monotonicMs, random, newId } = deps;
  const peers = createTokenBuckets({ capacity: 1, refillMs: PEER_INTERVAL_MS, maxNames: MAX_PEERS, monotonicMs });
  let entries: readonly Entry[] = [];
  let asked: readonly Asked[] = [];
  const present = (): readonly Entry[] => (entries = entries.filter(({ endsMs }) => endsMs > monotonicMs()));
  const timesOf = (peer: string): number => asked.filter(({ group }) => group === peerGroup(peer)).length;
  const entryOf = ({ id }: WallRequest): Entry | undefined => present().find((one) => one.id === id);

  return {
    /** Throws TOO_MANY_REQUESTS. Only this answer has the secret and the code. */
    ask: (name: string, address: string): { readonly id: string; readonly secret: string; readonly code: string } => {
      const peer = peerAddress(address);
      const nowMs = monotonicMs();
      asked = asked.filter(({ atMs }) => nowMs - atMs < REMEMBERED_MS).slice(1 - MAX_REMEMBERED);
      const left = leavingFor(peer, present().filter(isOpen), { timesOf, nowMs });
      if (!peers.take(peer)) throw tooMany(PEER_INTERVAL_MS);
      asked = [...asked, { group: peerGroup(peer), atMs: nowMs }];
      const secret = random(SECRET_BYTES).toString('base64url');
      const entry: Entry = {
        id: newId(),
        code: newCode(random, new Set(present().map(({ code }) => code))),
        name,
        address: peer,
        secretHash: hashOf(secret),
        endsMs: nowMs + LIFETIME_MS,
        answer: { state: 'open' },
      };
      entries = [...present().filter((one) => !left.includes(one)), entry];
      return { id: entry.id, secret, code: entry.code };
    },
    /**
     * What the screen learns. `undefined` for an unknown id, one that has ended, and a wrong secret. A token is handed over
     * once; `isLook` leaves it there.
     */
    answerTo: (id: string, secret: string, { isLook }: { readonly isLook: boolean }): WallAnswer | undefined => {
      const entry = present().find((one) => one.id === id);
      const isRight = timingSafeEqual(hashOf(secret), entry?.secretHash ?? NO_HASH);
      if (entry === undefined || !isRight) return undefined;
      const { answer } = entry;
      if (answer.state === 'allowed' && !isLook) entry.answer = { state: 'handed_over' };
      return answer;
    },
    /** The caller has counted the try. Also finds one that was answered and has not ended yet. */
    find: (code: string): WallRequest | undefined => present().find((one) => one.code === code),
    /** Whole seconds until it ends; 0 if it has ended or was answered. */
    secondsLeft: (request: WallRequest): number => {
      const entry = entryOf(request);
      return entry === undefined || !isOpen(entry) ? 0 : Math.ceil((entry.endsMs - monotonicMs()) / 1_000);
    },
    /** The token is on disk. False if nobody will fetch it: meanwhile the request has ended, or was refused. */
    allow: (request: WallRequest, token: string): boolean => {
      const entry = entryOf(request);
      if (entry === undefined || !isOpen(entry)) return false;
      entry.answer = { state: 'allowed', token };
      entry.endsMs = Math.max(entry.endsMs, monotonicMs() + PICKUP_MS);
      return true;
    },
    refuse: (request: WallRequest): void => {
      const entry = entryOf(request);
      if (entry !== undefined) entry.answer = { state: 'refused' };
    },
  };
}

type Places = { readonly timesOf: (peer: string) => number; readonly nowMs: number };

/**
 * The open requests that leave for one of this peer: its own one, or, if there are too many, that of the peer that has
 * asked most often, so that nobody holds all places for long. Throws TOO_MANY_REQUESTS.
 */
function leavingFor(peer: string, open: readonly Entry[], { timesOf, nowMs }: Places): readonly Entry[] {
  const own = open.filter(({ address }) => address === peer);
  if (own.length > 0 || open.length < MAX_OPEN) return own;
  const [most] = [...open].sort((left, right) => timesOf(right.address) - timesOf(left.address));
  if (most !== undefined && timesOf(most.address) > timesOf(peer) + 1) return [most];
  throw tooMany(Math.min(...open.map(({ endsMs }) => endsMs)) - nowMs);
}

const NO_HASH = Buffer.alloc(32);

function isOpen({ answer }: Entry): boolean {
  return answer.state === 'open';
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function newCode(random: Random, taken: ReadonlySet<string>): string {
  const code = String(random(6).readUIntBE(0, 6) % CODES).padStart(6, '0');
  return taken.has(code) ? newCode(random, taken) : code;
}

function tooMany(waitMs: number): HubError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
  const unit = retryAfterS === 1 ? 'second' : 'seconds';
  return new HubError('TOO_MANY_REQUESTS', `Too many screens have asked: try again in ${retryAfterS} ${unit}.`, {
    retryAfterS,
  });
}
