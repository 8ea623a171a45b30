import type { HubClock } from '#base/time/hub-clock.ts';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createTurnQueue, type TurnQueue } from '#base/turn-queue.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { User, UserId } from '#core/person/user.ts';
import type { PasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { findPasswordFault } from '#auth/sign-in/password-policy.ts';
import type { SessionId } from '#auth/session/session.ts';
import type { Sessions } from '#auth/session/sessions.ts';
import { changedUser, createAccountEnd, isOther, type Limits, refuseLimits } from './account-limits.ts';
import { createUserTable, type UserTable } from './user-table.ts';
import { faultWords } from '#words/faults.ts';

export type NewUser = Pick<User, 'email' | 'name' | 'role'> & Partial<Limits> & { readonly password: string };

/** The peer, for its turn at hashing, and the request field that holds the password, for error pointers. */
export type PasswordSource = { readonly peer: string; readonly pointer: string };

export type UserChange = Partial<Pick<User, 'email' | 'name' | 'role'> & Limits> & {
  readonly password?: { readonly text: string; readonly source: PasswordSource };
};

type NewPassword = Pick<ChangeTerms, 'authorize'> & {
  readonly password: string;
  readonly keep?: SessionId;
  readonly ifHash?: string;
};

/** The hub's users, in memory. Each change is on disk when its promise resolves. Failures are HubErrors. */
export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** The store keeps the users. A resolved promise means: on disk, safe from a power cut. */
export type UserStore = {
  readonly loadUsers: () => Promise<readonly User[]>;
  readonly insertUser: (user: User) => Promise<void>;
  /** Writes the user and ends those sessions in one transaction, and the API tokens of a user who has ended. */
  readonly updateUser: (user: User, endSessions: readonly SessionId[]) => Promise<void>;
  readonly deleteUser: (id: UserId) => Promise<void>;
};

type AccountDeps = {
  readonly store: UserStore;
  readonly sessions: Sessions;
  readonly hasher: PasswordHasher;
  readonly hubClock: HubClock;
  readonly newId: () => string;
  /** The hub's name and host name, which do not count towards the length of a password. */
  readonly hubNames: () => readonly string[];
  /** Called once it is on disk that all of the user's API tokens have ended, so that they are forgotten too. */
  readonly onTokensEnded: (id: UserId) => void;
  /** Called once a user's new role or limits are on disk. */
  readonly onRightsChanged: (changed: User) => void;
  /** Called once it is on disk that the time of this user is over. */
  readonly onEnded: (id: UserId) => void;
  readonly log: Log;
};

/** Loads the users from the store. */
export async function openAccounts(deps: AccountDeps) {
  const { store, sessions } = deps;
  const table = createUserTable(await store.loadUsers());
  const inTurn = createTurnQueue();
  const hashNew = (fresh: KnownWithPassword, source: PasswordSource) => hashNewPassword(fresh, source, deps);

  const addUser = async (fresh: NewUser, source: PasswordSource, check: () => void): Promise<User> => {
    const passwordHash = await hashNew(fresh, source);
    return inTurn(async () => {
      check();
      refuseLimits(fresh);
      table.requireRoom();
      table.requireEmailFree(fresh.email);
      const user = createUser(fresh, passwordHash, deps);
      await store.insertUser(user);
      table.put(user);
      return user;
    });
  };

  const writer = createAccountWriter(table, inTurn, deps);
  const { save, sessionIdsOf } = writer;
  const { isOver, endOver } = createAccountEnd({ ...deps, users: table.users, end: writer.end });

  return {
    /** In the order in which they were added. */
    users: table.users,
    findUser: table.find,
    findUserByEmail: table.findByEmail,
    /** True once the hub is claimed. */
    hasOwner: table.hasOwner,
    /** Runs the task while no account changes. The task must not change one itself: it would wait for its own end. */
    inTurn,
    /** Whether the time of this person is over: the account gets nobody in, whatever is stored. */
    isOver,
    /**
     * Ends the sessions and API tokens of everyone whose time is over, for good. Never rejects: what is not on disk is
     * tried again with the next call. To be called every few seconds.
     */
    endOver,
    /** Throws EMAIL_TAKEN, LIMIT_REACHED, VALIDATION_FAILED for limits of a role that has none, what `authorize` throws, and for a bad password what `setPassword` throws. */
    addUser: (fresh: NewUser, source: PasswordSource, authorize: () => void = () => undefined): Promise<User> =>
      addUser(fresh, source, authorize),
    /** Like `addUser`, for the first owner. Throws ALREADY_CLAIMED if the hub has an owner. */
    addFirstOwner: (fresh: Omit<NewUser, 'role'>, source: PasswordSource): Promise<User> =>
      addUser({ ...fresh, role: 'owner' }, source, () => {
        if (table.hasOwner()) throw new HubError('ALREADY_CLAIMED', 'The hub already has an owner.');
      }),
    /**
     * Makes the whole change in one transaction. A new password ends all sessions of the user; a time that is past ends
     * the API tokens too, and any other time opens the account again. Throws NOT_FOUND, PRECONDITION_FAILED, EMAIL_TAKEN,
     * LAST_OWNER, VALIDATION_FAILED for limits of a role that has none, and for a bad password what `setPassword` throws.
     */
    updateUser: async (id: UserId, { password, ...change }: UserChange, terms?: ChangeTerms<User>): Promise<User> => {
      const now = table.requireUser(id);
      const hash = password && (await hashNew({ ...now, ...change, password: password.text }, password.source));
      // A new time must not keep what the old one has ended.
      await endOver();
      return inTurn(async () => {
        const user = table.requireUser(id, terms);
        if (change.email !== undefined) table.requireEmailFree(change.email, id);
        if (change.role !== undefined && change.role !== 'owner') table.requireOwnerBeside(id);
        const changed = changedUser(user, change, isOver);
        refuseLimits(changed);
        if (hash === undefined && !isOther(user, changed)) return user;
        const ended = hash === undefined && !changed.hasEnded ? [] : sessionIdsOf(id);
        return save(hash === undefined ? changed : { ...changed, passwordHash: hash }, ended);
      });
    },
    /**
     * Sets the password and ends the user's sessions except `keep`, in one transaction. Throws WEAK_PASSWORD,
     * VALIDATION_FAILED for a wrong length, and what `authorize` throws. With `ifHash` it throws WRONG_PASSWORD if
     * another change came first.
     */
    setPassword: async (id: UserId, fresh: NewPassword, source: PasswordSource): Promise<void> => {
      const passwordHash = await hashNew({ ...table.requireUser(id), ...fresh }, source);
      await inTurn(async () => {
        fresh.authorize?.();
        const user = table.requireUser(id);
        if (fresh.ifHash !== undefined && user.passwordHash !== fresh.ifHash) throw wrongPassword();
        const ended = sessionIdsOf(id).filter((sessionId) => sessionId !== fresh.keep);
        await save({ ...user, passwordHash }, ended);
      });
    },
    /** Throws what `setPassword` would throw for this password, and stores nothing. */
    checkPassword: (fresh: KnownWithPassword, pointer: string): void => refuseBadPassword(fresh, pointer, deps),
    /**
     * Stores a new hash of the same password and ends no session. Does nothing if `ifHash` is no longer the stored hash.
     */
    replaceHash: (id: UserId, passwordHash: string, ifHash: string): Promise<void> =>
      inTurn(async () => {
        const user = table.find(id);
        if (user === undefined || user.passwordHash !== ifHash) return;
        await store.updateUser({ ...user, passwordHash }, []);
        table.put({ ...user, passwordHash });
      }),
    /** Removes the user and all sessions of the user. Throws NOT_FOUND, PRECONDITION_FAILED, LAST_OWNER. */
    removeUser: (id: UserId, terms?: ChangeTerms<User>): Promise<void> =>
      inTurn(async () => {
        const user = table.requireUser(id, terms);
        if (user.role === 'owner') table.requireOwnerBeside(id);
        const ended = sessionIdsOf(id);
        await store.deleteUser(id);
        table.remove(id);
        sessions.forgetSessions(id, ended);
        deps.onTokensEnded(id);
      }),
  };
}

function createAccountWriter(table: UserTable, inTurn: TurnQueue, deps: AccountDeps) {
  const { store, sessions, hubClock } = deps;
  const sessionIdsOf = (id: UserId): readonly SessionId[] => sessions.sessionsOf(id).map((session) => session.id);
  const save = async (user: User, endSessions: readonly SessionId[]): Promise<User> => {
    const changed = { ...user, updatedAtMs: hubClock.nowMs() };
    const before = table.find(user.id);
    await store.updateUser(changed, endSessions);
    table.put(changed);
    sessions.forgetSessions(user.id, endSessions);
    if (before?.role !== user.role || before.roomIds !== user.roomIds) deps.onRightsChanged(changed);
    if (changed.hasEnded) deps.onTokensEnded(user.id);
    if (changed.hasEnded && before?.hasEnded !== true) deps.onEnded(user.id);
    return changed;
  };
  return {
    sessionIdsOf,
    /** Writes the user and the end of those sessions, then tells whom it concerns. */
    save,
    /** Closes the account in its turn, unless it is not due any more. */
    end: (id: UserId, isDue: (user: User) => boolean): Promise<void> =>
      inTurn(async () => {
        const user = table.find(id);
        if (user === undefined || !isDue(user)) return;
        await save({ ...user, hasEnded: true, revision: user.revision + 1 }, sessionIdsOf(id));
      }),
  };
}

export function wrongPassword(): HubError {
  return new HubError('WRONG_PASSWORD', 'The current password is wrong.', {
    errors: [fieldError('/current_password', 'INVALID_VALUE', ...faultWords('not_the_password'))],
  });
}

function createUser(fresh: NewUser, passwordHash: string, deps: AccountDeps): User {
  const nowMs = deps.hubClock.nowMs();
  const { email, name, role, roomIds = null, validUntilMs = null } = fresh;
  const id = deps.newId() as UserId;
  const limits = { roomIds, validUntilMs, hasEnded: validUntilMs !== null && nowMs >= validUntilMs };
  return { id, email, name, role, ...limits, passwordHash, revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
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
  const { message, reason } = fault;
  if (fault.code === 'guessable') {
    throw new HubError('WEAK_PASSWORD', message, {
      errors: [fieldError(pointer, 'INVALID_VALUE', message, reason)],
      reason,
    });
  }
  throw validationFailed([fieldError(pointer, LENGTH_CODES[fault.code], message, reason)], message);
}
