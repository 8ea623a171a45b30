import { isIP } from 'node:net';
import { type Caller, callerId, canCaller } from '#auth/caller.ts';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { checkDefinition } from '#core/automation/check/check-definition.ts';
import type { Warning } from '#core/automation/check/directory.ts';
import { warnOfRings } from '#core/automation/check/rings.ts';
import { type NeededRight, rightsNeeded } from '#core/automation/check/step-rights.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { RequestStep } from '#core/automation/document/step.ts';
import { requestsIn } from '#core/automation/registry/url-authors.ts';
import type { AutomationDetails, AutomationRecord, Signer } from '#core/automation/registry/automation-record.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { Room } from '#core/room/room.ts';
import { MAX_URL_LENGTH, readWebhookUrl } from '#core/webhook/webhook.ts';
import { insufficientScope, ownsHub } from '#http/rights/access.ts';
import type { AddressRules } from '#http/routing/receiver-url.ts';
import { type AutomationBody, DEFINITION_FIELDS } from './json.ts';
import { type FaultWords, faultWords } from '#words/faults.ts';

export type DocumentDeps = Pick<AddressRules, 'isLanAddress' | 'isOwnAddress'> & {
  readonly automations: Pick<AutomationRegistry, 'automations' | 'findTarget' | 'directory' | 'referencesOf'>;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly wallMs: () => number;
};

export type ReadDocument = {
  readonly definition: Definition;
  readonly warnings: readonly Warning[];
};

/**
 * The document in a body. Members that are absent are those of `old`, if there is one to be changed. Throws HubError
 * with every fault of its form, its references and its values, SENSITIVE_NOT_NAMED and SENSITIVE_NEEDS_CONDITION.
 */
export function readDocument(
  deps: DocumentDeps,
  body: AutomationBody,
  context: { readonly old?: AutomationRecord | undefined; readonly isWhole: boolean; readonly caller: Caller },
): ReadDocument {
  const document = Object.fromEntries(Object.entries(body).filter(([name]) => DEFINITION_FIELDS.includes(name)));
  const { old, isWhole } = context;
  const whole = withoutAbsent(
    isWhole || old === undefined ? document : { ...old.definition, ...withoutAbsent(document) },
  );
  const { definition, errors } = readDefinition(whole, findFor(deps, old));
  if (definition === undefined) throw validationFailed(errors);
  const warnings = requireSound(deps, definition, context);
  return { definition, warnings };
}

/** Reads the details that people give an automation, as far as the body has them. Throws HubError ROOM_NOT_FOUND. */
export function readDetails(
  deps: Pick<DocumentDeps, 'findRoom'>,
  { name, description, room, labels, enabled }: AutomationBody,
): Partial<AutomationDetails> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(room !== undefined && { roomId: room === null ? null : roomOf(deps, room).id }),
    ...(labels !== undefined && { labels: [...new Set(labels)] }),
    ...(enabled !== undefined && { enabled }),
  };
}

/** Throws HubError for what is wrong with a definition in this home; returns what to warn of. */
export function requireSound(
  deps: DocumentDeps,
  definition: Definition,
  { old, caller }: { readonly old?: AutomationRecord | undefined; readonly caller: Caller },
): readonly Warning[] {
  const directory = deps.automations.directory(old?.id);
  const { errors, sensitive, warnings } = checkDefinition(definition, directory);
  const all = [...errors, ...requestFaults(deps, definition, { old, isOwner: ownsHub(caller) })];
  if (all.length > 0) throw validationFailed(all);
  if (sensitive !== null) {
    throw new HubError(sensitive.code, 'The automation may open, flood or guard the home.', {
      errors: sensitive.errors,
    });
  }
  const self = { id: old?.id, selector: old?.selector ?? '', definition };
  const others = deps.automations.automations().filter(({ enabled }) => enabled);
  return [...warnings, ...warnOfRings(self, others, directory)].slice(0, MAX_ERRORS);
}

