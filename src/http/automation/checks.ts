import { z } from 'zod/mini';
import { definitionSchema } from '#core/automation/document/json-schema.ts';
import { timeJson } from '#http/answer/time-json.ts';
import { described } from '#http/note/described.ts';
import { callerOf, seesLocation } from '#http/rights/access.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { missingRights, readDocument } from './document.ts';
import { automationCheckSchema, automationNextSchema, automationUpdateSchema, type firingSchema } from './json.ts';
import * as notes from './notes.ts';
import { automationOf, type AutomationRoutesDeps, documentBody, ONE, PATH } from './shown.ts';

/** Makes the calls that change nothing: the form, whether a document is right, when it would start. */
export function checkRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getAutomationSchema',
      method: 'GET',
      path: `${PATH}/schema`,
      summary: 'Show the JSON Schema of what an automation does',
      tag: 'Automation',
      note: notes.getAutomationSchema,
      access: 'automation:read',
      answers: { 200: z.record(z.string(), z.unknown()) },
      handle: () => ({ status: 200, json: definitionSchema() }),
    }),
    defineRoute({
      id: 'checkAutomation',
      method: 'POST',
      path: `${PATH}/validate`,
      summary: 'Check an automation without keeping it',
      tag: 'Automation',
      note: notes.checkAutomation,
      access: 'automation:read',
      query: z.object({
        automation: described(
          'Id or selector of the one whose place it would take; by default it would be a new one.',
          z.optional(z.string()),
        ),
      }),
      body: documentBody(automationUpdateSchema),
      answers: { 200: automationCheckSchema },
      audit: { unaudited: 'it answers what saving would do, and keeps nothing' },
      handle: async (request) => {
        const caller = callerOf(request);
        const { automation } = request.query;
        const old = automation === undefined ? undefined : automationOf(deps, { params: { selector: automation } });
        const { definition, warnings } = readDocument(deps, request.body, { old, caller, isWhole: true });
        const missing = missingRights(deps, definition, caller);
        const { firings } = await deps.nextFirings(definition, seesLocation(caller));
        const rightsLost = missing.slice(0, MAX_RIGHTS).map(({ pointer, right }) => ({ pointer, right }));
        return { status: 200, json: { next: firings.map(firingJson), warnings, rights_lost: rightsLost } };
      },
    }),
    defineRoute({
      id: 'getAutomationNext',
      method: 'GET',
      path: `${ONE}/next`,
      summary: 'Show the next times of an automation',
      tag: 'Automation',
      note: notes.getAutomationNext,
      access: 'automation:read',
      answers: { 200: automationNextSchema },
      handle: async (request) => {
        const { definition } = automationOf(deps, request);
        const withSun = seesLocation(callerOf(request));
        const { firings, waitsFor } = await deps.nextFirings(definition, withSun);
        const isHidden = !withSun && definition.triggers.some(({ type }) => type === 'sun');
        const json = { next: firings.map(firingJson), waits_for: waitsFor };
        return { status: 200, json: isHidden ? { ...json, hidden: true as const } : json };
      },
    }),
  ];
}

const MAX_RIGHTS = 100;

type Firing = Awaited<ReturnType<AutomationRoutesDeps['nextFirings']>>['firings'][number];

function firingJson({ atMs, trigger, dst }: Firing): z.infer<typeof firingSchema> {
  return { at: timeJson(atMs), trigger, dst };
}
