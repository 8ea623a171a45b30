import * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import type { JsonObject } from '#base/json.ts';
import { HubError } from '#base/hub-error.ts';
import { createStepSlices } from '#base/work-slices.ts';
import { findMapped } from '#core/automation/document/read-definition.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { timeJson } from '#http/answer/time-json.ts';
import { signerOf } from '#http/automation/document.ts';
import { automationOf, type AutomationRoutesDeps, PATH } from '#http/automation/shown.ts';
import { described } from '#http/note/described.ts';
import { callerOf, insufficientScope } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route, type RouteBody } from '#http/routing/route.ts';
import {
  type AutomationImport,
  automationBundleSchema,
  automationImportedSchema,
  automationImportSchema,
  BUNDLE_FORMAT,
} from './json.ts';
import * as notes from './notes.ts';
import { readBundle, refuseIncomplete, requireAllRights } from './read-bundle.ts';

const MIB = 1024 * 1024;
const MOST_BYTES = 4 * MIB;
const MOST_MEMBERS = 200_000;
/** Each takes a millisecond or two. */
const AT_ONCE = 4;

/** Automations as one document, for another hub or for keeping. */
export function automationTransferRoutes(deps: AutomationRoutesDeps): readonly Route[] {
  return [exportRoute(deps), importRoute(deps)];
}

function exportRoute(deps: AutomationRoutesDeps): Route {
  const { automations, wallMs } = deps;
  return defineRoute({
    id: 'exportAutomations',
    method: 'GET',
    path: `${PATH}_export`,
    summary: 'Export automations',
    tag: 'Automation',
    note: notes.exportAutomations,
    access: 'automation:manage',
    query: z.object({
      automation: described(
        'Id or selector of the only one that is exported; by default all are.',
        z.optional(z.string()),
      ),
    }),
    answers: { 200: automationBundleSchema },
    handle: async ({ query, authorize }) => {
      requireReader(authorize());
      const asked = query.automation;
      const all =
        asked === undefined ? automations.automations() : [automationOf(deps, { params: { selector: asked } })];
      const slices = createStepSlices(AT_ONCE);
      const exported: Exported[] = [];
      const leftOut: { readonly id: string; readonly selector: string; readonly name: string }[] = [];
      let [bytes, members] = [0, 0];
      for (const record of all) {
        const one = exportedJson(record, deps);
        if (one === undefined) {
          leftOut.push({ id: record.id, selector: record.selector, name: record.name });
          continue;
        }
        exported.push(one);
        bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
        members += membersIn(one);
        if (bytes > MOST_BYTES - HEAD_BYTES || members > MOST_MEMBERS - HEAD_MEMBERS) throw tooLarge();
        const pause = slices.pause();
        if (pause !== undefined) await pause;
      }
      requireReader(authorize());
      return {
        status: 200,
        json: {
          format: BUNDLE_FORMAT,
          exported_at: timeJson(wallMs()),
          automations: exported,
          ...(leftOut.length > 0 && { left_out: leftOut }),
        },
      };
    },
  });
}

/** Throws HubError FORBIDDEN: who may change only some must not read all. */
function requireReader(caller: Caller): void {
  if (!canCaller(caller, 'automation:read', 'home')) throw insufficientScope('automation:read');
}

type Exported = NonNullable<ReturnType<typeof exportedJson>>;

/** `undefined` for one whose document cannot be read any more. */
function exportedJson(
  { id, selector, name, description, roomId, labels, definition, names }: AutomationRecord,
  { automations, findRoom }: AutomationRoutesDeps,
) {
  const room = roomId === null ? undefined : findRoom(roomId);
  const shown = findMapped(definition, (kind, reference) => {
    // What names these is what people chose as their name.
    if (kind === 'mode' || kind === 'variable' || kind === 'integration') return reference;
    const found = automations.findTarget(kind, reference) ?? names[`${kind}/${reference}`];
    const { selector: called = reference, name: shownName = reference, origin } = found ?? {};
    return { id: reference, selector: called, name: shownName, ...origin };
  });
  if (shown === undefined) return undefined;
  return {
    id,
    selector,
    name,
    description,
    room: room === undefined ? null : { id: room.id, selector: room.selector, name: room.name },
    labels: [...labels],
    ...(shown as JsonObject),
  };
}

/** An export is no larger than what an import takes. */
function tooLarge(): HubError {
  return new HubError(
    'LIMIT_REACHED',
    `All automations together are more than an import takes, which is ${MOST_BYTES / MIB} MiB. Export them one by one, with \`automation\`.`,
  );
}

/** As the import counts them: members of objects and items of lists. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside: readonly unknown[] = Object.values(value);
  return inside.reduce((sum: number, one) => sum + 1 + membersIn(one), 0);
}

/** The frame around the automations takes so much. */
const [HEAD_BYTES, HEAD_MEMBERS] = [1024, 16];

function bundleBody(): RouteBody<AutomationImport> {
  return { ...jsonBody(automationImportSchema, MOST_BYTES), maxMembers: MOST_MEMBERS, maxDepth: 128 };
}

function importRoute(deps: AutomationRoutesDeps): Route {
  const { automations, wallMs } = deps;
  return defineRoute({
    id: 'importAutomations',
    method: 'POST',
    path: `${PATH}_import`,
    summary: 'Import automations',
    tag: 'Automation',
    note: notes.importAutomations,
    access: 'automation:manage',
    once: 'answer',
    query: z.object({
      dry_run: described('`true`: keeps nothing, and says what would be imported.', z.optional(z.boolean())),
    }),
    body: bundleBody(),
    answers: { 200: automationImportedSchema },
    audit: (request, { auditDetail }) =>
      request.query.dry_run === true ? undefined : { type: 'automation.added', detail: auditDetail },
    handle: async (request) => {
      const caller = callerOf(request);
      const isTrial = request.query.dry_run === true;
      const bundle = await readBundle(deps, request.body, caller);
      const { read, matched, unresolved, rightsLost } = bundle;
      const listed = (kept: readonly AutomationRecord[]) => ({
        automations: read.map(({ details, warnings }, at) => {
          const { id = null, selector = null } = kept[at] ?? {};
          return { id, selector, name: details.name, warnings: [...warnings] };
        }),
        matched: [...matched],
        unresolved: [...unresolved],
        rights_lost: [...rightsLost],
      });
      if (isTrial) {
        request.authorize();
        return { status: 200, json: listed([]) };
      }
      refuseIncomplete(bundle);
      const signer = signerOf(caller, wallMs());
      const wanted = read.map(({ id, details, definition }) => ({
        ...details,
        id,
        definition,
        enabled: false,
        template: null,
        signer,
        note: 'imported',
        // Nobody knows who wrote what is in a file.
        wroteUrl: () => false,
      }));
      const kept = await automations.createAll(wanted, {
        authorize: () => requireAllRights(deps, read, request.authorize()),
      });
      const detail = `imported ${kept.length}: ${kept.map(({ selector }) => selector).join(' ')}`;
      return { status: 200, json: listed(kept), auditDetail: detail.slice(0, MAX_DETAIL) };
    },
  });
}

const MAX_DETAIL = 200;
