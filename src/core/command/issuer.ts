import type { UserId } from '#core/person/user.ts';

/**
 * What issued a command, and the person whose rights it uses. Another kind of issuer (automation, scene, matter) is one
 * more member here, and `cause` in it names what made it act; `created_by` on the wire shows type and id alone.
 */
export type Issuer = SessionIssuer | TokenIssuer;

type SessionIssuer = { readonly type: 'session' } & IssuerOfPerson;
type TokenIssuer = { readonly type: 'api_token' } & IssuerOfPerson;

type IssuerOfPerson = {
  /** Of the session or API token. */
  readonly id: string;
  readonly userId: UserId;
};
