import * as z from 'zod/mini';
import { definitionSchema } from '#core/automation/document/json-schema.ts';
import { timeJson } from '#http/answer/time-json.ts';
import { callerOf, seesLocation } from '#http/rights/access.ts';
import { described, named } from '#http/note/described.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { missingRights, readDocument } from './document.ts';
import { firingSchema, lostRightSchema } from './course-json.ts';
import { automationUpdateSchema, warningSchema } from './json.ts';
import * as notes from './notes.ts';
import { automationOf, type AutomationRoutesDeps, documentBody, ONE, PATH } from './shown.ts';

const automationNextSchema = named(
  'AutomationNext',
  z.object({
    next: described('The next ten times of the clock.', z.array(firingSchema)),
    waits_for: described('What has to be known first.', z.enum(['none', 'clock', 'location'])),
    hidden: described(
      'It waits for the sun, and the caller may not see where the home is: times of the sun are left out.',
      z.optional(z.literal(true)),
    ),
  }),
);
const automationCheckSchema = named(
  'AutomationCheck',
  z.object({
    next: described('The next ten times of the clock at which it would start.', z.array(firingSchema)),
    warnings: described('What would be saved all the same.', z.array(warningSchema)),
    rights_lost: described(
      'Rights that steps need and the caller lacks. With any of them, the caller cannot save it.',
      z.array(lostRightSchema),
    ),
  }),
);

/** Makes the calls that change nothing: the form, whether a document is right, when it would start. */
export function checkRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getAutomationSchema',
      method: 'GET',
      path: `${PATH}_schema`,
      summary: 'Show the JSON Schema of what an automation does',
      tag: 'Automation',
      note: notes.getAutomationSchema,
      access: 'automation:read',
      answers: { 200: z.record(z.string(), z.unknown()) },
      handle: () => ({ status: 200, json: definitionSchema() }),
    }),
    defineRoute({
      id: 'validateAutomation',
      method: 'POST',
      path: `${PATH}_validation`,
      summary: 'Check an automation without keeping it',
      tag: 'Automation',
      note: notes.validateAutomation,
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
