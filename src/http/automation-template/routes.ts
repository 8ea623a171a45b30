import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { HubError, requireThing, validationFailed } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject } from '#base/json.ts';
import { differencesOf } from '#core/automation/document/difference.ts';
import type { AutomationRecord, TemplateUse } from '#core/automation/registry/automation-record.ts';
import { fillTemplate } from '#core/automation-template/fill.ts';
import { readInputs } from '#core/automation-template/inputs.ts';
import type { Template } from '#core/automation-template/template.ts';
import type { Device } from '#core/device/device.ts';
import type { Scene } from '#core/scene/scene.ts';
import { showCreated } from '#http/answer/resource.ts';
import { type ReadDocument, readDetails, readDocument, requireRights, signerOf } from '#http/automation/document.ts';
import { definitionJson } from '#http/automation/encode.ts';
import { automationSavedSchema } from '#http/automation/json.ts';
import {
  automationResource,
  type AutomationRoutesDeps,
  changeTerms,
  ONE as AUTOMATION,
  ownAutomationOf,
  PATH as AUTOMATIONS,
  showAutomation,
  viewFor,
} from '#http/automation/shown.ts';
import { changeAsRead } from '#http/answer/entity-tag.ts';
import { described } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import {
  type ShownTemplate,
  instantiateSchema,
  templateJson,
  templateSchema,
  templateSummaryJson,
  templateSummarySchema,
  templateTrialSchema,
} from './json.ts';
import * as notes from './notes.ts';
import { type OwnTemplateRoutesDeps, ownTemplateRoutes, PATH } from './own-routes.ts';

type AutomationTemplateRoutesDeps = AutomationRoutesDeps &
  OwnTemplateRoutesDeps & {
    readonly registry: {
      readonly devices: () => readonly Device[];
      readonly findDevice: (idOrSelector: string) => Device | undefined;
    };
    readonly scenes: { readonly findScene: (idOrSelector: string) => Scene | undefined };
  };

const ONE = `${PATH}/:id`;

/** Automations with holes: list, show, fill, cut loose, import, remove. */
export function automationTemplateRoutes(deps: AutomationTemplateRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...ownTemplateRoutes(deps), fillingRoute(deps), cuttingRoute(deps)];
}

type Own = Pick<AutomationTemplateRoutesDeps, 'templates'>;

/** The home's templates come last. One may be older than a shipped one of the same id: its automations stay with it. */
async function allTemplates({ templates }: Own): Promise<readonly ShownTemplate[]> {
  // Read with the first question: most requests need none of them.
  const { SHIPPED_TEMPLATES } = await import('#core/automation-template/shipped/shipped-templates.ts');
  const shipped = SHIPPED_TEMPLATES.filter(({ id }) => templates.find(id) === undefined);
  return [
    ...shipped.map((template) => ({ template, isBuiltIn: true })),
    ...templates.templates().map((template) => ({ template, isBuiltIn: false })),
  ];
}

async function templateOf(
  deps: Own,
  { params }: { readonly params: Readonly<Record<string, string>> },
): Promise<ShownTemplate> {
  return requireThing(
    (await allTemplates(deps)).find(({ template }) => template.id === params['id']),
    'template',
  );
}

/** Finds a template, with the messages of its automations in the language of the hub: they are written into each once. */
async function templateToFill(
  deps: AutomationTemplateRoutesDeps,
  request: { readonly params: Readonly<Record<string, string>> },
): Promise<ShownTemplate> {
  const { template, isBuiltIn } = await templateOf(deps, request);
  if (!isBuiltIn) return { template, isBuiltIn };
  const { saidIn } = await import('#core/automation-template/shipped/worded.ts');
  return { template: saidIn(deps.templates.messages(), template), isBuiltIn };
}

function readingRoutes(deps: AutomationTemplateRoutesDeps): readonly Route[] {
  const { registry, automations } = deps;
  return [
    defineRoute({
      id: 'listAutomationTemplates',
      method: 'GET',
      path: PATH,
      summary: 'List the templates of automations',
      tag: 'Automation',
      note: notes.listAutomationTemplates,
      access: 'automation:read',
      answers: { 200: z.array(templateSummarySchema) },
      handle: async () => ({ status: 200, json: await listed(deps) }),
    }),
    defineRoute({
      id: 'getAutomationTemplate',
      method: 'GET',
      path: ONE,
      summary: 'Show one template and the devices that fit',
      tag: 'Automation',
      note: notes.getAutomationTemplate,
      access: 'automation:read',
      answers: { 200: templateSchema },
      handle: async (request) => {
        const shown = await templateOf(deps, request);
        return { status: 200, json: templateJson(shown, registry.devices(), automations.automations()) };
      },
    }),
  ];
}

async function listed(deps: Own) {
  return (await allTemplates(deps)).map(({ template, isBuiltIn }) => templateSummaryJson(template, isBuiltIn));
}

