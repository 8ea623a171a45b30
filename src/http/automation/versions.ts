import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { differencesOf } from '#core/automation/document/difference.ts';
import type { AutomationRecord, AutomationVersion } from '#core/automation/registry/automation-record.ts';
import { described, named } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { requireSound, signerOf } from './document.ts';
import { definitionJson, versionLineJson } from './encode.ts';
import { automationChangeSchema, automationVersionLineSchema } from './course-json.ts';
import { automationSavedSchema, automationUpdateSchema, shownDefinition } from './json.ts';
import * as notes from './notes.ts';
import { automationOf, type AutomationRoutesDeps, changeTerms, ONE, ownAutomationOf, showAutomation } from './shown.ts';

const automationVersionSchema = named(
  'AutomationVersion',
  z.object({
    ...automationVersionLineSchema.shape,
    definition: described('What it did.', z.object(shownDefinition)),
  }),
);
const revertSchema = named(
  'AutomationRevert',
  z.strictObject({
    version: described(
      'Number of the version whose triggers, conditions and steps come back.',
      z.int().check(z.gte(1)),
    ),
    note: automationUpdateSchema.shape.note,
  }),
);
const diffSchema = named(
  'AutomationDiff',
  z.object({
    from: described('Number of the one version.', z.int()),
    to: described('Number of the other.', z.int()),
    changes: described('What differs, in the order of the document.', z.array(automationChangeSchema)),
  }),
);

const VERSION = `${ONE}/version/:version`;

/** Makes the calls about what an automation did before: list, show, compare, go back. */
export function versionRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), revertRoute(deps)];
}

function readingRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  const { automations } = deps;
  return [
    defineRoute({
      id: 'listAutomationVersions',
      method: 'GET',
      path: `${ONE}/version`,
      summary: 'List the versions of an automation',
      tag: 'Automation',
      note: notes.listAutomationVersions,
      access: 'automation:read',
      answers: { 200: z.array(automationVersionLineSchema) },
      handle: async (request) => {
        const lines = await automations.versions(automationOf(deps, request).id);
        return { status: 200, json: lines.map(versionLineJson) };
      },
    }),
    defineRoute({
      id: 'getAutomationVersion',
      method: 'GET',
      path: VERSION,
      summary: 'Show one version of an automation',
      tag: 'Automation',
      note: notes.getAutomationVersion,
      access: 'automation:read',
      answers: { 200: automationVersionSchema },
      handle: async (request) => {
        const record = automationOf(deps, request);
        const version = await versionOf(deps, record, numberIn(request));
        const definition = definitionJson(version.definition, deps, record.names);
        return { status: 200, json: { ...versionLineJson(version), definition } };
      },
    }),
    defineRoute({
      id: 'getAutomationDiff',
      method: 'GET',
      path: `${VERSION}/diff`,
      summary: 'Compare two versions of an automation',
      tag: 'Automation',
      note: notes.getAutomationDiff,
      access: 'automation:read',
      query: z.object({
        to: described(
          'Number of the version with which it is compared; by default the present one.',
          z.optional(z.int().check(z.gte(1))),
        ),
      }),
      answers: { 200: diffSchema },
      handle: async (request) => {
        const record = automationOf(deps, request);
        const from = await versionOf(deps, record, numberIn(request));
        const to = await versionOf(deps, record, request.query.to ?? record.version);
        const changes = differencesOf(from.definition, to.definition);
        return { status: 200, json: { from: from.version, to: to.version, changes } };
      },
    }),
  ];
}

function revertRoute(deps: AutomationRoutesDeps): Route {
  return defineRoute({
    id: 'revertAutomation',
    method: 'POST',
    path: `${ONE}/revert`,
    summary: 'Let an automation do again what a version did',
    tag: 'Automation',
    note: notes.revertAutomation,
    access: 'automation:manage',
    body: jsonBody(revertSchema),
    answers: { 200: automationSavedSchema },
    audit: 'automation.changed',
    handle: async (request) => {
      const old = ownAutomationOf(deps, request);
      const caller = callerOf(request);
      const { version, note = null } = request.body;
      const { definition } = await versionOf(deps, old, version);
      const warnings = requireSound(deps, definition, { old, caller });
      const terms = changeTerms(deps, request, definition)(old);
      const wanted = { version, note, signer: signerOf(caller, deps.wallMs()) };
      const record = await deps.automations.revert(old.id, wanted, terms);
      return showAutomation(deps, request, { record, old, warnings, done: ` reverted to ${version}` });
    },
  });
}

function numberIn({ params }: Pick<RouteRequest<unknown, unknown>, 'params'>): number {
  const text = params['version'] ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

async function versionOf(
  { automations }: AutomationRoutesDeps,
  { id }: AutomationRecord,
  version: number,
): Promise<AutomationVersion> {
  const found = await automations.findVersion(id, version);
  if (found === undefined) throw new HubError('NOT_FOUND', 'This version is not kept.');
  return found;
}
