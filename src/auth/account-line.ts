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
  /** Refused tries in the minute since `minuteMs`, and in the one before. */
  refusals: number;
  refusalsBefore: number;
  minuteMs: number;
};

const MAX_WAITING = 32;
/** Who comes late still finds the turn, if only worse ones wait; an equal one is made to wait only this long. */
const HELD_MS = 30_000;
const HELD_FROM_EQUALS_MS = 3_000;
/** A person who presses a button stays below this; one who does not wait at all is behind everybody who does. */
const MAX_REFUSALS = 20;
const MINUTE_MS = 60_000;
const IMPATIENT_RANK = 5;

export function createAccountLine(deps: {
  readonly monotonicMs: () => number;
  readonly rankOf: (peer: string) => number;
  readonly addMissedTurn: (peer: string) => void;
}): AccountLine {
  const { monotonicMs, rankOf, addMissedTurn } = deps;
  const line = new Map<string, Waiting>();
  let lastTryMs = Number.NEGATIVE_INFINITY;
  let lastTurn = { previousMs: lastTryMs, sinceMs: 0 };

  const rankIn = (peer: string, { refusals, refusalsBefore }: Waiting): number =>
    rankOf(peer) + (Math.max(refusals, refusalsBefore) >= MAX_REFUSALS ? IMPATIENT_RANK : 0);
  const opensInMs = (rank: number, { newcomerMs, otherMs }: Intervals): number =>
    Math.max(0, lastTryMs + (rank === 0 ? newcomerMs : otherMs) - monotonicMs());
  const dropLate = (): void => {
    for (const [peer, { dueMs }] of line) {
      if (monotonicMs() <= dueMs + HELD_MS) continue;
      line.delete(peer);
      addMissedTurn(peer);
    }
  };
  /** The peer's place in the line; none where everybody in a full line has less against them. */
  const join = (peer: string): Waiting => {
    const nowMs = monotonicMs();
    const waiting = line.get(peer) ?? startWaiting(nowMs, nowMs);
    startMinute(waiting, nowMs);
    if (line.size < MAX_WAITING || line.has(peer)) line.set(peer, waiting);
    else {
      const ranked = [...line].map(([name, other]) => ({ name, rank: rankIn(name, other) }));
      const worst = ranked.reduce((left, right) => (right.rank >= left.rank ? right : left));
      if (rankOf(peer) < worst.rank) {
        line.delete(worst.name);
        line.set(peer, waiting);
      }
    }
    return waiting;
  };
  /** Milliseconds for which the turn is still held for others. */
  const heldMs = (peer: string, own: Waiting, rank: number): number => {
    let longestMs = 0;
    for (const [name, other] of line) {
      const otherRank = rankIn(name, other);
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
      const rank = rankIn(peer, own);
      const waitMs = opensInMs(rank, intervals) || heldMs(peer, own, rank);
      if (waitMs === 0) {
        line.delete(peer);
        lastTurn = { previousMs: lastTryMs, sinceMs: own.sinceMs };
        lastTryMs = nowMs;
        return 0;
      }
      // As whoever is told whole seconds understands it.
      own.dueMs = nowMs + Math.ceil(waitMs / 1_000) * 1_000;
      own.refusals += 1;
      return waitMs;
    },
    takeTurn: (peer) => {
      const { previousMs, sinceMs } = lastTurn;
      const takenMs = lastTryMs;
      return ({ keepPlace }) => {
        if (lastTryMs === takenMs) lastTryMs = previousMs;
        if (keepPlace) line.set(peer, startWaiting(sinceMs, monotonicMs()));
      };
    },
  };
}

function startWaiting(sinceMs: number, nowMs: number): Waiting {
  return { sinceMs, dueMs: nowMs, refusals: 0, refusalsBefore: 0, minuteMs: nowMs };
}

function startMinute(waiting: Waiting, nowMs: number): void {
  const passedMs = nowMs - waiting.minuteMs;
  if (passedMs < MINUTE_MS) return;
  waiting.refusalsBefore = passedMs < 2 * MINUTE_MS ? waiting.refusals : 0;
  waiting.refusals = 0;
  waiting.minuteMs = nowMs;
}
