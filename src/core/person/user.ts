import type { RoomId } from '#core/room/room.ts';

declare const userId: unique symbol;
export type UserId = string & { readonly [userId]: never };

export const ROLES = ['owner', 'admin', 'resident', 'guest'] as const;
export type Role = (typeof ROLES)[number];

export type User = {
  readonly id: UserId;
  /** As the person typed it; compared by `emailKey`. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** PHC string of argon2id. */
  readonly passwordHash: string;
  /** The rooms that are the whole home for this person; `null` for no limit. A removed room stays and covers nothing. */
  readonly roomIds: ReadonlySet<RoomId> | null;
  /** Hub time from which on the account is closed; `null` for never. */
  readonly validUntilMs: number | null;
  /** The hub has closed the account because that time had come. Only a new time opens it, no change of the clock. */
  readonly hasEnded: boolean;
  /** Counts changes of e-mail address, name, role and limits. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** The same key for all spellings of an address: NFC, lower case, no surrounding blanks. */
export function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

/** Checks only what every address must have, not whether it works. */
export const EMAIL_FORM = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;
export const MAX_EMAIL_LENGTH = 254;
const NAME = /^[^\p{Cc}\p{Cs}]{1,100}$/u;

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL_FORM.test(text);
}

export function isPersonName(text: string): boolean {
  return NAME.test(text) && isVisibleName(text);
}

const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a name has any visible character. A name of blanks, joiners and fillers looks empty. */
export function isVisibleName(name: string): boolean {
  return VISIBLE.test(name);
}

/** Roles of people who may be limited to rooms and a time. The others manage the whole home. */
const LIMITED_ROLES: ReadonlySet<Role> = new Set(['resident', 'guest']);

export function canBeLimited(role: Role): boolean {
  return LIMITED_ROLES.has(role);
}
