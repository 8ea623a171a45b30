import type { User, UserId } from '#core/person/user.ts';
import type { SessionId } from '#auth/session/session.ts';

/** What the accounts need kept. A resolved promise means: on disk, safe from a power cut. */
export type UserStore = {
  readonly loadUsers: () => Promise<readonly User[]>;
  readonly insertUser: (user: User) => Promise<void>;
  /** Writes the user and ends those sessions in one transaction. */
  readonly updateUser: (user: User, endSessions: readonly SessionId[]) => Promise<void>;
  /** Deletes the user with all sessions. */
  readonly deleteUser: (id: UserId) => Promise<void>;
};
