import { type HubClock, hubTimeShiftMs } from '#base/time/hub-clock.ts';
import type { Log } from '#base/log.ts';
import type { UserId } from '#core/person/user.ts';
import { ACCESS_TOKEN_S } from './access-token.ts';
import { refreshSession, spendToken, type RefreshOutcome } from './refresh.ts';
import { hashRefreshToken, type RefreshToken, type RefreshTokens } from './refresh-token.ts';
import type { Session, SessionId, SessionStore } from './session.ts';
import { createSessionEnder, type SessionEnder } from './session-ender.ts';
import { createSessionTable, type SessionTable } from './session-table.ts';

export type NewSession = Pick<Session, 'userId' | 'clientName' | 'address' | 'rotating'>;

/** All live sessions, in memory. What must outlive a restart goes through the store. */
export type Sessions = Awaited<ReturnType<typeof openSessions>>;

type SessionDeps = {
  readonly store: SessionStore;
  readonly tokens: RefreshTokens;
  readonly hubClock: HubClock;
  readonly newId: () => string;
  readonly log: Log;
  /** Called once the end is on disk, or the write has failed: the session has ended either way. */
  readonly onRevoked: (sessionId: SessionId, userId: UserId) => void;
  readonly maxPerUser?: number;
};

export const REFRESH_TOKEN_S = 2_592_000;

/** Loads the sessions from the store. */
export async function openSessions(deps: SessionDeps) {
  const { hubClock } = deps;
  const table = createSessionTable(await deps.store.loadSessions());
  const ender = createSessionEnder(table, deps);
  const reused = new Set(await deps.store.loadReusedSessions());
  const noteReuse = async (id: SessionId): Promise<void> => {
    reused.add(id);
    try {
      await deps.store.insertReusedSession(id);
    } catch (cause) {
      deps.log.warn(
        'the reuse of a refresh token could not be stored: after a restart the hub will not know that it was copied',
        {
          session: id,
          cause,
        },
      );
    }
  };

  return {
    /** `undefined` once the session has ended, for any reason. */
    findSession: table.find,
    /** The most recently used first, with all times in the hub's present time. */
    sessionsOf: (userId: UserId): readonly Session[] =>
      table
        .sessionsOf(userId)
        .map((session) => inHubTime(session, hubClock))
        .sort((left, right) => right.lastUsedAtMs - left.lastUsedAtMs || (left.id < right.id ? 1 : -1)),
    /**
     * The answer must not be sent before `onDisk`. Ends the user's least recently used sessions if there are too many.
     */
    startSession: (fresh: NewSession): { session: Session; token: RefreshToken; onDisk: Promise<void> } => {
      const started = createSession(fresh, deps);
      const keep = async (): Promise<void> => {
        await deps.store.insertSession(started.session);
        table.put(started.session);
        await ender.evict(fresh.userId);
      };
      return { ...started, onDisk: keep() };
    },
    /** Applies one use of a refresh token. What it grants is on disk when the promise resolves. */
    refresh: async (token: RefreshToken, address: string): Promise<RefreshOutcome> => {
      const outcome = await refreshInTable(table, ender, { ...deps, token, address });
      if (outcome.kind === 'reused') await noteReuse(token.sessionId);
      return outcome;
    },
    /** The hub issued this token to this user at some time. */
    isGenuine: deps.tokens.isGenuine,
    /**
     * As `isGenuine`, and the token's session did not end because a spent token came back (a copy exists). Serves only to
     * recognise clients: it grants no access.
     */
    isOfKnownClient: (token: RefreshToken, userId: UserId): boolean =>
      !reused.has(token.sessionId) && deps.tokens.isGenuine(token, userId),
    /**
     * Records one use of an access token without waiting for the disk. False if the session has ended. `generation` is
     * that of the refresh token issued with it: the refresh token before that one is now spent.
     */
    noteUse: (id: SessionId, generation: number, address: string): boolean => {
      const session = table.find(id);
      const nowMs = session && hubClock.nowInEpochMs(session.epoch);
      if (session === undefined || nowMs === undefined) return false;
      table.touch(id, nowMs, address);
      const spent = session.rotating ? spendToken(session, generation, nowMs) : undefined;
      if (spent !== undefined) {
        table.put(spent);
        // A failure loses nothing: the disk still has this token as the pending successor, which works as well.
        deps.store.updateSession(table.withUse(spent)).catch((cause: unknown) => {
          deps.log.warn('writing a session failed', { session: id, cause });
        });
      }
      return true;
    },
    /**
     * Ends those of these sessions that are the user's, and returns their number. They end at once. Rejects if the write
     * fails: the same call then tries again.
     */
    endSessions: ender.end,
    /** For sessions whose end is already on disk, as part of a change of their user. */
    forgetSessions: ender.forget,
    /** Ends expired sessions and writes last uses. To be called about hourly, and before the store closes. */
    upkeep: async (): Promise<void> => {
      const expired = [...table.all()].filter((session) => isOver(session, hubClock));
      await ender.endAll(expired);
      const touched = table.takeTouched();
      if (touched.length > 0) await deps.store.touchSessions(touched);
    },
  };
}

