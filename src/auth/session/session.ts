import type { UserId } from '#core/person/user.ts';

declare const sessionId: unique symbol;
export type SessionId = string & { readonly [sessionId]: never };

/** One login of one person on one client. All times are milliseconds as the session's own clock epoch counts them. */
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
  /** Number of the token that is current; 0 at login, and for ever in contract mode. */
  readonly generation: number;
  /** SHA-256 of the current refresh token. */
  readonly tokenHash: Uint8Array;
  /** SHA-256 of the successor once it was handed out and not yet used (rotating mode). */
  readonly nextTokenHash: Uint8Array | null;
  /**
   * When the latest spent tokens were spent, newest first: entry 0 is of `generation - 1`. Only those still in their
   * grace of 60 s are kept, so the list is short (16 at most), and empty in contract mode.
   */
  readonly spentAtMs: readonly number[];
};

/** What the sessions need kept. A resolved promise means: on disk, safe from a power cut (`touchSessions` excepted). */
export type SessionStore = {
  readonly loadSessions: () => Promise<readonly Session[]>;
  /** The sessions that ended because a spent token came back, the latest thousand. */
  readonly loadReusedSessions: () => Promise<readonly SessionId[]>;
  readonly insertReusedSession: (id: SessionId) => Promise<void>;
  readonly insertSession: (session: Session) => Promise<void>;
  /** Does nothing where the session is gone. */
  readonly updateSession: (session: Session) => Promise<void>;
  readonly deleteSessions: (ids: readonly SessionId[]) => Promise<void>;
  /** Last use and address; may lag behind by up to 30 s on disk. */
  readonly touchSessions: (touched: readonly Pick<Session, 'id' | 'lastUsedAtMs' | 'address'>[]) => Promise<void>;
};
