import type { UserId } from '#core/person/user.ts';

/**
 * What issued a command, and the person whose rights it uses. A new kind of issuer (automation, scene, matter) becomes
 * a member of this type, with a `cause` for the reason why it acted. `created_by` in the API has only type and id.
 */
export type Issuer = SessionIssuer | TokenIssuer;

type SessionIssuer = { readonly type: 'session' } & IssuerOfPerson;
type TokenIssuer = { readonly type: 'api_token' } & IssuerOfPerson;

type IssuerOfPerson = {
  /** Of the session or API token. */
  readonly id: string;
  readonly userId: UserId;
};
