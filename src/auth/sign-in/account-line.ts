import { peerGroup } from '#base/ip-address.ts';

/**
 * The peers that wait for the next try at an account that is under attack. One try at a time, and whoever has the least
 * against them is next, so that whoever tries most wins least.
 */
export type AccountLine = {
  /** 0: it is this peer's turn, and the turn is used. Else the milliseconds after which to ask again. */
  readonly ask: (peer: string, intervals: Intervals) => number;
  /**
   * Right after an `ask` that was granted: the result gives the turn back, for it was no guess. With `keepPlace` the
   * peer has its place in the line again, and comes next.
   */
  readonly takeTurn: (peer: string) => (options: { readonly keepPlace: boolean }) => void;
  /** A try outside of any turn, from which the first pause counts. */
  readonly noteTry: () => void;
  /** Milliseconds until the next turn of a peer with this much against it, whoever waits. */
  readonly opensInMs: (rank: number, intervals: Intervals) => number;
};

/** Pauses between two tries: for who has nothing against them, and for all others. */
export type Intervals = { readonly newcomerMs: number; readonly otherMs: number };

type Waiting = {
  readonly sinceMs: number;
  /** When it was told to come again. */
  dueMs: number;
};

const MAX_WAITING = 32;
/** Of these, the addresses of one IPv6 network: a single host there has as many as it likes. */
const MAX_OF_GROUP = 8;
/** Who comes late still finds the turn, if only worse ones wait; an equal one is made to wait only this long. */
const HELD_MS = 30_000;
const HELD_FROM_EQUALS_MS = 3_000;

export function createAccountLine(deps: {
  readonly monotonicMs: () => number;
  readonly rankOf: (peer: string) => number;
  readonly addMissedTurn: (peer: string) => void;
  readonly addRefusal: (peer: string) => void;
}): AccountLine {
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
  /** Who gives way to a peer with less against it, because the line or its network's part of it is full. */
  const findLast = (peer: string): { readonly name: string; readonly rank: number } | undefined => {
    const group = peerGroup(peer);
    const names = [...line.keys()];
    const neighbours = names.filter((name) => peerGroup(name) === group);
    if (neighbours.length < MAX_OF_GROUP && names.length < MAX_WAITING) return undefined;
    const rivals = neighbours.length < MAX_OF_GROUP ? names : neighbours;
    const ranked = rivals.map((name) => ({ name, rank: rankOf(name) }));
    return ranked.reduce((left, right) => (right.rank >= left.rank ? right : left));
  };
  /** The peer's place in the line; none where everybody in a full line has less against them. */
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
  /** Milliseconds for which the turn is still held for others. */
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
    opensInMs,
    noteTry: () => void (lastTryMs = monotonicMs()),
    ask: (peer, intervals) => {
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
      // As whoever is told whole seconds understands it.
      own.dueMs = nowMs + Math.ceil(waitMs / 1_000) * 1_000;
      addRefusal(peer);
      return waitMs;
    },
    takeTurn: (peer) => {
      const { previousMs, sinceMs } = lastTurn;
      const takenMs = lastTryMs;
      return ({ keepPlace }) => {
        if (lastTryMs === takenMs) lastTryMs = previousMs;
        if (keepPlace) line.set(peer, { sinceMs, dueMs: monotonicMs() });
      };
    },
  };
}
