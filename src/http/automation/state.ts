import { requireThing } from '#base/hub-error.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import { signerOf } from './document.ts';
import { automationSchema, automationSignedSchema } from './json.ts';
import * as notes from './notes.ts';
import {
  automationOf,
  type AutomationRoutesDeps,
  changeTerms,
  ONE,
  ownAutomationOf,
  requireOpens,
  requireOwn,
  showAutomation,
} from './shown.ts';

/** Whether an automation runs, and with whose rights: enable, disable, sign, restore. */
export function stateRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  return [...enablingRoutes(deps), signRoute(deps), restoreRoute(deps)];
}

function enablingRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  return (['enable', 'disable'] as const).map((word) =>
    defineRoute({
      id: `${word}Automation`,
      method: 'POST',
      path: `${ONE}/${word}`,
      summary: word === 'enable' ? 'Let an automation run' : 'Let an automation run no more',
      tag: 'Automation',
      note: word === 'enable' ? notes.enableAutomation : notes.disableAutomation,
      access: 'automation:run',
      answers: { 200: automationSchema },
      audit: 'automation.changed',
      handle: async (request) => {
        const old = automationOf(deps, request);
        const ifRevision = requiredRevision(request.header('if-match'), old.revision);
        const authorize = (now: AutomationRecord): void => {
          const caller = request.authorize();
          if (word === 'enable') requireOpens(deps, now, caller);
        };
        authorize(old);
        const terms = { ifRevision, authorize };
        const record = await deps.automations.change(old.id, { enabled: word === 'enable' }, terms);
        return showAutomation(deps, request, { record, done: ` ${word}d` });
      },
    }),
  );
}

function signRoute(deps: AutomationRoutesDeps): Route {
  return defineRoute({
    id: 'signAutomation',
    method: 'POST',
    path: `${ONE}/sign`,
    summary: 'Let an automation act with your rights',
    tag: 'Automation',
    note: notes.signAutomation,
    access: 'automation:manage',
    answers: { 200: automationSignedSchema },
    audit: 'automation.changed',
    handle: async (request) => {
      const old = ownAutomationOf(deps, request);
      const terms = changeTerms(deps, request, old.definition)(old);
      // What is signed is what was read, not what somebody saved meanwhile.
      const signed = { ...terms, ifRevision: old.revision };
      const record = await deps.automations.sign(old.id, signerOf(callerOf(request), deps.wallMs()), signed);
      return showAutomation(deps, request, { record, old, done: ' signed' });
    },
  });
}

function restoreRoute(deps: AutomationRoutesDeps): Route {
  const { automations } = deps;
  return defineRoute({
    id: 'restoreAutomation',
    method: 'POST',
    path: `${ONE}/restore`,
    summary: 'Take an automation out of the trash',
    tag: 'Automation',
    note: notes.restoreAutomation,
    access: 'automation:manage',
    answers: { 200: automationSchema },
    audit: 'automation.changed',
    handle: async (request) => {
      const old = requireThing(automations.findInTrash(request.params['selector'] ?? ''), 'automation in the trash');
      const ifRevision = requiredRevision(request.header('if-match'), old.revision);
      const authorize = (now: AutomationRecord): void => {
        const caller = request.authorize();
        requireOwn(now, caller);
        if (now.enabled) requireOpens(deps, now, caller);
      };
      authorize(old);
      const record = await automations.restore(old.id, { ifRevision, authorize });
      return showAutomation(deps, request, { record, done: ' restored' });
    },
  });
}
