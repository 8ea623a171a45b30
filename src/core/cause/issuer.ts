import { isText, oneOf, orNull, recordOf } from '#core/records/record-check.ts';
import type { UserId } from '#core/person/user.ts';

/**
 * The issuer gave a command, with the rights of a person. A new kind of issuer becomes a member of this type.
 * `created_by` in the API has only type and id.
 */
export type Issuer = SessionIssuer | TokenIssuer | AutomationIssuer | MatterIssuer;

type SessionIssuer = { readonly type: 'session' } & IssuerOfPerson;
type TokenIssuer = { readonly type: 'api_token' } & IssuerOfPerson;
/** The person is the one who signed it. */
type AutomationIssuer = { readonly type: 'automation' } & IssuerOfPerson;

/** Another maker's home on the bridge; its id is the name that it gave itself. The person is that of the API token. */
type MatterIssuer = { readonly type: 'matter' } & IssuerOfPerson;

/** Records have their numbers: a new one comes last. */
export const ISSUER_TYPES = ['session', 'api_token', 'automation', 'matter'] as const;

type IssuerOfPerson = {
  /** The id of the session, API token or automation. */
  readonly id: string;
  readonly userId: UserId;
  /** The API token whose rights an automation or another maker's home has. */
  readonly token?: string;
};

export const isIssuerOrNull = orNull(recordOf<Issuer>({ type: oneOf(ISSUER_TYPES), id: isText, userId: isText }));
