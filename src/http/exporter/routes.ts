import type { Exporters, ExporterSettings, ExporterType, KnownExporter } from '#core/exporter/exporter.ts';
import { hostOfUrl } from '#core/webhook/webhook.ts';
import { callerOf } from '#http/rights/access.ts';
import { receiverRoutes } from '#http/routing/receiver-routes.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
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

/** Picks what a change of settings needs to know of the home. */
function readDeps({ registry, ...rest }: ExporterRoutesDeps): ExporterReadDeps {
  return { ...rest, ...registry };
}

const PATH = '/api/v1/exporter';

/** Receivers on the local network that get the samples of the history, without a gap. */
export function exporterRoutes(deps: ExporterRoutesDeps): readonly Route[] {
  const { exporters } = deps;
  const exporter = receiverRoutes<KnownExporter>({
    noun: 'exporter',
    audit: 'exporter',
    tag: 'Exporter',
    access: 'hub:manage',
    path: PATH,
    schema: exporterSchema,
    find: exporters.findExporter,
    idOf: (known) => known.exporter.id,
    json: exporterJson,
    placeOf,
  });
  return [
    exporter.list({ id: 'listExporters', summary: 'List the exporters' }, (caller) =>
      exporters.exporters().map((known) => exporterJson(known, caller)),
    ),
    exporter.show({ id: 'getExporter', summary: 'Show how an exporter fares', note: notes.getExporter }),
    exporter.create(
      {
        id: 'createExporter',
        summary: 'Add an exporter',
        note: notes.createExporter,
        body: jsonBody(exporterCreateSchema),
      },
      ({ type, from = 'now', ...change }, caller) => {
        const read = readExporterChange(change, nothingSet(type), { ...readDeps(deps), caller });
        const { mayReachHub } = read.settings;
        return { mayReachHub, add: (given) => exporters.addExporter({ ...read, from: startFrom(from) }, given) };
      },
    ),
    exporter.update(
      {
        id: 'updateExporter',
        summary: 'Change an exporter',
        note: notes.updateExporter,
        body: mergePatchBody(exporterUpdateSchema),
      },
      ({ exporter: { id } }, body, authorize) => {
        const change = (old: ExporterSettings) =>
          readExporterChange(body, old, { ...readDeps(deps), caller: authorize() });
        return exporters.updateExporter(id, change, { authorize });
      },
    ),
    exporter.remove(
      {
        id: 'removeExporter',
        summary: 'Remove an exporter; the receiver keeps what it has',
        note: notes.removeExporter,
      },
      (known, given) => exporters.removeExporter(known.exporter.id, given),
    ),
    exporter.test(
      {
        id: 'testExporter',
        summary: 'Try the receiver of an exporter now',
        note: notes.testExporter,
        schema: exportTestSchema,
      },
      async (known, request) =>
        exportTestJson(
          await exporters.testExporter(known.exporter.id, { authorize: request.authorize }),
          callerOf(request),
        ),
    ),
    replayRoute(exporters, exporter.itemOf),
  ];
}

function replayRoute(
  exporters: Exporters,
  exporterOf: (request: Pick<RouteRequest<unknown, unknown>, 'params' | 'caller'>) => KnownExporter,
): Route {
  return defineRoute({
    id: 'replayExporter',
    method: 'POST',
    path: `${PATH}/:id/replay`,
    summary: 'Send the history to a receiver again',
    tag: 'Exporter',
    note: notes.replayExporter,
    access: 'hub:manage',
    body: jsonBody(exporterReplaySchema),
    answers: { 200: exporterSchema },
    audit: 'exporter.replayed',
    handle: async (request) => {
      const { authorize, body } = request;
      const { id } = exporterOf(request).exporter;
      const replayed = await exporters.replayExporter(id, startFrom(body.from), { authorize });
      return { status: 200, json: exporterJson(replayed, callerOf(request)), auditDetail: placeOf(replayed) };
    },
  });
}

function nothingSet(type: ExporterType): ExporterSettings {
  const filter = { deviceIds: null, roomIds: null, keys: null };
  return { type, name: null, url: null, broker: null, mayReachHub: false, filter, enabled: true };
}

function placeOf({ exporter: { url, broker } }: KnownExporter): string {
  return url === null ? (broker ?? '') : hostOfUrl(url);
}
