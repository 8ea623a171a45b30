import type { HubClock } from '#base/time/hub-clock.ts';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { createTurnQueue, type TurnQueue } from '#base/turn-queue.ts';
import type { ChangeGiven } from '#core/person/authorized-change.ts';
import type { User, UserId } from '#core/person/user.ts';
import type { PasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { findPasswordFault } from '#auth/sign-in/password-policy.ts';
import type { SessionId } from '#auth/session/session.ts';
import type { Sessions } from '#auth/session/sessions.ts';
import { createUserTable } from './user-table.ts';

export type NewUser = Pick<User, 'email' | 'name' | 'role'> & { readonly password: string };

/** The peer, for its turn at hashing, and the request field that holds the password, for error pointers. */
export type PasswordSource = { readonly peer: string; readonly pointer: string };

export type UserChange = Partial<Pick<User, 'email' | 'name' | 'role'>> & {
  readonly password?: { readonly text: string; readonly source: PasswordSource };
};

export type NewPassword = Pick<ChangeGiven, 'authorize'> & {
  readonly password: string;
  readonly keep?: SessionId;
  readonly ifHash?: string;
};

/** The hub's users, in memory. Each change is on disk when its promise resolves. Failures are HubErrors. */
export type Accounts = {
  /** In the order in which they were added. */
  readonly users: () => readonly User[];
  readonly findUser: (id: UserId) => User | undefined;
  readonly findUserByEmail: (email: string) => User | undefined;
  /** True once the hub is claimed. */
  readonly hasOwner: () => boolean;
  /** Throws EMAIL_TAKEN, LIMIT_REACHED, what `authorize` throws, and for a bad password what `setPassword` throws. */
  readonly addUser: (fresh: NewUser, source: PasswordSource, authorize?: () => void) => Promise<User>;
  /** Like `addUser`, for the first owner. Throws ALREADY_CLAIMED if the hub has an owner. */
  readonly addFirstOwner: (fresh: Omit<NewUser, 'role'>, source: PasswordSource) => Promise<User>;
  /**
   * Makes the whole change in one transaction. A new password ends all sessions of the user. Throws NOT_FOUND,
   * PRECONDITION_FAILED, EMAIL_TAKEN, LAST_OWNER, and for a bad password what `setPassword` throws.
   */
  readonly updateUser: (id: UserId, change: UserChange, given?: ChangeGiven<User>) => Promise<User>;
  /**
   * Sets the password and ends the user's sessions except `keep`, in one transaction. Throws WEAK_PASSWORD,
   * VALIDATION_FAILED for a wrong length, and what `authorize` throws. With `ifHash` it throws WRONG_PASSWORD if
   * another change came first.
   */
  readonly setPassword: (id: UserId, fresh: NewPassword, source: PasswordSource) => Promise<void>;
  /** Throws what `setPassword` would throw for this password, and stores nothing. */
  readonly checkPassword: (fresh: KnownWithPassword, pointer: string) => void;
  /**
   * Stores a new hash of the same password and ends no session. Does nothing if `ifHash` is no longer the stored hash.
   */
  readonly replaceHash: (id: UserId, passwordHash: string, ifHash: string) => Promise<void>;
  /** Removes the user and all sessions of the user. Throws NOT_FOUND, PRECONDITION_FAILED, LAST_OWNER. */
  readonly removeUser: (id: UserId, given?: ChangeGiven<User>) => Promise<void>;
  /** Runs the task while no account changes. The task must not change one itself: it would wait for its own end. */
  readonly inTurn: TurnQueue;
};

/** What the accounts need from storage. A resolved promise means: on disk, safe from a power cut. */
export type UserStore = {
  readonly loadUsers: () => Promise<readonly User[]>;
  readonly insertUser: (user: User) => Promise<void>;
  /** Writes the user and ends those sessions in one transaction. */
  readonly updateUser: (user: User, endSessions: readonly SessionId[]) => Promise<void>;
  /** Deletes the user with all sessions. */
  readonly deleteUser: (id: UserId) => Promise<void>;
};

export type AccountDeps = {
  readonly store: UserStore;
  readonly sessions: Sessions;
  readonly hasher: PasswordHasher;
  readonly hubClock: HubClock;
  readonly newId: () => string;
  /** The hub's name and host name, which do not count towards the length of a password. */
  readonly hubNames: () => readonly string[];
  /** Called once the removal is on disk, so that the rest of what belongs to this user can be removed too. */
  readonly onRemoved: (id: UserId) => void;
  /** Called once a user's new role is on disk. */
  readonly onRoleChanged: () => void;
};

/** Loads the users from the store. */
export async function openAccounts(deps: AccountDeps): Promise<Accounts> {
  const { store, sessions } = deps;
  const table = createUserTable(await store.loadUsers());
  const inTurn = createTurnQueue();
  const hashNew = (fresh: KnownWithPassword, source: PasswordSource) => hashNewPassword(fresh, source, deps);

  const addUser = async (fresh: NewUser, source: PasswordSource, check: () => void): Promise<User> => {
    const passwordHash = await hashNew(fresh, source);
    return inTurn(async () => {
      check();
      table.requireRoom();
      table.requireEmailFree(fresh.email);
      const user = createUser(fresh, passwordHash, deps);
      await store.insertUser(user);
      table.put(user);
      return user;
    });
  };

  const sessionIdsOf = (id: UserId): SessionId[] => sessions.sessionsOf(id).map((session) => session.id);
  const save = async (user: User, endSessions: readonly SessionId[]): Promise<User> => {
    const changed = { ...user, updatedAtMs: deps.hubClock.nowMs() };
    const isOtherRole = table.find(user.id)?.role !== user.role;
    await store.updateUser(changed, endSessions);
    table.put(changed);
    sessions.forgetSessions(user.id, endSessions);
    if (isOtherRole) deps.onRoleChanged();
    return changed;
  };

  return {
    users: table.users,
    findUser: table.find,
    findUserByEmail: table.findByEmail,
    hasOwner: table.hasOwner,
    inTurn,
    addUser: (fresh, source, authorize = () => undefined) => addUser(fresh, source, authorize),
    addFirstOwner: (fresh, source) =>
      addUser({ ...fresh, role: 'owner' }, source, () => {
        if (table.hasOwner()) throw new HubError('ALREADY_CLAIMED', 'The hub already has an owner.');
      }),
    updateUser: async (id, { password, ...change }, given) => {
      const now = table.requireUser(id);
      const hash = password && (await hashNew({ ...now, ...change, password: password.text }, password.source));
      return inTurn(async () => {
        const user = table.requireUser(id, given);
        if (change.email !== undefined) table.requireEmailFree(change.email, id);
        if (change.role !== undefined && change.role !== 'owner') table.requireOwnerBeside(id);
        const changed = { ...user, ...change, revision: user.revision + 1 };
        if (hash === undefined && !isOther(user, changed)) return user;
        return hash === undefined ? save(changed, []) : save({ ...changed, passwordHash: hash }, sessionIdsOf(id));
      });
    },
    setPassword: async (id, fresh, source) => {
      const passwordHash = await hashNew({ ...table.requireUser(id), ...fresh }, source);
      await inTurn(async () => {
        fresh.authorize?.();
        const user = table.requireUser(id);
        if (fresh.ifHash !== undefined && user.passwordHash !== fresh.ifHash) throw wrongPassword();
        const ended = sessionIdsOf(id).filter((sessionId) => sessionId !== fresh.keep);
        await save({ ...user, passwordHash }, ended);
      });
    },
    checkPassword: (fresh, pointer) => refuseBadPassword(fresh, pointer, deps),
    replaceHash: (id, passwordHash, ifHash) =>
      inTurn(async () => {
        const user = table.find(id);
        if (user === undefined || user.passwordHash !== ifHash) return;
        await store.updateUser({ ...user, passwordHash }, []);
        table.put({ ...user, passwordHash });
      }),
    removeUser: (id, given) =>
      inTurn(async () => {
        const user = table.requireUser(id, given);
        if (user.role === 'owner') table.requireOwnerBeside(id);
        const ended = sessionIdsOf(id);
        await store.deleteUser(id);
        table.remove(id);
        sessions.forgetSessions(id, ended);
        deps.onRemoved(id);
      }),
  };
}

export function wrongPassword(): HubError {
  return new HubError('WRONG_PASSWORD', 'The current password is wrong.', {
    errors: [fieldError('/current_password', 'INVALID_VALUE', 'is not the current password')],
  });
}

function createUser(fresh: NewUser, passwordHash: string, deps: AccountDeps): User {
  const nowMs = deps.hubClock.nowMs();
  const { email, name, role } = fresh;
  const id = deps.newId() as UserId;
  return { id, email, name, role, passwordHash, revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
}

function isOther(left: User, right: User): boolean {
  return left.email !== right.email || left.name !== right.name || left.role !== right.role;
}

type KnownWithPassword = Pick<NewUser, 'email' | 'name' | 'password'>;
const LENGTH_CODES = { too_short: 'TOO_SHORT', too_long: 'TOO_LONG', not_text: 'INVALID_FORMAT' } as const;

async function hashNewPassword(
  fresh: KnownWithPassword,
  source: PasswordSource,
  deps: Pick<AccountDeps, 'hasher' | 'hubNames'>,
): Promise<string> {
  refuseBadPassword(fresh, source.pointer, deps);
  return deps.hasher.hash(fresh.password, source.peer);
}

function refuseBadPassword(
  fresh: KnownWithPassword,
  pointer: string,
  { hubNames }: Pick<AccountDeps, 'hubNames'>,
): void {
  const fault = findPasswordFault(fresh.password, [fresh.email, fresh.name, ...hubNames()]);
  if (fault === undefined) return;
  const { message } = fault;
  if (fault.code === 'guessable') {
    throw new HubError('WEAK_PASSWORD', message, { errors: [fieldError(pointer, 'INVALID_VALUE', message)] });
  }
  throw validationFailed([fieldError(pointer, LENGTH_CODES[fault.code], message)], message);
}
