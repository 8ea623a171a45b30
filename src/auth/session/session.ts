import type { UserId } from '#core/person/user.ts';

declare const sessionId: unique symbol;
export type SessionId = string & { readonly [sessionId]: never };

/** One login of one person on one client. All times are milliseconds in the session's own clock epoch. */
export type Session = {
  readonly id: SessionId;
  readonly userId: UserId;
  /** What the client called itself at login. */
  readonly clientName: string | null;
  /** Socket address of the last use. */
  readonly address: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  /** End of the refresh token: exactly 30 days after the login, never moved. */
  readonly expiresAtMs: number;
  /** Clock epoch in which the login was made. */
  readonly epoch: string;
  readonly rotating: boolean;
  /** Number of the current refresh token: 0 at login. Without rotation it stays 0. */
  readonly generation: number;
  /** SHA-256 of the current refresh token. */
  readonly tokenHash: Uint8Array;
  /** SHA-256 of the successor that the client has received and not yet used (rotating sessions only). */
  readonly nextTokenHash: Uint8Array | null;
  /**
   * When the latest spent tokens were spent, newest first: entry 0 is for `generation - 1`. Holds only those within
   * their grace of 60 s, at most 16. Empty without rotation.
   */
  readonly spentAtMs: readonly number[];
};

/** The store keeps the sessions. A resolved promise means: on disk, safe from a power cut (except `touchSessions`). */
export type SessionStore = {
  readonly loadSessions: () => Promise<readonly Session[]>;
  /** The latest thousand sessions that ended because a spent token came back. */
  readonly loadReusedSessions: () => Promise<readonly SessionId[]>;
  readonly insertReusedSession: (id: SessionId) => Promise<void>;
  readonly insertSession: (session: Session) => Promise<void>;
  /** Does nothing if the session is gone. */
  readonly updateSession: (session: Session) => Promise<void>;
  readonly deleteSessions: (ids: readonly SessionId[]) => Promise<void>;
  /** Writes last use and address. The disk may lag behind by up to 30 s. */
  readonly touchSessions: (touched: readonly Pick<Session, 'id' | 'lastUsedAtMs' | 'address'>[]) => Promise<void>;
};
