import type { UserId } from '#core/person/user.ts';

/**
 * What issued a command, and the person whose rights it uses. A new kind of issuer (matter) becomes a member of this
 * type, with a `cause` for the reason why it acted. `created_by` in the API has only type and id.
 */
export type Issuer = SessionIssuer | TokenIssuer | AutomationIssuer;

type SessionIssuer = { readonly type: 'session' } & IssuerOfPerson;
type TokenIssuer = { readonly type: 'api_token' } & IssuerOfPerson;
/** The person is the one who signed it. */
type AutomationIssuer = { readonly type: 'automation' } & IssuerOfPerson;

export const ISSUER_TYPES = ['session', 'api_token', 'automation'] as const;

type IssuerOfPerson = {
  /** Of the session, API token or automation. */
  readonly id: string;
  readonly userId: UserId;
};
