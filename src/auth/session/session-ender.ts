import type { HubClock } from '#base/time/hub-clock.ts';
import type { Log } from '#base/log.ts';
import type { UserId } from '#core/person/user.ts';
import type { Session, SessionId, SessionStore } from './session.ts';
import type { SessionTable } from './session-table.ts';

/** The only place where sessions end, early or at their expiry. */
export type SessionEnder = ReturnType<typeof createSessionEnder>;

const MAX_PER_USER = 10_000;
/** One transaction makes room for this many logins. */
const EVICTED_AT_ONCE = 256;

export function createSessionEnder(
  table: SessionTable,
  deps: {
    readonly store: Pick<SessionStore, 'deleteSessions'>;
    readonly hubClock: HubClock;
    readonly log: Log;
    readonly onRevoked: (sessionId: SessionId, userId: UserId) => void;
    readonly maxPerUser?: number;
  },
) {
  const { store, hubClock, log, onRevoked, maxPerUser = MAX_PER_USER } = deps;
  /** Ended, but not yet on disk. Tried again, so that no restart brings them back. */
  const pending = new Map<SessionId, UserId>();

  const endThose = async (userOfId: ReadonlyMap<SessionId, UserId>): Promise<void> => {
    if (userOfId.size === 0) return;
    const alive = [...userOfId].filter(([id]) => table.remove(id));
    for (const [id, userId] of userOfId) pending.set(id, userId);
    try {
      await store.deleteSessions([...userOfId.keys()]);
      for (const id of userOfId.keys()) pending.delete(id);
    } finally {
      for (const [id, userId] of alive) onRevoked(id, userId);
    }
  };
  const endAll = async (sessions: readonly Session[]): Promise<void> => {
    const userOfId = new Map([...pending, ...sessions.map(({ id, userId }) => [id, userId] as const)]);
    try {
      await endThose(userOfId);
    } catch (cause) {
      log.warn('the end of sessions is not on disk yet', { sessions: userOfId.size, cause });
    }
  };

  return {
    end: async (userId: UserId, ids: readonly SessionId[]): Promise<number> => {
      const own = ids.filter((id) => (table.find(id)?.userId ?? pending.get(id)) === userId);
      // Who tries again after a failure no longer names those that have ended in memory.
      const late = [...pending].filter(([, user]) => user === userId);
      await endThose(new Map([...late, ...own.map((id) => [id, userId] as const)]));
      return own.length;
    },
    /** For sessions whose end is already on disk. */
    forget: (userId: UserId, ids: readonly SessionId[]): void => {
      for (const id of ids) if (table.remove(id)) onRevoked(id, userId);
    },
    /** Ends these, and those that an earlier failure left on disk. Only logs a failure. */
    endAll,
    /** Ends the user's least recently used sessions if there are too many. */
    evict: async (userId: UserId): Promise<void> => {
      const excess = table.countOf(userId) - maxPerUser;
      if (excess <= 0) return;
      const byIdleness = table
        .sessionsOf(userId)
        .map((session) => ({ session, idleMs: idleMsOf(session, hubClock) }))
        .sort((left, right) => right.idleMs - left.idleMs);
      const count = Math.max(excess, Math.min(EVICTED_AT_ONCE, Math.ceil(maxPerUser / 10)));
      await endAll(byIdleness.slice(0, count).map(({ session }) => session));
    },
  };
}

function idleMsOf(session: Session, hubClock: HubClock): number {
  return (hubClock.nowInEpochMs(session.epoch) ?? Number.POSITIVE_INFINITY) - session.lastUsedAtMs;
}
