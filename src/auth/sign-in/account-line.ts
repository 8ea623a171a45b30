import { peerGroup } from '#base/ip-address.ts';

/**
 * The queue of peers that wait for the next try at an account under attack. It grants one try at a time, to the peer
 * with the lowest rank (the fewest failures), so that the peer that tries most gains least.
 */
export type AccountLine = ReturnType<typeof createAccountLine>;

/** Pauses between two tries: for peers of rank 0, and for all others. */
export type Intervals = { readonly newcomerMs: number; readonly otherMs: number };

type Waiting = {
  readonly sinceMs: number;
  /** When the peer may ask again, as it was answered. */
  dueMs: number;
};

const MAX_WAITING = 32;
/** How many of these may be addresses of one IPv6 network: a single host there can use any number of them. */
const MAX_OF_GROUP = 8;
/**
 * A turn is held this long for a peer that comes late: the first against higher ranks, the second against equal ones.
 */
const HELD_MS = 30_000;
const HELD_FROM_EQUALS_MS = 3_000;

export function createAccountLine(deps: {
  readonly monotonicMs: () => number;
  readonly rankOf: (peer: string) => number;
  readonly addMissedTurn: (peer: string) => void;
  readonly addRefusal: (peer: string) => void;
}) {
  const { monotonicMs, rankOf, addMissedTurn, addRefusal } = deps;
  const line = new Map<string, Waiting>();
  let lastTryMs = Number.NEGATIVE_INFINITY;
  let lastTurn = { previousMs: lastTryMs, sinceMs: 0 };

  const opensInMs = (rank: number, { newcomerMs, otherMs }: Intervals): number =>
    Math.max(0, lastTryMs + (rank === 0 ? newcomerMs : otherMs) - monotonicMs());
  const dropLate = (): void => {
    for (const [peer, { dueMs }] of line) {
      if (monotonicMs() <= dueMs + HELD_MS) continue;
      line.delete(peer);
      addMissedTurn(peer);
    }
  };
  /** If the queue, or the network's share of it, is full: the peer that gives way to one of lower rank. */
  const findLast = (peer: string): { readonly name: string; readonly rank: number } | undefined => {
    const group = peerGroup(peer);
    const names = [...line.keys()];
    const neighbours = names.filter((name) => peerGroup(name) === group);
    if (neighbours.length < MAX_OF_GROUP && names.length < MAX_WAITING) return undefined;
    const rivals = neighbours.length < MAX_OF_GROUP ? names : neighbours;
    const ranked = rivals.map((name) => ({ name, rank: rankOf(name) }));
    return ranked.reduce((left, right) => (right.rank >= left.rank ? right : left));
  };
  /** The peer's place in the queue. It is not stored if the queue is full of peers of equal or lower rank. */
  const join = (peer: string): Waiting => {
    const nowMs = monotonicMs();
    const known = line.get(peer);
    if (known !== undefined) return known;
    const waiting = { sinceMs: nowMs, dueMs: nowMs };
    const last = findLast(peer);
    if (last !== undefined && rankOf(peer) >= last.rank) return waiting;
    if (last !== undefined) line.delete(last.name);
    line.set(peer, waiting);
    return waiting;
  };
  /** Milliseconds for which the turn is still held for other peers. */
  const heldMs = (peer: string, own: Waiting, rank: number): number => {
    let longestMs = 0;
    for (const [name, other] of line) {
      const otherRank = rankOf(name);
      const isAhead = otherRank < rank || (otherRank === rank && other.sinceMs < own.sinceMs);
      if (name === peer || !isAhead) continue;
      const windowMs = otherRank < rank ? HELD_MS : HELD_FROM_EQUALS_MS;
      longestMs = Math.max(longestMs, other.dueMs + windowMs - monotonicMs());
    }
    return longestMs;
  };

  return {
    /** Milliseconds until a peer of this rank may have a turn, ignoring the peers that wait. */
    opensInMs,
    /** Notes a try that needed no turn. The first pause counts from it. */
    noteTry: (): void => void (lastTryMs = monotonicMs()),
    /** 0: it is this peer's turn, which this call uses up. Otherwise the milliseconds after which to ask again. */
    ask: (peer: string, intervals: Intervals): number => {
      const nowMs = monotonicMs();
      dropLate();
      const own = join(peer);
      const rank = rankOf(peer);
      const waitMs = opensInMs(rank, intervals) || heldMs(peer, own, rank);
      if (waitMs === 0) {
        line.delete(peer);
        lastTurn = { previousMs: lastTryMs, sinceMs: own.sinceMs };
        lastTryMs = nowMs;
        return 0;
      }
      // The peer receives whole seconds.
      own.dueMs = nowMs + Math.ceil(waitMs / 1_000) * 1_000;
      addRefusal(peer);
      return waitMs;
    },
    /**
     * To be called right after an `ask` that returned 0. The result gives the turn back, because the try was no guess.
     * With `keepPlace` the peer gets its place in the queue back, and is next.
     */
    takeTurn: (peer: string): ((options: { readonly keepPlace: boolean }) => void) => {
      const { previousMs, sinceMs } = lastTurn;
      const takenMs = lastTryMs;
      return ({ keepPlace }) => {
        if (lastTryMs === takenMs) lastTryMs = previousMs;
        if (keepPlace) line.set(peer, { sinceMs, dueMs: monotonicMs() });
      };
    },
  };
}
