import type { SessionId } from '#auth/session/session.ts';
import { parseJson } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import { emailKey, ROLES, type User, type UserId } from '#core/person/user.ts';
import type { RoomId } from '#core/room/room.ts';
import type { Database, SqlRow, SqlValue } from '#storage/engine/database.ts';
import { StorageRefusal } from '#storage/engine/storage-failure.ts';
import { revokeApiTokenRowsOf } from './api-token-table.ts';
import { columnsOf, flag, insertSql, jsonOf, plain, updateSql } from '#storage/tables/columns.ts';
import { read, write } from '#storage/tables/operation.ts';
import { deleteSessionRows } from './session-table.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

const COLUMNS = columnsOf<User>({
  id: plain('id'),
  email: plain('email'),
  name: plain('name'),
  role: plain('role'),
  passwordHash: plain('password_hash'),
  roomIds: {
    name: 'room_ids',
    toSql: (rooms) => (rooms === null ? null : JSON.stringify([...rooms])),
    fromSql: (stored) => (stored === null ? null : new Set(jsonOf(stored) as RoomId[])),
  },
  validUntilMs: plain('valid_until_ms'),
  hasEnded: flag('has_ended'),
  revision: plain('revision'),
  createdAtMs: plain('created_at_ms'),
  updatedAtMs: plain('updated_at_ms'),
});
const NAMES = [...COLUMNS.names, 'email_key'];
const INSERT = insertSql('user', NAMES);
const UPDATE = updateSql('user', NAMES);

function valuesOf(user: User): SqlValue[] {
  return [...COLUMNS.valuesOf(user), emailKey(user.email)];
}

export const userTable = {
  open: openUsers,
  checks: [
    { since: 4, table: 'user', integers: ['revision'] },
    { since: 1, table: 'user', findFault: findBadPassword },
    { since: 15, table: 'user', findFault: findBadLimits },
    { since: 15, table: 'user', isGood: isGoodRow, mend: mendRow, isOfLoading: true },
  ],
  carryOver: (live, restored) => {
    carryPasswords(live, restored);
    carryLimits(live, restored);
  },
} satisfies StoredNoun;

function openUsers({ database, sound }: NounDeps) {
  return {
    loadUsers: read((): User[] => {
      const rows = database.all('SELECT * FROM user ORDER BY id');
      if (!rows.some(isOwner) && (rows.length > 0 || hasUserAside(database)))
        throw new StorageRefusal('no_owner', NO_OWNER);
      return sound('user', rows).map(COLUMNS.fromRow);
    }),
    insertUser: write((user: User): void => void database.run(INSERT, valuesOf(user))),
    updateUser: write((user: User, endSessions: readonly SessionId[]): void =>
      database.transaction(() => {
        database.run(UPDATE, [...valuesOf(user), user.id]);
        deleteSessionRows(database, endSessions);
        if (user.hasEnded) revokeApiTokenRowsOf(database, user.id);
      }),
    ),
    deleteUser: write((id: UserId): void =>
      database.transaction(() => {
        revokeApiTokenRowsOf(database, id);
        database.run('DELETE FROM user WHERE id = ?', [id]);
      }),
    ),
  };
}

/** The hub must not become claimable because it cannot read who owns it. */
const NO_OWNER =
  'there are people in the database, but none that can be read as the owner: restore a backup with hearthd restore';

function isOwner({ role }: SqlRow): boolean {
  return role === 'owner';
}

function hasUserAside(database: Database): boolean {
  return database.get("SELECT 1 FROM set_aside WHERE noun = 'user' AND part_of IS NULL LIMIT 1") !== undefined;
}

/** No password has this hash. */
const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** A new password mends that of anybody; an owner must stay one, with no limits. */
function mendRow(row: SqlRow): SqlRow | undefined {
  const mended: SqlRow = {
    ...row,
    ...(!isPasswordHash(String(row['password_hash'])) && { password_hash: NO_PASSWORD }),
    ...(isOwner(row) && { ...NO_LIMITS, ...(!isCount(row['revision']) && { revision: 1 }) }),
  };
  return isGoodRow(mended) ? mended : undefined;
}

const NO_LIMITS = { room_ids: null, valid_until_ms: null, has_ended: 0 };

function isGoodRow(row: SqlRow): boolean {
  const { role, room_ids: rooms = null, revision, password_hash: hash } = row;
  return (
    ROLES.some((known) => known === role) &&
    isPasswordHash(String(hash)) &&
    isCount(revision) &&
    (isOwner(row)
      ? Object.entries(NO_LIMITS).every(([column, value]) => row[column] === value)
      : rooms === null || isIds(parseJson(String(rooms))))
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether a hub with this database has an owner to administer it. */
export function hasOwnerRow(database: Database): boolean {
  return database.get("SELECT id FROM user WHERE role = 'owner' LIMIT 1") !== undefined;
}

/** A password that was changed since the backup stays changed. */
function carryPasswords(live: Database, restored: Database): void {
  const rows = live.all('SELECT id, password_hash FROM user');
  restored.transaction(() => {
    for (const { id = null, password_hash: hash = null } of rows) {
      restored.run('UPDATE user SET password_hash = ? WHERE id = ?', [hash, id]);
    }
  });
}

const LIMITED = "role IN ('resident', 'guest')";

/** Limits are those of now, so that no backup opens the home to a guest whose time is over. */
function carryLimits(live: Database, restored: Database): void {
  const rows = live.all(`SELECT id, room_ids, valid_until_ms, has_ended FROM user WHERE ${LIMITED}`);
  restored.transaction(() => {
    for (const { id = null, room_ids: rooms = null, valid_until_ms: until = null, has_ended: ended = 0 } of rows) {
      restored.run(`UPDATE user SET room_ids = ?, valid_until_ms = ?, has_ended = ? WHERE id = ? AND ${LIMITED}`, [
        rooms,
        until,
        ended,
        id,
      ]);
    }
  });
}

/** A limit that cannot be read fails the start, and one of an owner could leave the hub without anyone to manage it. */
function findBadLimits(database: Database): string | undefined {
  const rows = database.all(`SELECT role, room_ids, valid_until_ms, has_ended FROM user`);
  const isGood = rows.every(({ role, room_ids: rooms = null, valid_until_ms: untilMs = null, has_ended: ended }) => {
    if (role === 'owner' || role === 'admin') return rooms === null && untilMs === null && ended === 0;
    return rooms === null || isIds(parseJson(String(rooms)));
  });
  return isGood ? undefined : 'The limits of a person in it cannot be read.';
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && isUuid(id));
}

function findBadPassword(database: Database): string | undefined {
  const hashes = database.all('SELECT password_hash FROM user').map((row) => String(row['password_hash']));
  return hashes.every(isPasswordHash) ? undefined : 'A password in it cannot be read.';
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** In KiB; the present cost is 19 MiB and may rise. */
const MAX_MEMORY = 256 * 1024;

/** A hash that cannot be read fails each login of its user; one that costs too much delays all logins. */
function isPasswordHash(text: string): boolean {
  const [, memory, time, lanes, salt = '', hash = ''] = PHC.exec(text) ?? [];
  return (
    Number(time) >= 1 &&
    Number(lanes) >= 1 &&
    Number(memory) >= 8 * Number(lanes) &&
    Number(memory) <= MAX_MEMORY &&
    [salt, hash].every((part) => Buffer.from(part, 'base64').toString('base64').replaceAll('=', '') === part)
  );
}
