import type { UserId } from '#core/person/user.ts';
import type { Session, SessionId } from './session.ts';

type SessionUse = Pick<Session, 'id' | 'lastUsedAtMs' | 'address'>;

/** The live sessions by id and by user. Last uses are stored beside them, so that a request copies no session. */
export type SessionTable = ReturnType<typeof createSessionTable>;

export function createSessionTable(loaded: readonly Session[]) {
  const sessions = new Map<SessionId, Session>();
  const idsOfUser = new Map<UserId, Set<SessionId>>();
  const uses = new Map<SessionId, { lastUsedAtMs: number; address: string }>();

  const put = (session: Session): void => {
    sessions.set(session.id, session);
    const ids = idsOfUser.get(session.userId) ?? new Set();
    idsOfUser.set(session.userId, ids.add(session.id));
  };
  const withUse = (session: Session): Session => ({ ...session, ...uses.get(session.id) });
  for (const session of loaded) put(session);

  return {
    /** Its `lastUsedAtMs` may be outdated. `sessionsOf` and `withUse` return the exact one. */
    find: (id: SessionId): Session | undefined => sessions.get(id),
    all: (): Iterable<Session> => sessions.values(),
    sessionsOf: (userId: UserId): readonly Session[] =>
      [...(idsOfUser.get(userId) ?? [])].flatMap((id) => {
        const session = sessions.get(id);
        return session === undefined ? [] : [withUse(session)];
      }),
    countOf: (userId: UserId): number => idsOfUser.get(userId)?.size ?? 0,
    withUse,
    put,
    /** True if it was there. */
    remove: (id: SessionId): boolean => {
      const session = sessions.get(id);
      if (session === undefined) return false;
      sessions.delete(id);
      uses.delete(id);
      const ids = idsOfUser.get(session.userId);
      ids?.delete(id);
      if (ids?.size === 0) idsOfUser.delete(session.userId);
      return true;
    },
    touch: (id: SessionId, lastUsedAtMs: number, address: string): void => {
      const use = uses.get(id);
      if (use === undefined) uses.set(id, { lastUsedAtMs, address });
      else Object.assign(use, { lastUsedAtMs, address });
    },
    /** Uses since the last call. */
    takeTouched: (): readonly SessionUse[] => {
      const touched = [...uses].map(([id, use]) => ({ id, ...use }));
      for (const use of touched) {
        const session = sessions.get(use.id);
        if (session !== undefined) sessions.set(use.id, { ...session, ...use });
      }
      uses.clear();
      return touched;
    },
  };
}
