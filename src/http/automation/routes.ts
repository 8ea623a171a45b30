import * as z from 'zod/mini';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { cursorOf, listResource, showCreated, showIfChanged } from '#http/answer/resource.ts';
import { changeAsRead } from '#http/answer/entity-tag.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { checkRoutes } from './checks.ts';
import { readDetails, readDocument, requireRights, signerOf } from './document.ts';
import { automationListedJson } from './encode.ts';
import {
  automationCreateSchema,
  automationSavedSchema,
  automationSchema,
  automationListedSchema,
  automationSummarySchema,
  automationUpdateSchema,
} from './json.ts';
import * as notes from './notes.ts';
import {
  automationOf,
  automationResource,
  type AutomationRoutesDeps,
  changeTerms,
  documentBody,
  ONE,
  ownAutomationOf,
  PATH,
  showAutomation,
  viewFor,
} from './shown.ts';
import { stateRoutes } from './state.ts';
import { versionRoutes } from './versions.ts';
import { described } from '#http/note/described.ts';

/** The automations: list, show, add, change, remove, and what can be asked about each. */
export function automationRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  return [
    ...readingRoutes(deps),
    createRoute(deps),
    ...changingRoutes(deps),
    removeRoute(deps),
    ...stateRoutes(deps),
    ...versionRoutes(deps),
    ...checkRoutes(deps),
  ];
}

const filterSchema = z.object({
  room: described('Only those of this room: its id or selector.', z.optional(z.string())),
  label: described('Only those that have this label.', z.optional(z.string())),
  device: described('Only those that name this device: its id or selector.', z.optional(z.string())),
  state: described('Only those in this state.', z.optional(automationSummarySchema.shape.state)),
  deleted: described('`true`: those in the trash, and no others.', z.optional(z.boolean())),
});
type Filter = z.infer<typeof filterSchema>;

function readingRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  const { automations } = deps;
  return [
    defineRoute({
      id: 'listAutomations',
      method: 'GET',
      path: PATH,
      summary: 'List the automations',
      tag: 'Automation',
      note: notes.listAutomations,
      access: 'automation:read',
      query: filterSchema,
      answers: { 200: z.array(automationListedSchema), 304: null },
      handle: (request) => {
        const { query, header } = request;
        const view = viewFor(deps, request);
        const all = query.deleted === true ? automations.trash() : automations.automations();
        const fits = filterOf(deps, query);
        const json = all.filter(fits).map((record) => automationListedJson(record, view));
        const shown = query.state === undefined ? json : json.filter(({ state }) => state === query.state);
        return showIfChanged(listResource(shown, cursorOf(deps)), header);
      },
    }),
    defineRoute({
      id: 'getAutomation',
      method: 'GET',
      path: ONE,
      summary: 'Show one automation',
      tag: 'Automation',
      note: notes.getAutomation,
      access: 'automation:read',
      answers: { 200: automationSchema, 304: null },
      handle: (request) =>
        showIfChanged(automationResource(viewFor(deps, request), automationOf(deps, request)), request.header),
    }),
  ];
}

function filterOf(
  { findRoom, automations, registry }: AutomationRoutesDeps,
  { room, label, device }: Filter,
): (record: AutomationRecord) => boolean {
  const roomId = room === undefined ? undefined : (findRoom(room)?.id ?? room);
  const deviceId = device === undefined ? undefined : (registry.findDevice(device)?.id ?? device);
  return (record) =>
    (roomId === undefined || record.roomId === roomId) &&
    (label === undefined || record.labels.includes(label)) &&
    (deviceId === undefined ||
      ['device', 'group'].some((kind) => automations.referencesOf(record.id).has(`${kind}/${deviceId}`)));
}

function createRoute(deps: AutomationRoutesDeps): Route {
  const { automations, wallMs } = deps;
  return defineRoute({
    id: 'createAutomation',
    method: 'POST',
    path: PATH,
    summary: 'Add an automation',
    tag: 'Automation',
    note: notes.createAutomation,
    access: 'automation:manage',
    body: documentBody(automationCreateSchema),
    answers: { 201: automationSavedSchema },
    audit: 'automation.added',
    handle: async (request) => {
      const { body } = request;
      const caller = callerOf(request);
      const { definition, warnings } = readDocument(deps, body, { caller, isWhole: true });
      requireRights(deps, definition, caller);
      const usual = { description: '', roomId: null, labels: [], enabled: true, template: null };
      const record = await automations.create(
        {
          ...usual,
          ...readDetails(deps, body),
          name: body.name,
          definition,
          signer: signerOf(caller, wallMs()),
          note: body.note ?? null,
        },
        { authorize: () => requireRights(deps, definition, request.authorize()) },
      );
      const answer = showCreated(
        automationResource(viewFor(deps, request), record, { warnings }),
        `${PATH}/${record.selector}`,
      );
      return { ...answer, auditDetail: record.selector };
    },
  });
}

function changingRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  const { automations, wallMs } = deps;
  return (['PUT', 'PATCH'] as const).map((method) =>
    defineRoute({
      id: method === 'PUT' ? 'setAutomation' : 'updateAutomation',
      method,
      path: ONE,
      summary: method === 'PUT' ? 'Replace what an automation does' : 'Change an automation',
      tag: 'Automation',
      note: method === 'PUT' ? notes.setAutomation : notes.updateAutomation,
      access: 'automation:manage',
      body: {
        ...documentBody(automationUpdateSchema),
        ...(method === 'PATCH' && { mediaTypes: ['application/merge-patch+json'] }),
      },
      answers: { 200: automationSavedSchema },
      audit: 'automation.changed',
      handle: async (request) => {
        const old = ownAutomationOf(deps, request);
        const { body } = request;
        const caller = callerOf(request);
        const isWhole = method === 'PUT';
        const details = readDetails(deps, body);
        if (!isWhole && Object.keys(body).every((name) => DETAILS.has(name))) {
          const record = await automations.change(
            old.id,
            details,
            changeTerms(deps, request, details.enabled === true ? 'enabled' : null)(old),
          );
          return showAutomation(deps, request, { record, warnings: [] });
        }
        const save = async (present: AutomationRecord) => {
          const { definition, warnings } = readDocument(deps, body, { old: present, caller, isWhole });
          const terms = changeTerms(deps, request, definition)(present);
          const change = { definition, details, signer: signerOf(caller, wallMs()), note: body.note ?? null };
          // What a body leaves out is what the document has at that moment.
          const asRead = isWhole ? terms : { ...terms, ifRevision: present.revision };
          return { record: await automations.save(present.id, change, asRead), old: present, warnings };
        };
        return showAutomation(deps, request, await changeAsRead(request, () => save(ownAutomationOf(deps, request))));
      },
    }),
  );
}

const DETAILS: ReadonlySet<string> = new Set(['name', 'description', 'room', 'labels', 'enabled', 'note']);

function removeRoute(deps: AutomationRoutesDeps): Route {
  return defineRoute({
    id: 'removeAutomation',
    method: 'DELETE',
    path: ONE,
    summary: 'Put an automation into the trash',
    tag: 'Automation',
    note: notes.removeAutomation,
    access: 'automation:manage',
    answers: { 204: null },
    audit: 'automation.removed',
    handle: async (request) => {
      const old = ownAutomationOf(deps, request);
      await deps.automations.remove(old.id, changeTerms(deps, request, null)(old));
      return { status: 204, auditDetail: old.selector };
    },
  });
}
