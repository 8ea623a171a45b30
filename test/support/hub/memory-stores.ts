import type { ApiToken, ApiTokenId, ApiTokenStore } from '#auth/token/api-token.ts';
import type { Session, SessionId, SessionStore } from '#auth/session/session.ts';
import type { UserStore } from '#auth/account/accounts.ts';
import type { User, UserId } from '#core/person/user.ts';

export type MemoryStores = {
  readonly users: Map<UserId, User>;
  readonly sessions: Map<SessionId, Session>;
  readonly userStore: UserStore;
  readonly sessionStore: SessionStore;
  readonly apiTokens: Map<ApiTokenId, ApiToken>;
  readonly apiTokenStore: ApiTokenStore;
  /** Names of the calls that wrote, in order. */
  readonly writes: string[];
  /** While set, every write rejects with it. */
  failWith: Error | undefined;
};

/** The store ports over maps, which survive a restart of their users. */
export function createMemoryStores(): MemoryStores {
  const users = new Map<UserId, User>();
  const sessions = new Map<SessionId, Session>();
  const reused = new Set<SessionId>();
  const apiTokens = new Map<ApiTokenId, ApiToken>();
  const writes: string[] = [];
  const endThose = (ids: readonly SessionId[]): void => {
    for (const id of ids) sessions.delete(id);
  };
  /** A write takes effect later than the call, as on a disk, but in the order of the calls. */
  const write = async (name: string, change: () => void): Promise<void> => {
    await Promise.resolve();
    if (stores.failWith !== undefined) throw stores.failWith;
    writes.push(name);
    change();
  };
  const stores: MemoryStores = {
    users,
    sessions,
    apiTokens,
    writes,
    failWith: undefined,
    userStore: {
      loadUsers: async () => [...users.values()],
      insertUser: (user) => write('insertUser', () => void users.set(user.id, user)),
      updateUser: (user, ended) =>
        write('updateUser', () => {
          users.set(user.id, user);
          endThose(ended);
          for (const token of apiTokens.values())
            if (user.hasEnded && token.userId === user.id) apiTokens.delete(token.id);
        }),
      deleteUser: (id) =>
        write('deleteUser', () => {
          users.delete(id);
          endThose([...sessions.values()].flatMap((session) => (session.userId === id ? [session.id] : [])));
          for (const token of apiTokens.values()) if (token.userId === id) apiTokens.delete(token.id);
        }),
    },
    apiTokenStore: {
      loadApiTokens: async () => [...apiTokens.values()],
      insertApiToken: (token) => write('insertApiToken', () => void apiTokens.set(token.id, token)),
      deleteApiTokens: (ids) =>
        write('deleteApiTokens', () => {
          for (const id of ids) apiTokens.delete(id);
        }),
      touchApiTokens: (uses) =>
        write('touchApiTokens', () => {
          for (const use of uses) {
            const token = apiTokens.get(use.id);
            if (token !== undefined) apiTokens.set(use.id, { ...token, ...use });
          }
        }),
    },
    sessionStore: {
      loadSessions: async () => [...sessions.values()],
      loadReusedSessions: async () => [...reused],
      insertReusedSession: (id) => write('insertReusedSession', () => void reused.add(id)),
      insertSession: (session) => write('insertSession', () => void sessions.set(session.id, session)),
      updateSession: (session) =>
        write('updateSession', () => {
          if (sessions.has(session.id)) sessions.set(session.id, session);
        }),
      deleteSessions: (ids) => write('deleteSessions', () => endThose(ids)),
      touchSessions: (touched) =>
        write('touchSessions', () => {
          for (const use of touched) {
            const session = sessions.get(use.id);
            if (session !== undefined) sessions.set(use.id, { ...session, ...use });
          }
        }),
    },
  };
  return stores;
}
