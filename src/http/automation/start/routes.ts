import * as z from 'zod/mini';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import { automationSchema } from '#http/automation/json.ts';
import { automationOf, ONE, requireOpens, showAutomation } from '#http/automation/shown.ts';
import { described, named } from '#http/note/described.ts';
import { callerOf, causeOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { givenSchema } from '#http/simulation/json.ts';
import { type DryRunDeps, dryRunJson, dryRunSchema } from './dry-run.ts';
import * as notes from '#http/automation/notes.ts';
import { faultWords } from '#words/faults.ts';

type StartRoutesDeps = DryRunDeps & {
  readonly automationEngine: Pick<AutomationEngine, 'run' | 'stop' | 'reset'>;
  readonly resumeAutomations: () => Promise<void>;
};

const automationStartSchema = named(
  'AutomationStart',
  z.strictObject({
    trigger: described(
      'Id of the trigger that counts as the one that started it; none if absent.',
      z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    ),
    skip_conditions: described('Starts it whether its conditions are met or not.', z.optional(z.boolean())),
    dry_run: described('Answers what it would do now, and does nothing.', z.optional(z.boolean())),
    given: described(
      'For a dry run: values in place of the present ones, by their series: `{"hall-lux/illuminance": 12}`.',
      z.optional(givenSchema),
    ),
  }),
);

const automationStartedSchema = named(
  'AutomationStarted',
  z.object({
    run: described('Id. Its conditions may have ended it already. That of a dry run is kept nowhere.', z.string()),
    dry_run: described('What would happen; only for a dry run.', z.optional(dryRunSchema)),
  }),
);

/** Starting and stopping by hand. */
export function automationStartRoutes(deps: StartRoutesDeps): readonly Route[] {
  return [runRoute(deps), ...endingRoutes(deps), resumeRoute(deps)];
}

function resumeRoute({ resumeAutomations }: StartRoutesDeps): Route {
  return defineRoute({
    id: 'resumeAutomations',
    method: 'POST',
    path: '/api/v1/automation/resume_all',
    summary: 'Run the automations again, after the hub has put off all of them',
    tag: 'Automation',
    note: notes.resumeAutomations,
    access: 'hub:manage',
    answers: { 204: null },
    audit: () => ({ type: 'automation.changed', detail: 'all resumed' }),
    handle: async ({ authorize }) => {
      authorize();
      await resumeAutomations();
      return { status: 204 };
    },
  });
}

function runRoute(deps: StartRoutesDeps): Route {
  return defineRoute({
    id: 'startAutomation',
    method: 'POST',
    path: `${ONE}/run`,
    summary: 'Start an automation',
    tag: 'Automation',
    note: notes.startAutomation,
    access: 'automation:run',
    ration: 'command',
    once: 'answer',
    body: { ...jsonBody(automationStartSchema), isOptional: true },
    answers: { 200: automationStartedSchema },
    audit: (request, { auditDetail }) =>
      request.body.dry_run === true ? undefined : { type: 'automation.changed', detail: auditDetail },
    handle: async (request) => {
      const { trigger = null, skip_conditions: skipConditions = false, dry_run: isDry = false, given } = request.body;
      const { id, selector, definition } = automationOf(deps, request);
      const cause = causeOf(callerOf(request));
      const authorize = (): void => requireOpens(deps, automationOf(deps, request), request.authorize());
      if (trigger !== null && !definition.triggers.some((one) => one.id === trigger)) {
        throw validationFailed([fieldError('/trigger', 'INVALID_VALUE', ...faultWords('unknown_trigger'))]);
      }
      if (isDry)
        return {
          status: 200,
          json: await dryRunJson(deps, request, { trigger, skipConditions, cause, inputs: given }),
        };
      if (given !== undefined)
        throw validationFailed([fieldError('/given', 'INVALID_VALUE', ...faultWords('only_dry_run'))]);
      authorize();
      const started = await deps.automationEngine.run(id, { trigger, skipConditions, cause }, authorize);
      if ('refused' in started) {
        throw new HubError('AUTOMATION_NOT_READY', `The automation cannot run now: it is ${started.refused}.`);
      }
      return { status: 200, json: started, auditDetail: `${selector} started` };
    },
  });
}

function endingRoutes(deps: StartRoutesDeps): readonly Route[] {
  return (['stop', 'reset'] as const).map((word) =>
    defineRoute({
      id: `${word}Automation`,
      method: 'POST',
      path: `${ONE}/${word}`,
      summary: word === 'stop' ? 'Stop the runs of an automation' : 'Let an automation run again that was tripped',
      tag: 'Automation',
      note: word === 'stop' ? notes.stopAutomation : notes.resetAutomation,
      access: 'automation:run',
      answers: { 200: automationSchema },
      audit: 'automation.changed',
      handle: async (request) => {
        const { id } = automationOf(deps, request);
        request.authorize();
        await deps.automationEngine[word](id);
        const done = word === 'stop' ? ' stopped' : ' reset';
        return showAutomation(deps, request, { record: automationOf(deps, request), done });
      },
    }),
  );
}
