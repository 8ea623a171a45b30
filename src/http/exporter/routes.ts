import { z } from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import type { Exporters, ExporterSettings, ExporterType, KnownExporter } from '#core/exporter/exporter.ts';
import { hostOfUrl } from '#core/webhook/webhook.ts';
import { callerOf, insufficientScope, ownsHub } from '#http/rights/access.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
import { type ExporterReadDeps, readExporterChange } from './change.ts';
import {
  exporterCreateSchema,
  exporterJson,
  exporterReplaySchema,
  exporterSchema,
  exporterUpdateSchema,
  exportTestJson,
  exportTestSchema,
  startFrom,
} from './json.ts';
import * as notes from './notes.ts';

type ExporterRoutesDeps = Omit<ExporterReadDeps, 'findDevice'> & {
  readonly registry: Pick<ExporterReadDeps, 'findDevice'>;
  readonly exporters: Exporters;
};

/** What a change of settings needs to know of the home. */
function readDeps({ registry, ...rest }: ExporterRoutesDeps): ExporterReadDeps {
  return { ...rest, ...registry };
}

const PATH = '/api/v1/exporter';
const ONE = '/api/v1/exporter/:id';
const shared = { tag: 'Exporter', access: 'hub:manage' } as const;

/** Receivers on the local network that get the samples of the history, without a gap. */
export function exporterRoutes(deps: ExporterRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), createRoute(deps), updateRoute(deps), removeRoute(deps), ...actionRoutes(deps)];
}

function readingRoutes({ exporters }: ExporterRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      ...shared,
      id: 'listExporters',
      method: 'GET',
      path: PATH,
      summary: 'List the exporters',
      answers: { 200: z.array(exporterSchema) },
      handle: (request) => {
        const caller = callerOf(request);
        return { status: 200, json: exporters.exporters().map((known) => exporterJson(known, caller)) };
      },
    }),
    defineRoute({
      ...shared,
      id: 'getExporter',
      method: 'GET',
      path: ONE,
      summary: 'Show how an exporter fares',
      answers: { 200: exporterSchema },
      handle: (request) => {
        const known = exporterOf(exporters, request.params);
        return { status: 200, json: exporterJson(known, callerOf(request)) };
      },
    }),
  ];
}

function createRoute(deps: ExporterRoutesDeps): Route {
  return defineRoute({
    ...shared,
    id: 'createExporter',
    method: 'POST',
    path: PATH,
    summary: 'Add an exporter',
    note: notes.createExporter,
    body: jsonBody(exporterCreateSchema),
    answers: { 201: exporterSchema },
    audit: 'exporter.added',
    handle: async (request) => {
      const { type, from = 'now', ...change } = request.body;
      const caller = callerOf(request);
      const read = readExporterChange(change, nothingSet(type), { ...readDeps(deps), caller });
      const authorize = (): void => {
        const now = request.authorize();
        if (read.settings.mayReachHub && !ownsHub(now)) throw insufficientScope('system:manage');
      };
      const added = await deps.exporters.addExporter({ ...read, from: startFrom(from) }, { authorize });
      return {
        status: 201,
        json: exporterJson(added, caller),
        headers: { Location: `${PATH}/${added.exporter.id}` },
        auditDetail: placeOf(added),
      };
    },
  });
}

function updateRoute(deps: ExporterRoutesDeps): Route {
  return defineRoute({
    ...shared,
    id: 'updateExporter',
    method: 'PATCH',
    path: ONE,
    summary: 'Change an exporter',
    note: notes.updateExporter,
    body: mergePatchBody(exporterUpdateSchema),
    answers: { 200: exporterSchema },
    audit: 'exporter.changed',
    handle: async (request) => {
      const { params, body, authorize } = request;
      const { exporter } = exporterOf(deps.exporters, params);
      const change = (old: ExporterSettings) =>
        readExporterChange(body, old, { ...readDeps(deps), caller: authorize() });
      const changed = await deps.exporters.updateExporter(exporter.id, change, { authorize });
      return { status: 200, json: exporterJson(changed, callerOf(request)), auditDetail: placeOf(changed) };
    },
  });
}

function removeRoute({ exporters }: ExporterRoutesDeps): Route {
  return defineRoute({
    ...shared,
    id: 'removeExporter',
    method: 'DELETE',
    path: ONE,
    summary: 'Remove an exporter; the receiver keeps what it has',
    answers: { 204: null },
    audit: 'exporter.removed',
    handle: async ({ params, authorize }) => {
      const known = exporterOf(exporters, params);
      await exporters.removeExporter(known.exporter.id, { authorize });
      return { status: 204, auditDetail: placeOf(known) };
    },
  });
}

function actionRoutes({ exporters }: ExporterRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      ...shared,
      id: 'testExporter',
      method: 'POST',
      path: `${ONE}/test`,
      summary: 'Try the receiver of an exporter now',
      note: notes.testExporter,
      answers: { 200: exportTestSchema },
      audit: { unaudited: 'it sends a test to a receiver whose address is in the log since it was set' },
      handle: async (request) => {
        const { authorize } = request;
        const { exporter } = exporterOf(exporters, request.params);
        const test = await exporters.testExporter(exporter.id, { authorize });
        return { status: 200, json: exportTestJson(test, callerOf(request)) };
      },
    }),
    defineRoute({
      ...shared,
      id: 'replayExporter',
      method: 'POST',
      path: `${ONE}/replay`,
      summary: 'Send the history to a receiver again',
      note: notes.replayExporter,
      body: jsonBody(exporterReplaySchema),
      answers: { 200: exporterSchema },
      audit: 'exporter.replayed',
      handle: async (request) => {
        const { authorize, body, params } = request;
        const { exporter } = exporterOf(exporters, params);
        const replayed = await exporters.replayExporter(exporter.id, startFrom(body.from), { authorize });
        return { status: 200, json: exporterJson(replayed, callerOf(request)), auditDetail: placeOf(replayed) };
      },
    }),
  ];
}

function nothingSet(type: ExporterType): ExporterSettings {
  const filter = { deviceIds: null, roomIds: null, keys: null };
  return { type, name: null, url: null, broker: null, mayReachHub: false, filter, enabled: true };
}

function placeOf({ exporter: { url, broker } }: KnownExporter): string {
  return url === null ? (broker ?? '') : hostOfUrl(url);
}

function exporterOf(exporters: Exporters, params: Readonly<Record<string, string>>): KnownExporter {
  const found = exporters.findExporter(params['id'] ?? '');
  if (found === undefined) throw new HubError('NOT_FOUND', 'There is no such exporter.');
  return found;
}
