import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import {
  importArchive,
  type ImportResult,
  importRefusal,
  type ImportTurn,
  textFromBytes,
} from '#core/past/archive/archive-import.ts';
import type { ArchiveFormat } from '#core/past/archive/sample-text.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named } from '#http/note/described.ts';
import { tooLarge } from '#http/routing/json-body.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import { paceUpload, type UploadPaceDeps } from '#http/routing/upload-pace.ts';
import type { SeenSeriesFinder } from '#http/series/named-series.ts';
import * as notes from './notes.ts';

export type ImportRouteDeps = UploadPaceDeps & {
  readonly history: Pick<HistoryStore, 'readSlice' | 'importSamples'>;
  /** Hub time. */
  readonly nowMs: () => number;
  readonly series: SeenSeriesFinder;
  readonly importTurn: ImportTurn;
};

/** Half a million samples, which take some 20 MB of memory. */
const MAX_BYTES = 16 * 1024 * 1024;
const FORMAT_OF: Readonly<Record<string, ArchiveFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
};

const querySchema = z.strictObject({
  dry_run: described('Finds every fault and counts, but changes nothing.', z.optional(z.boolean())),
  unknown: described(
    'What to do with lines of series that the hub does not record: `refuse` the import, or `skip` them. `refuse` if absent.',
    z.optional(z.enum(['refuse', 'skip'])),
  ),
});
type ImportQuery = z.infer<typeof querySchema>;

const importResultSchema = named(
  'HistoryImport',
  z.object({
    dry_run: described('`true`: nothing was imported, and the numbers are what would be.', z.boolean()),
    lines: described('Lines with a sample.', z.int()),
    added: described('Samples that were not there; with `dry_run` those that would be added.', z.int()),
    known: described('Samples whose series has one at that time already, which stays.', z.int()),
    skipped: described('Lines of series that the hub does not record.', z.int()),
    series: described('What came to each series.', z.int()),
    from: described('Time of the first sample; `null` without any.', z.nullable(timeSchema)),
    to: described('The time of its last sample.', z.nullable(timeSchema)),
  }),
);

/** Takes samples of the past. */
export function importRoute(deps: ImportRouteDeps): Route {
  return defineRoute({
    id: 'importHistory',
    method: 'POST',
    path: '/api/v1/history/import',
    summary: 'Import samples',
    tag: 'History',
    note: notes.importHistory,
    access: 'system:manage',
    query: querySchema,
    answers: { 200: importResultSchema },
    audit: ({ query }) => (query.dry_run === true ? undefined : { type: 'history.imported' }),
    handle: async (request) => {
      const { format, stream } = readHead(request);
      const { dry_run: isDryRun = false, unknown } = request.query;
      const result = await deps.importTurn(() =>
        importArchive({ ...deps, findSeries: deps.series.find }, textFromBytes(paceUpload(limited(stream), deps)), {
          format,
          isDryRun,
          skipUnknown: unknown === 'skip',
          authorize: request.authorize,
        }),
      );
      if (result.faultCount > 0) throw importRefusal(result);
      return { status: 200, json: resultJson(result, isDryRun) };
    },
  });
}

function readHead(request: RouteRequest<ImportQuery, unknown>) {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const format = FORMAT_OF[mediaType];
  if (format === undefined) {
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', 'Send the samples as text/csv or application/x-ndjson.');
  }
  if (Number(request.header('content-length') ?? 0) > MAX_BYTES) throw tooLarge(MAX_BYTES);
  const stream = request.stream();
  if (stream === null) throw new HubError('INVALID_IMPORT', 'The body is empty: send samples.');
  return { format, stream };
}

async function* limited(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw tooLarge(MAX_BYTES);
    yield chunk;
  }
}

function resultJson(
  { lines, added, duplicates, skipped, series, fromMs, toMs }: ImportResult,
  isDryRun: boolean,
): z.infer<typeof importResultSchema> {
  return {
    dry_run: isDryRun,
    lines,
    added,
    known: duplicates,
    skipped,
    series,
    from: timeJson(fromMs),
    to: timeJson(toMs),
  };
}
