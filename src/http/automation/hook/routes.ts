import * as z from 'zod/mini';
import type { SignInGuard } from '#auth/sign-in/sign-in-guard.ts';
import { HubError, validationFailed } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { faultsOfBody } from '#core/automation/hook/accepts.ts';
import type { Called, Hook, Hooks } from '#core/automation/hook/hooks.ts';
import { type Cause, DIRECT } from '#core/cause/cause.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import { signerOf } from '#http/automation/document.ts';
import { automationOf, type AutomationRoutesDeps, ONE, requireOpens, requireOwn } from '#http/automation/shown.ts';
import { described, named } from '#http/note/described.ts';
import { callerOf, causeOf } from '#http/rights/access.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import * as notes from '#http/automation/notes.ts';

type HookRoutesDeps = Pick<AutomationRoutesDeps, 'automations' | 'wallMs'> & {
  readonly hooks: Omit<Hooks, 'stop'>;
  readonly automationEngine: Pick<AutomationEngine, 'callHook'>;
  readonly signInGuard: Pick<SignInGuard, 'noteForeignToken'>;
};

const HOOK = `${ONE}/hook/:trigger`;
const HEADER = 'hearthd-hook';
const MAX_BYTES = 16 * 1024;

const hookBodySchema = named(
  'HookBody',
  described('Whatever the schema `accepts` of the trigger allows.', z.record(z.string(), z.unknown())),
);
const hookCalledSchema = named(
  'HookCalled',
  z.object({
    run: described('Id. Its conditions may have ended it already. `null` if nothing started.', z.nullable(z.string())),
    reason: described('Why nothing started, such as `disabled` or `tripped`.', z.nullable(z.string())),
  }),
);
const hookSecretSchema = named(
  'HookSecret',
  z.object({
    secret: described('For the header `Hearthd-Hook`. It is shown only once.', z.string()),
  }),
);

type Request = Pick<RouteRequest<unknown, unknown>, 'params' | 'caller' | 'authorize'>;

/** Programs that start an automation, and their secrets. */
export function automationHookRoutes(deps: HookRoutesDeps): readonly Route[] {
  return [callRoute(deps), ...secretRoutes(deps)];
}

function callRoute(deps: HookRoutesDeps): Route {
  const { hooks, automationEngine, signInGuard } = deps;
  const bySecret = ({ params, header }: Pick<RouteRequest<unknown, unknown>, 'params' | 'header'>): Hook => {
    const hook = hooks.findBySecret(calledOf({ params }), header(HEADER) ?? '');
    if (hook === undefined) throw wrongSecret();
    return hook;
  };
  /** The person who made a secret causes what it starts. */
  const causeOfSecret = (hook: Hook): Cause | null => {
    const signer = hooks.secretOf(hook)?.signer;
    if (signer === undefined) return null;
    const { user, via } = signer;
    const by =
      via.type === 'api_token' ? ({ type: via.type, id: via.id } as const) : ({ type: 'user', id: user.id } as const);
    return { ...DIRECT, callers: [by] };
  };
  return defineRoute({
    id: 'startAutomationByHook',
    method: 'POST',
    path: HOOK,
    summary: 'Call a hook of an automation',
    tag: 'Automation',
    note: notes.startAutomationByHook,
    access: 'automation:run',
    ration: 'command',
    bySecret: {
      header: HEADER,
      admit: (asked) => {
        try {
          bySecret(asked);
        } catch (cause) {
          signInGuard.noteForeignToken(asked.peer);
          throw cause;
        }
      },
    },
    body: { schema: hookBodySchema, maxBytes: MAX_BYTES, isOptional: true },
    answers: { 202: hookCalledSchema },
    audit: 'automation.called',
    handle: async (request) => {
      const { caller } = request;
      // The secret may have been taken back while the body came, or what the automation asks of the past was read.
      const authorized = (): Hook => {
        if (caller === undefined) return bySecret(request);
        const found = hookOf(hooks, request);
        requireOpens(deps, found.record, request.authorize());
        return found;
      };
      const hook = authorized();
      const { record, trigger } = hook;
      hooks.takeCall(hook);
      const body = request.body as JsonObject;
      const faults = trigger.accepts === undefined ? [] : faultsOfBody(trigger.accepts, body);
      if (faults.length > 0) throw validationFailed(faults);
      const call = { trigger: trigger.id, body, cause: caller === undefined ? causeOfSecret(hook) : causeOf(caller) };
      const started = await automationEngine.callHook(record.id, call, () => void authorized());
      const json = 'run' in started ? { run: started.run, reason: null } : { run: null, reason: started.refused };
      const auditDetail = `${record.selector}/${trigger.id}${caller === undefined ? ' by hook' : ''}`;
      return { status: 202, json, auditDetail };
    },
  });
}

function secretRoutes(deps: HookRoutesDeps): readonly Route[] {
  const { hooks, wallMs } = deps;
  const usual = { path: `${HOOK}/secret`, tag: 'Automation', access: 'automation:manage' } as const;
  const audit = 'automation.changed' as const;
  /** Refuses before anything is made. */
  const ownHook = (request: Request): Called => {
    requireOwn(automationOf(deps, request), callerOf(request));
    const { record, trigger } = hookOf(hooks, request);
    return { automation: record.id, trigger: trigger.id };
  };
  return [
    defineRoute({
      ...usual,
      audit,
      id: 'setAutomationHookSecret',
      method: 'PUT',
      summary: 'Make a new secret for a hook',
      note: notes.setAutomationHookSecret,
      answers: { 200: hookSecretSchema },
      handle: async (request) => {
        const called = ownHook(request);
        const secret = await hooks.makeSecret(called, signerOf(callerOf(request), wallMs()), ({ record }) => {
          const caller = request.authorize();
          requireOwn(record, caller);
          requireOpens(deps, record, caller);
        });
        return { status: 200, json: { secret }, auditDetail: `${detailOf(deps, called)} secret` };
      },
    }),
    defineRoute({
      ...usual,
      audit,
      id: 'removeAutomationHookSecret',
      method: 'DELETE',
      summary: 'Take back the secret of a hook',
      note: notes.removeAutomationHookSecret,
      answers: { 204: null },
      handle: async (request) => {
        const called = ownHook(request);
        await hooks.takeBackSecret(called, ({ record }) => requireOwn(record, request.authorize()));
        return { status: 204, auditDetail: `${detailOf(deps, called)} secret removed` };
      },
    }),
  ];
}

function calledOf({ params }: Pick<Request, 'params'>): Called {
  return { automation: params['selector'] ?? '', trigger: params['trigger'] ?? '' };
}

function hookOf(hooks: Pick<Hooks, 'find'>, request: Pick<Request, 'params'>): Hook {
  const { automation, trigger } = calledOf(request);
  const hook = hooks.find(automation, trigger);
  if (hook === undefined) throw new HubError('NOT_FOUND', 'The automation has no such hook.');
  return hook;
}

function detailOf({ automations }: HookRoutesDeps, { automation, trigger }: Called): string {
  return `${automations.find(automation)?.selector ?? automation}/${trigger}`;
}

/** The same for all that can be wrong, so that nobody learns which automations there are. */
function wrongSecret(): HubError {
  return new HubError('UNAUTHORIZED', 'There is no such hook, or its secret is another one.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="hearthd"' },
  });
}
