import * as z from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import { faultWords } from '#words/faults.ts';
import {
  EXPORT_FORMATS,
  exportArchive,
  type ExportFormat,
  type ExportPlan,
  planExport,
} from '#core/past/archive/archive-export.ts';
import { decimalSignOf, exportTable, type TablePlan } from '#core/past/archive/table-export.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { FindLabels } from '#core/past/archive/series-labels.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import { described, wordOf } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import type { SeenSeriesFinder } from '#http/series/named-series.ts';
import * as notes from './notes.ts';
import { MAX_SERIES, MEDIA_TYPE_OF } from './query.ts';

type ExportRouteDeps = {
  readonly history: Pick<HistoryStore, 'listSeries' | 'readSlice' | 'findBefore'>;
  /** Hub time. */
  readonly nowMs: () => number;
  readonly timeZone: () => TimeZone;
  readonly series: SeenSeriesFinder;
  readonly labelsOf: FindLabels;
};

const RIGHT = 'history:read';
/** Each takes the storage's thread for a slice at a time, for as long as its reader takes. */
const AT_ONCE = 8;
/** Who reads slowly keeps a place for hours: the others' stay free. */
const AT_ONCE_OF_PERSON = 2;
const RETRY_AFTER_S = '30';
const TYPE_OF: Readonly<Record<ExportFormat, string>> = {
  ...MEDIA_TYPE_OF,
  line_protocol: 'text/plain; charset=utf-8',
};
const ENDING_OF: Readonly<Record<ExportFormat, string>> = { csv: 'csv', ndjson: 'ndjson', line_protocol: 'lp' };

const querySchema = z.strictObject({
  format: described(
    'CSV has the columns `series`, `at`, `value` and `gap`; `ndjson` a JSON object in each line, the last of which is `{"end": true, "samples": …}`; `line_protocol` a point in each line, as an exporter sends them. `csv` if absent.',
    z.optional(wordOf('ExportFormat', EXPORT_FORMATS)),
  ),
  layout: described(
    '`samples` if absent: a line for each sample. `table` is for spreadsheets: a column for each of `series`, and a row for each moment at which one of them changed, with all values that hold there.',
    z.optional(wordOf('ExportLayout', ['samples', 'table'])),
  ),
  language: described(
    'A tag of BCP 47, as `de-AT`, for the decimal sign of a table: where it is a comma, a semicolon stands between two cells. English if absent.',
    z.optional(z.string().check(z.minLength(2), z.maxLength(35))),
  ),
  from: described('RFC 3339, or before now as `-30d`. Everything that is kept if absent.', z.optional(momentSchema())),
  to: described('Now if absent.', z.optional(momentSchema())),
  series: described(
    'As `GET /api/v1/history/series` shows them; all that the caller may see if absent.',
    z.optional(
      z.array(z.string().check(z.minLength(3), z.maxLength(300))).check(z.minLength(1), z.maxLength(MAX_SERIES)),
    ),
  ),
  cursor: described(
    'Goes on after an answer that broke off: series and time of its last whole line, as `kitchen-sensor/temperature@2026-11-22T10:00:00.000Z`. The samples of that time come again.',
    z.optional(z.string().check(z.maxLength(400))),
  ),
});
type ExportRequest = RouteRequest<z.infer<typeof querySchema>, unknown>;

function momentSchema() {
  return z.string().check(z.maxLength(40));
}

/** Streams samples as text: a year of them takes no more memory than an hour. */
export function exportRoute(deps: ExportRouteDeps): Route {
  /** Oldest first. */
  const running: Run[] = [];
  return defineRoute({
    id: 'exportHistory',
    method: 'GET',
    path: '/api/v1/history/export',
    summary: 'Download samples',
    tag: 'History',
    note: notes.exportHistory,
    access: RIGHT,
    query: querySchema,
    answers: { 200: null },
    handle: (request) => {
      const plan = planOf(deps, request);
      const table = tableOf(deps, plan, request);
      const person = callerOf(request).user.id;
      const own = countOf(running, person);
      if (own >= AT_ONCE_OF_PERSON) throw underWay(`${own} exports of this person`);
      // A request for the head alone reads nothing.
      if (request.isHead) return answerOf(plan, request, new ReadableStream());
      if (running.length >= AT_ONCE) makeRoom(running, own);
      const ending = new AbortController();
      const run: Run = { person, break: () => ending.abort(underWay('exports of more people')) };
      running.push(run);
      const end = (): void => remove(running, run);
      request.signal().addEventListener('abort', end, { once: true });
      return answerOf(plan, request, streamOf(exportText(deps, table ?? plan, request), ending.signal, end));
    },
  });
}

