import type { SessionId } from '#auth/session/session.ts';
import { emailKey, type Role, type User, type UserId } from '#core/person/user.ts';
import type { Database, SqlValue } from '#storage/engine/database.ts';
import { revokeApiTokenRowsOf } from './api-token-table.ts';
import { deleteSessionRows } from './session-table.ts';

/** The accounts: what `UserStore` asks, synchronously. */
export function createUserTable(database: Database) {
  return {
    loadUsers: (): User[] => database.all('SELECT * FROM user ORDER BY id').map((row) => userFromRow(row as UserRow)),
    insertUser: (user: User): void => {
      database.run(
        `INSERT INTO user (id, email, email_key, name, role, password_hash, revision, created_at_ms, updated_at_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [user.id, ...columnsOf(user)],
      );
    },
    updateUser: (user: User, endSessions: readonly SessionId[]): void => {
      database.transaction(() => {
        database.run(
          `UPDATE user SET email = ?, email_key = ?, name = ?, role = ?, password_hash = ?, revision = ?,
           created_at_ms = ?, updated_at_ms = ? WHERE id = ?`,
          [...columnsOf(user), user.id],
        );
        deleteSessionRows(database, endSessions);
      });
    },
    deleteUser: (id: UserId): void =>
      database.transaction(() => {
        revokeApiTokenRowsOf(database, id);
        database.run('DELETE FROM user WHERE id = ?', [id]);
      }),
  };
}

/** Gives the people of one database the passwords that they have in another: one that was changed stays changed. */
export function carryPasswords(from: Database, to: Database): void {
  const rows = from.all('SELECT id, password_hash FROM user');
  to.transaction(() => {
    for (const { id = null, password_hash: hash = null } of rows) {
      to.run('UPDATE user SET password_hash = ? WHERE id = ?', [hash, id]);
    }
  });
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** In KiB; the present cost is 19 MiB and may rise. */
const MAX_MEMORY = 256 * 1024;

/**
 * Whether a password hash from a file of unknown origin is one that the hub can live with. One that cannot be read
 * fails each login, and one of endless cost holds up the logins of all.
 */
export function isPasswordHash(text: string): boolean {
  const [, memory, time, lanes, salt = '', hash = ''] = PHC.exec(text) ?? [];
  return (
    Number(time) >= 1 &&
    Number(lanes) >= 1 &&
    Number(memory) >= 8 * Number(lanes) &&
    Number(memory) <= MAX_MEMORY &&
    [salt, hash].every((part) => Buffer.from(part, 'base64').toString('base64').replaceAll('=', '') === part)
  );
}

type UserRow = {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password_hash: string;
  readonly revision: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

function columnsOf(user: User): SqlValue[] {
  const { email, name, role, passwordHash, revision, createdAtMs, updatedAtMs } = user;
  return [email, emailKey(email), name, role, passwordHash, revision, createdAtMs, updatedAtMs];
}

function userFromRow(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    passwordHash: row.password_hash,
    revision: row.revision,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
