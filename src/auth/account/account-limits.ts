import { fieldError, validationFailed } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { HubClock } from '#base/time/hub-clock.ts';
import { canBeLimited, type User, type UserId } from '#core/person/user.ts';
import { faultWords } from '#words/faults.ts';

export type Limits = Pick<User, 'roomIds' | 'validUntilMs'>;

/** People who manage the home cannot be limited: they could take the limit away. */
export function refuseLimits({ role, roomIds, validUntilMs }: Partial<Limits> & Pick<User, 'role'>): void {
  if (canBeLimited(role)) return;
  const isGiven = { '/rooms': (roomIds ?? null) !== null, '/valid_until': (validUntilMs ?? null) !== null };
  const errors = Object.entries(isGiven).flatMap(([pointer, given]) =>
    given ? [fieldError(pointer, 'INVALID_VALUE', ...faultWords('only_guests_are_limited'))] : [],
  );
  if (errors.length > 0) throw validationFailed(errors, `A person with the role ${role} cannot be limited.`);
}

type AccountChange = Partial<Limits & Pick<User, 'email' | 'name' | 'role'>>;

/** A new time opens an account that had ended, unless it is past as well. */
export function changedUser(user: User, change: AccountChange, isOver: (user: User) => boolean): User {
  const isSameRooms = change.roomIds === undefined || hasSameRooms(user.roomIds, change.roomIds);
  const changed = { ...user, ...change, ...(isSameRooms && { roomIds: user.roomIds }), revision: user.revision + 1 };
  return change.validUntilMs === undefined
    ? changed
    : { ...changed, hasEnded: isOver({ ...changed, hasEnded: false }) };
}

function hasSameRooms(left: User['roomIds'], right: User['roomIds']): boolean {
  if (left === null || right === null) return left === right;
  return left.size === right.size && [...left].every((id) => right.has(id));
}

const SHOWN = ['email', 'name', 'role', 'roomIds', 'validUntilMs', 'hasEnded'] as const;

export function isOther(left: User, right: User): boolean {
  return SHOWN.some((field) => left[field] !== right[field]);
}

/** Decides when the time of a person is over. See `Accounts` for what its members do. */
export function createAccountEnd(deps: {
  readonly hubClock: Pick<HubClock, 'nowMs'>;
  readonly users: () => readonly User[];
  /** Writes the end of this user, unless it is not due any more. */
  readonly end: (id: UserId, isDue: (user: User) => boolean) => Promise<void>;
  readonly log: Log;
}) {
  const isOver = ({ validUntilMs, hasEnded }: User): boolean =>
    hasEnded || (validUntilMs !== null && deps.hubClock.nowMs() >= validUntilMs);
  const isDue = (user: User): boolean => !user.hasEnded && isOver(user);
  let isFailing = false;
  const endAll = async (): Promise<void> => {
    for (const { id } of deps.users().filter(isDue)) {
      try {
        await deps.end(id, isDue);
        isFailing = false;
      } catch (cause) {
        if (!isFailing) deps.log.warn('the end of an account is not on disk yet: it is closed all the same', { cause });
        isFailing = true;
      }
    }
  };
  let ending: Promise<void> | undefined;
  return {
    isOver,
    endOver: (): Promise<void> => {
      ending ??= endAll().finally(() => (ending = undefined));
      return ending;
    },
  };
}