type Run = { readonly person: string; readonly break: () => void };

function countOf(running: readonly Run[], person: string): number {
  return running.filter((one) => one.person === person).length;
}

function remove(running: Run[], run: Run): void {
  const at = running.indexOf(run);
  if (at >= 0) running.splice(at, 1);
}

/** Who has two gives one back to somebody who has none: the newest, which has come least far. Throws HubError OVERLOADED. */
function makeRoom(running: Run[], own: number): void {
  const newest = own > 0 ? undefined : running.findLast(({ person }) => countOf(running, person) > 1);
  if (newest === undefined) throw underWay(`${AT_ONCE} exports`);
  remove(running, newest);
  newest.break();
}

function underWay(what: string): HubError {
  return new HubError('OVERLOADED', `There are ${what} under way already.`, {
    headers: { 'Retry-After': RETRY_AFTER_S },
  });
}

function planOf({ series: finder, nowMs }: ExportRouteDeps, request: ExportRequest): ExportPlan {
  const nameOf = (shown: string): string | undefined => {
    const found = finder.find(shown);
    return found?.isSeenBy(callerOf(request)) === true ? found.name : undefined;
  };
  return planExport(request.query, { nowMs: nowMs(), nameOf });
}

/** `undefined` for samples. Throws HubError INVALID_QUERY. */
function tableOf(
  { timeZone, series: finder }: ExportRouteDeps,
  { format, fromMs, toMs }: ExportPlan,
  { query }: ExportRequest,
): TablePlan | undefined {
  const { layout, language = 'en', series = [], cursor } = query;
  if (layout !== 'table') return undefined;
  const names = [...new Set(series)].map((shown) => finder.find(shown)?.name ?? '');
  const faults = [
    ...(format === 'csv' ? [] : ['format']),
    ...(names.length > 0 ? [] : ['series']),
    ...(cursor === undefined ? [] : ['cursor']),
    ...(isLanguage(language) ? [] : ['language']),
  ];
  if (faults.length === 0) return { names, fromMs, toMs, zone: timeZone(), language };
  throw new HubError('INVALID_QUERY', 'A query parameter is not valid.', {
    errors: faults.map((name) => fieldError(`?${name}`, 'INVALID_VALUE', ...faultWords('table_query'))),
  });
}

function isLanguage(tag: string): boolean {
  try {
    decimalSignOf(tag);
    return true;
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

function answerOf({ format }: ExportPlan, request: ExportRequest, stream: ReadableStream<Uint8Array>): RouteAnswer {
  const coding =
    chooseCoding(request.header('accept-encoding'), (one) => one === 'gzip') === undefined ? undefined : 'gzip';
  const headers = {
    'Content-Type': TYPE_OF[format],
    'Content-Disposition': `attachment; filename="history.${ENDING_OF[format]}"`,
    Vary: 'Origin, Accept-Encoding',
  };
  if (coding === undefined) return { status: 200, bytes: stream, headers };
  // The types of Node's stream and of the DOM differ in what they take.
  const packing = new CompressionStream(coding) as unknown as TransformStream<Uint8Array, Uint8Array>;
  return { status: 200, bytes: stream.pipeThrough(packing), headers: { ...headers, 'Content-Encoding': coding } };
}

function exportText(
  { history, series: finder, labelsOf }: ExportRouteDeps,
  plan: ExportPlan | TablePlan,
  request: ExportRequest,
): AsyncGenerator<string, void> {
  const shownAs = (name: string): string | undefined => {
    const caller = request.authorize();
    const found = finder.findStored(name);
    return found?.isSeenBy(caller) === true ? found.shown : undefined;
  };
  const authorize = (): void => void request.authorize();
  if ('format' in plan) return exportArchive({ history, shownAs, labelsOf, authorize }, plan);
  const isMoment = (name: string): boolean => finder.findStored(name)?.kind === 'event';
  return exportTable({ history, shownAs, isMoment, authorize }, plan);
}

/** One piece each time the client has room for one. */
function streamOf(
  text: AsyncGenerator<string, void>,
  signal: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start: (controller) =>
        signal.addEventListener(
          'abort',
          () => {
            controller.error(signal.reason);
            void text.return();
          },
          { once: true },
        ),
      pull: async (controller) => {
        try {
          const { done, value } = await text.next();
          if (done !== true) {
            controller.enqueue(Buffer.from(value));
            return;
          }
          onEnd();
          controller.close();
        } catch (cause) {
          onEnd();
          throw cause;
        }
      },
      cancel: async () => {
        onEnd();
        await text.return();
      },
    },
    { highWaterMark: 0 },
  );
}