function createSession(fresh: NewSession, deps: SessionDeps): { session: Session; token: RefreshToken } {
  const id = deps.newId() as SessionId;
  const nowMs = deps.hubClock.nowMs();
  const token = deps.tokens.first({ id, userId: fresh.userId });
  const session: Session = {
    ...fresh,
    id,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
    expiresAtMs: nowMs + REFRESH_TOKEN_S * 1000,
    epoch: deps.hubClock.epoch(),
    generation: 0,
    tokenHash: hashRefreshToken(token),
    nextTokenHash: null,
    spentAtMs: [],
  };
  return { session, token };
}

async function refreshInTable(
  table: SessionTable,
  ender: SessionEnder,
  deps: SessionDeps & { readonly token: RefreshToken; readonly address: string },
): Promise<RefreshOutcome> {
  const { token, address, log } = deps;
  const session = table.find(token.sessionId);
  const nowMs = session && deps.hubClock.nowInEpochMs(session.epoch);
  if (session === undefined || nowMs === undefined) return { kind: 'refused' };
  const outcome = refreshSession(session, token, { tokens: deps.tokens, nowMs });
  if (nowMs >= session.expiresAtMs) await deps.hubClock.confirmPast(session.epoch, session.expiresAtMs);
  if (outcome.kind === 'reused') {
    log.warn('a spent refresh token came back: its session was ended', { session: session.id, peer: address });
    await ender.endAll([session]);
  }
  if (outcome.kind !== 'granted') return outcome;
  table.touch(session.id, nowMs, address);
  if (outcome.session !== session) {
    // Memory first, so that writes keep the order of the changes. If this write fails, the client does not get the
    // successor, and the next try derives the same one.
    table.put(outcome.session);
    await deps.store.updateSession(table.withUse(outcome.session));
    if (table.find(session.id) === undefined) return { kind: 'refused' };
  }
  return outcome;
}

/** An access token issued in the last minute of the refresh token is still valid for 24 hours. */
function isOver(session: Session, hubClock: HubClock): boolean {
  const nowMs = hubClock.nowInEpochMs(session.epoch);
  return nowMs === undefined || nowMs >= session.expiresAtMs + ACCESS_TOKEN_S * 1000;
}

function inHubTime(session: Session, hubClock: HubClock): Session {
  const shiftMs = hubTimeShiftMs(hubClock, session.epoch);
  return {
    ...session,
    createdAtMs: session.createdAtMs + shiftMs,
    lastUsedAtMs: session.lastUsedAtMs + shiftMs,
    expiresAtMs: session.expiresAtMs + shiftMs,
  };
}