/** The rights that steps of the definition need and the caller lacks. */
export function missingRights(
  { automations }: Pick<DocumentDeps, 'automations'>,
  definition: Definition,
  caller: Caller,
): readonly NeededRight[] {
  const needed = rightsNeeded(definition, automations.directory(), caller.user.id);
  return needed.filter(({ right, device }) => !canCaller(caller, right, device === null ? 'home' : { device }));
}

/** Throws HubError RIGHTS_MISSING: nobody gives an automation more rights than they have. */
export function requireRights(deps: Pick<DocumentDeps, 'automations'>, definition: Definition, caller: Caller): void {
  const missing = missingRights(deps, definition, caller);
  const [first] = missing;
  if (first === undefined) return;
  const errors = missing
    .slice(0, MAX_ERRORS)
    .map(({ pointer, right }) => fieldError(pointer, 'INVALID_VALUE', ...faultWords('needs_right', { right })));
  const { headers = {} } = insufficientScope(first.right).options;
  throw new HubError('RIGHTS_MISSING', `This needs the right ${first.right}.`, { errors, headers });
}

export function signerOf(caller: Caller, nowMs: number): Signer {
  const { id, name } = caller.user;
  return { user: { id, name }, via: { type: caller.kind, id: callerId(caller) }, signedAtMs: nowMs };
}

const MAX_ERRORS = 32;

/**
 * Finds references, also those that are gone and that the automation named before: so the rest can be changed all the
 * same.
 */
function findFor({ automations }: DocumentDeps, old: AutomationRecord | undefined) {
  const known = old === undefined ? new Set<string>() : automations.referencesOf(old.id);
  return (kind: Parameters<AutomationRegistry['findTarget']>[0], reference: string): JsonValue | undefined =>
    automations.findTarget(kind, reference)?.id ?? (known.has(`${kind}/${reference}`) ? reference : undefined);
}

function roomOf({ findRoom }: Pick<DocumentDeps, 'findRoom'>, reference: unknown): Room {
  const name = isJsonObject(reference) ? reference['id'] : reference;
  const room = typeof name === 'string' ? findRoom(name) : undefined;
  if (room !== undefined) return room;
  throw new HubError('ROOM_NOT_FOUND', 'There is no such room.', {
    errors: [fieldError('/room', 'INVALID_VALUE', ...faultWords('unknown_room'))],
  });
}

/** The addresses to which requests would go: only an owner may write one of the hub's own machine. */
function requestFaults(
  { isLanAddress, isOwnAddress }: DocumentDeps,
  definition: Definition,
  { old, isOwner }: { readonly old: AutomationRecord | undefined; readonly isOwner: boolean },
): readonly FieldError[] {
  const kept = old === undefined ? [] : requestsIn(old.definition);
  const urlFault = (step: RequestStep): FaultWords | undefined => {
    const { url: text } = step;
    if (!URL.canParse(text)) return faultWords('url');
    const { hostname, username, password } = new URL(text);
    if (username !== '' || password !== '') return faultWords('url_secret');
    // Each run would refuse it.
    if (readWebhookUrl(text) === undefined) return faultWords('request_url', { most: MAX_URL_LENGTH });
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const isAddress = isIP(host) !== 0;
    const isOwn = isAddress ? isOwnAddress(host) : /(^|\.)localhost\.?$/.test(host);
    // What stays as it is was written by somebody else: their right is asked when it is sent.
    const isKept = kept.some((one) => isSameJson(one.step, step));
    if (isOwn) return isOwner || isKept ? undefined : faultWords('own_address');
    // Each connection checks what other names stand for.
    return isAddress && !isLanAddress(host) ? faultWords('not_in_lan') : undefined;
  };
  const errors = requestsIn(definition).flatMap(({ pointer, step }) => {
    const why = urlFault(step);
    return why === undefined ? [] : [fieldError(`${pointer}/url`, 'INVALID_VALUE', ...why)];
  });
  return errors.slice(0, MAX_ERRORS);
}

/** The body was parsed as JSON, so each member that is there is JSON. */
function withoutAbsent(members: object): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
