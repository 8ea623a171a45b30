import type * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { requireThing } from '#base/hub-error.ts';
import { rightsNeeded } from '#core/automation/check/step-rights.ts';
import type { Warning } from '#core/automation/check/directory.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { requestsIn } from '#core/automation/registry/url-authors.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { Device } from '#core/device/device.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { cursorOf, type Resource, revisedResource, showResource } from '#http/answer/resource.ts';
import { callerOf, insufficientScope, seesLocation } from '#http/rights/access.ts';
import { jsonBody, type RouteBody, type RouteRequest } from '#http/routing/route.ts';
import { type DocumentDeps, requireRights } from './document.ts';
import { automationJson, type WholeAutomationView } from './encode.ts';

export type AutomationRoutesDeps = DocumentDeps &
  Pick<WholeAutomationView, 'automationEngine' | 'runHistory' | 'nowMs' | 'hooks'> & {
    readonly automations: Omit<AutomationRegistry, 'stop' | 'upkeep' | 'review' | 'subscribe' | 'suspend' | 'asActive'>;
    readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
    readonly eventCursor: () => string;
    readonly nextFirings: NextFirings;
  };

/**
 * Asked for a definition: the next times of the clock, ten unless it says how many, with or without those of the sun, or
 * what has to be known first.
 */
export type NextFirings = (
  definition: AutomationRecord['definition'],
  withSun: boolean,
  count?: number,
) => Promise<{
  readonly firings: readonly {
    readonly atMs: number;
    readonly trigger: string;
    readonly dst: 'none' | 'gap' | 'overlap';
  }[];
  readonly waitsFor: 'none' | 'clock' | 'location';
}>;

export const PATH = '/api/v1/automation';
export const ONE = '/api/v1/automation/:selector';
const KIB = 1024;

/** A document may be larger than what is kept of it: references as objects, indented text. */
export function documentBody<Body>(schema: z.ZodMiniType<Body>): RouteBody<Body> {
  return { ...jsonBody(schema, 256 * KIB), maxMembers: 16_000, maxDepth: 128 };
}

type Request = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller' | 'authorize' | 'header'>;

/** The automation in the path. */
export function automationOf(
  { automations }: Pick<AutomationRoutesDeps, 'automations'>,
  { params }: Pick<Request, 'params'>,
): AutomationRecord {
  return requireThing(automations.find(params['selector'] ?? ''), 'automation');
}

/** The same, if the caller may change it. Throws HubError FORBIDDEN. */
export function ownAutomationOf(deps: Pick<AutomationRoutesDeps, 'automations'>, request: Request): AutomationRecord {
  const found = automationOf(deps, request);
  requireOwn(found, callerOf(request));
  return found;
}

/** Throws HubError FORBIDDEN for somebody who may change only what they made themselves. */
export function requireOwn(record: AutomationRecord, caller: Caller): void {
  if (mayChange(record, caller)) return;
  throw insufficientScope('automation:manage', ' for what other people made');
}

function mayChange({ createdBy, signer }: AutomationRecord, caller: Caller): boolean {
  return canCaller(caller, 'automation:manage', { madeBy: [createdBy.id, signer.user.id] });
}

/** A caller that may not open a door may not have an automation open it, however many come in between. */
export function requireOpens(
  { automations }: Pick<AutomationRoutesDeps, 'automations'>,
  { definition }: Pick<AutomationRecord, 'definition'>,
  caller: Caller,
): void {
  if (canCaller(caller, 'device:control_sensitive', 'home') || !automations.opensAs(definition)) return;
  throw insufficientScope('device:control_sensitive', ' for what this automation opens');
}

/** Makes the terms of a change. `signed`: what the caller signs; `enabled`: it may run from now on. */
export function changeTerms(
  deps: Pick<AutomationRoutesDeps, 'automations'>,
  request: Request,
  signed: AutomationRecord['definition'] | 'enabled' | null,
) {
  const check = (record: AutomationRecord, caller: Caller): void => {
    requireOwn(record, caller);
    if (signed === 'enabled') requireOpens(deps, record, caller);
    else if (signed !== null) requireRights(deps, signed, caller);
  };
  return (old: AutomationRecord) => {
    check(old, callerOf(request));
    return {
      ifRevision: requiredRevision(request.header('if-match'), old.revision),
      authorize: (record: AutomationRecord) => check(record, request.authorize()),
    };
  };
}

/** Limits the parts of the automations to those that this caller may see. */
export function viewFor(
  deps: AutomationRoutesDeps,
  request: Pick<Request, 'caller'>,
): AutomationRoutesDeps & WholeAutomationView {
  const caller = callerOf(request);
  return { ...deps, seesLocation: seesLocation(caller), mayChange: (record) => mayChange(record, caller) };
}

type Saved = { readonly old?: AutomationRecord; readonly warnings?: readonly Warning[] };

/** Its tag changes with all that is shown, and begins with its revision. */
export function automationResource(
  deps: ReturnType<typeof viewFor>,
  record: AutomationRecord,
  saved: Saved = {},
): Resource {
  const json = automationJson(record, deps);
  return {
    ...revisedResource(json, cursorOf(deps)),
    content: () => {
      const { old, warnings } = saved;
      const hands = old === undefined ? undefined : changedHands(deps, old, record);
      return { json: { ...json, ...(warnings && { warnings }), ...(hands && { changed_hands: hands }) } };
    },
  };
}

/** Answers with the automation as its change has left it; `done`: what the audit log says of that beside its name. */
export function showAutomation(
  deps: AutomationRoutesDeps,
  request: Pick<Request, 'caller'>,
  { record, done = '', ...saved }: Saved & { readonly record: AutomationRecord; readonly done?: string },
): RouteAnswer {
  const resource = automationResource(viewFor(deps, request), record, saved);
  return { ...showResource(resource), auditDetail: record.selector + done };
}

/** Lists the rights that now act for another person than before; `undefined` where the signer stays the same. */
function changedHands(
  { automations }: AutomationRoutesDeps,
  old: AutomationRecord,
  { signer, definition }: AutomationRecord,
) {
  if (old.signer.user.id === signer.user.id) return undefined;
  const needed = rightsNeeded(definition, automations.directory(), signer.user.id);
  const nameOf = (id: string) => {
    const { selector, name } = automations.findTarget('device', id) ?? { selector: id, name: id };
    return { id, selector, name };
  };
  return {
    from: { ...old.signer.user },
    requests: requestsIn(definition).map(({ pointer, step: { method, url } }) => ({ pointer, method, url })),
    rights: [...new Set(needed.map(({ right }) => right))].toSorted(),
    sensitive: definition.allow_sensitive.map(nameOf),
  };
}
