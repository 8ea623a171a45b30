import { HubError, requireThing } from '#base/hub-error.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { emailKey, type User, type UserId } from '#core/person/user.ts';
import { limit } from '#words/limits.ts';

/**
 * The users in memory, and the rules that hold between them. Each `require…` throws the HubErrors that its comment
 * names.
 */
export type UserTable = ReturnType<typeof createUserTable>;

const MAX_USERS = 1_000;

export function createUserTable(loaded: readonly User[]) {
  const byId = new Map<UserId, User>();
  const idByEmail = new Map<string, UserId>();
  const isOwner = (user: User): boolean => user.role === 'owner';

  const remove = (id: UserId): void => {
    const user = byId.get(id);
    if (user === undefined) return;
    byId.delete(id);
    idByEmail.delete(emailKey(user.email));
  };
  const put = (user: User): void => {
    const before = byId.get(user.id);
    if (before !== undefined) idByEmail.delete(emailKey(before.email));
    byId.set(user.id, user);
    idByEmail.set(emailKey(user.email), user.id);
  };
  for (const user of loaded) put(user);

  return {
    users: (): readonly User[] => [...byId.values()],
    find: (id: UserId): User | undefined => byId.get(id),
    findByEmail: (email: string): User | undefined => {
      const id = idByEmail.get(emailKey(email));
      return id === undefined ? undefined : byId.get(id);
    },
    hasOwner: (): boolean => [...byId.values()].some(isOwner),
    put,
    remove,
    /** NOT_FOUND, PRECONDITION_FAILED, and what `authorize` throws. */
    requireUser: (id: UserId, { authorize, ifRevision }: ChangeTerms<User> = {}): User => {
      const user = requireThing(byId.get(id), 'user');
      authorize?.(user);
      if (ifRevision === undefined || ifRevision === user.revision) return user;
      throw new HubError('PRECONDITION_FAILED', `The account is at revision ${user.revision}.`);
    },
    /** EMAIL_TAKEN if a user other than `id` has this address. */
    requireEmailFree: (email: string, id?: UserId): void => {
      const taker = idByEmail.get(emailKey(email));
      if (taker === undefined || taker === id) return;
      throw new HubError('EMAIL_TAKEN', 'Another account has this e-mail address.');
    },
    /** LIMIT_REACHED if there is no room for another user. */
    requireRoom: (): void => {
      if (byId.size >= MAX_USERS) {
        const reason = limit('most', { most: MAX_USERS });
        throw new HubError('LIMIT_REACHED', `There can be at most ${MAX_USERS} accounts.`, { reason });
      }
    },
    /** LAST_OWNER if `id` is the only owner. */
    requireOwnerBeside: (id: UserId): void => {
      if ([...byId.values()].some((user) => isOwner(user) && user.id !== id)) return;
      throw new HubError('LAST_OWNER', 'The last owner can neither be removed nor get another role.');
    },
  };
}
