import type { Accounts } from '#auth/account/accounts.ts';
import { type AutomationCaller, canCaller } from '#auth/caller.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { ApiTokens } from '#auth/token/api-tokens.ts';
import type { FindSigner } from '#automations/engine/engine-ports.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationRecord, Signer } from '#core/automation/registry/automation-record.ts';

export type SignersDeps = {
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
    return {
      issuer: { type: 'automation', id, userId: caller.user.id },
      may: (right, device) => canCaller(caller, right, device === undefined ? 'home' : { device }),
      isOwner: canCaller(caller, 'system:manage', 'home'),
    };
  };
}

function callerFor(
  { user: { id }, via }: Signer,
  { accounts, apiTokens }: Omit<SignersDeps, 'automations'>,
): AutomationCaller | undefined {
  const user = accounts.findUser(id);
  if (user === undefined || accounts.isOver(user)) return undefined;
  if (via.type === 'session') return { kind: 'automation', user, grant: null };
  const grant = apiTokens.findGrant(via.id as ApiTokenId);
  return grant && { kind: 'automation', user, grant };
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
