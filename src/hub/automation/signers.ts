import type { Accounts } from '#auth/account/accounts.ts';
import { type AutomationCaller, canCaller, tokenIdOf } from '#auth/caller.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { ApiTokens } from '#auth/token/api-tokens.ts';
import type { EngineAutomations, FindSigner, MayCaller } from '#automations/engine/engine-ports.ts';
import type { CauseCaller } from '#core/cause/cause.ts';
import type { UserId } from '#core/person/user.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationRecord, Person, Signer, UrlAuthor } from '#core/automation/registry/automation-record.ts';

type SignersDeps = {
  readonly automations: Pick<AutomationRegistry, 'find'>;
  readonly accounts: Pick<Accounts, 'findUser' | 'isOver'>;
  readonly apiTokens: Pick<ApiTokens, 'findGrant'>;
};

/**
 * Whose rights an automation has. A login may end without the automation: it is the person who signed. An API token
 * may not, because its end takes back what it was given for.
 */
export function createFindSigner(deps: SignersDeps): FindSigner {
  return (id) => {
    const record = deps.automations.find(id);
    const caller = record && callerFor(record.signer, deps);
    if (caller === undefined) return undefined;
    const token = tokenIdOf(caller);
    return {
      issuer: { type: 'automation', id, userId: caller.user.id, ...(token !== undefined && { token }) },
      may: (right, device) => canCaller(caller, right, device === undefined ? 'home' : { device }),
    };
  };
}

function callerFor(
  { user: { id }, via }: { readonly user: Pick<Person, 'id'>; readonly via: Signer['via'] | null },
  { accounts, apiTokens }: Omit<SignersDeps, 'automations'>,
): AutomationCaller | undefined {
  const user = accounts.findUser(id);
  if (user === undefined || accounts.isOver(user)) return undefined;
  if (via === null || via.type === 'session') return { kind: 'automation', user, grant: null };
  const grant = apiTokens.findGrant(via.id as ApiTokenId);
  return grant && { kind: 'automation', user, grant };
}

/** Tells what somebody who led to something may do at this moment; a caller that is gone may do nothing. */
export function createMayCaller({
  accounts,
  apiTokens,
}: Pick<SignersDeps, 'accounts'> & { readonly apiTokens: Pick<ApiTokens, 'findGrant' | 'tokens'> }): MayCaller {
  const callerOf = ({ type, id }: CauseCaller): AutomationCaller | undefined => {
    if (type === 'user') return callerFor({ user: { id: id as UserId }, via: null }, { accounts, apiTokens });
    const token = apiTokens.tokens().find((one) => one.id === id);
    return token && callerFor({ user: { id: token.userId }, via: { type, id } }, { accounts, apiTokens });
  };
  return (one, right, device) => {
    const caller = callerOf(one);
    return caller !== undefined && canCaller(caller, right, device === undefined ? 'home' : { device });
  };
}

/** Whether all who wrote a URL may let the hub speak to its own machine at this moment. Where nobody wrote it, nobody lets. */
export function createMayReachHub(
  deps: Omit<SignersDeps, 'automations'> & { readonly automations: Pick<AutomationRegistry, 'authorsOf'> },
): EngineAutomations['mayReachHub'] {
  const isOwner = (author: UrlAuthor): boolean => {
    if (author === null) return false;
    const via = author.token === null ? null : ({ type: 'api_token', id: author.token } as const);
    const caller = callerFor({ user: { id: author.user }, via }, deps);
    return caller !== undefined && canCaller(caller, 'system:manage', 'home');
  };
  return async (id, version, url) => {
    const authors = (await deps.automations.authorsOf(id, version))[url] ?? [];
    return authors.length > 0 && authors.every(isOwner);
  };
}

/** Whether somebody may still let programs start the automation: those who may change it, and open what it opens. */
export function mayLetCall(
  deps: Omit<SignersDeps, 'automations'> & { readonly automations: Pick<AutomationRegistry, 'opens'> },
  signer: Signer,
  record: AutomationRecord,
): boolean {
  const caller = callerFor(signer, deps);
  if (caller === undefined) return false;
  const madeBy = [record.createdBy.id, record.signer.user.id];
  return (
    canCaller(caller, 'automation:manage', { madeBy }) &&
    (canCaller(caller, 'device:control_sensitive', 'home') || !deps.automations.opens(record.id))
  );
}