function fillingRoute(deps: AutomationTemplateRoutesDeps): Route {
  const { automations, wallMs } = deps;
  return defineRoute({
    id: 'instantiateAutomationTemplate',
    method: 'POST',
    path: `${ONE}/instantiate`,
    summary: 'Make an automation of a template',
    tag: 'Automation',
    note: notes.instantiateAutomationTemplate,
    access: 'automation:manage',
    query: z.object({
      dry_run: described('`true`: makes nothing, and shows what would be made.', z.optional(z.boolean())),
    }),
    body: jsonBody(instantiateSchema),
    answers: { 200: z.union([automationSavedSchema, templateTrialSchema]), 201: automationSavedSchema },
    audit: (request, { status, auditDetail }) =>
      request.query.dry_run === true
        ? undefined
        : { type: status === 201 ? 'automation.added' : 'automation.changed', detail: auditDetail },
    handle: async (request) => {
      const { template, isBuiltIn } = await templateToFill(deps, request);
      const { body, query, params } = request;
      const caller = callerOf(request);
      const old =
        body.automation === undefined
          ? undefined
          : ownAutomationOf(deps, { ...request, params: { ...params, selector: body.automation } });
      const { use, definition, warnings } = filledDocument(deps, template, { caller, old, inputs: body.inputs });
      if (query.dry_run === true) {
        const { triggers, conditions, steps } = definitionJson(definition, deps, {});
        const differences = old === undefined ? [] : differencesOf(old.definition, definition);
        return { status: 200, json: { triggers, conditions, steps, differences, warnings } };
      }
      requireRights(deps, definition, caller);
      const { name, room, enabled } = body;
      const details = readDetails(deps, { name, room, enabled });
      const signer = signerOf(caller, wallMs());
      const note = `template ${template.id} ${template.version}`;
      // A template may be somebody else's; what is typed into it is not.
      const wroteUrl = (url: string): boolean => Object.values(body.inputs ?? {}).includes(url);
      if (old !== undefined) {
        const change = { definition, details, signer, note, template: use, wroteUrl };
        const record = await automations.save(old.id, change, changeTerms(deps, request, definition)(old));
        return showAutomation(deps, request, { record, old, warnings });
      }
      const usual = { name: template.name, description: '', roomId: null, labels: [], enabled: isBuiltIn };
      const record = await automations.create(
        { ...usual, ...details, definition, template: use, signer, note, wroteUrl },
        { authorize: () => requireRights(deps, definition, request.authorize()) },
      );
      const answer = showCreated(
        automationResource(viewFor(deps, request), record, { warnings }),
        `${AUTOMATIONS}/${record.selector}`,
      );
      return { ...answer, auditDetail: record.selector };
    },
  });
}

type Filling = {
  readonly caller: Caller;
  readonly old: AutomationRecord | undefined;
  readonly inputs: Readonly<Record<string, unknown>> | undefined;
};

/** The definition that the template gives. Throws HubError as `readDocument` does, and for inputs that do not fit. */
function filledDocument(
  deps: AutomationTemplateRoutesDeps,
  template: Template,
  { caller, old, inputs }: Filling,
): ReadDocument & { readonly use: TemplateUse } {
  if (old !== undefined && old.template?.id !== template.id) {
    throw new HubError('NOT_FOUND', 'This automation was not made of this template.');
  }
  // An input that a newer version has no more is no fault of the person.
  const kept = Object.entries(old?.template?.inputs ?? {}).filter(([name]) => Object.hasOwn(template.inputs, name));
  const given = { ...Object.fromEntries(kept), ...(inputs as JsonObject | undefined) };
  const home = { ...deps.registry, findRoom: deps.findRoom, findScene: deps.scenes.findScene };
  const reading = readInputs(template, given, home);
  if (reading.values === undefined) throw validationFailed(reading.errors);
  const document = fillTemplate(template.definition, reading.values);
  if (document === undefined || !isJsonObject(document)) {
    throw new HubError('PAYLOAD_TOO_LARGE', 'With these inputs the automation would be too large.');
  }
  const read = readDocument(deps, document, { caller, old, isWhole: true });
  return { ...read, use: { id: template.id, version: template.version, inputs: { ...reading.values } } };
}

function cuttingRoute(deps: AutomationTemplateRoutesDeps): Route {
  return defineRoute({
    id: 'removeAutomationTemplateLink',
    method: 'DELETE',
    path: `${AUTOMATION}/template`,
    summary: 'Cut an automation loose from its template',
    tag: 'Automation',
    note: notes.removeAutomationTemplateLink,
    access: 'automation:manage',
    answers: { 204: null },
    audit: 'automation.changed',
    handle: async (request) => {
      const cut = async (): Promise<string> => {
        const old = ownAutomationOf(deps, request);
        const { id, definition, signer, revision: ifRevision, selector } = old;
        // The same definition makes no version, and keeps its signer.
        const change = { definition, signer, note: null, template: null };
        await deps.automations.save(id, change, { ...changeTerms(deps, request, null)(old), ifRevision });
        return selector;
      };
      return { status: 204, auditDetail: await changeAsRead(request, cut) };
    },
  });
}
