import { z } from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import { visibilityFor } from '#auth/visibility.ts';
import { ARCHIVE_FORMATS, ARCHIVE_TEXTS, type ArchiveFormat } from '#core/archive/sample-text.ts';
import type { Device } from '#core/device/device.ts';
import type { HistoryStore } from '#core/history/history-store.ts';
import { seriesKindOf } from '#core/history/recorded-feature.ts';
import { seriesOf } from '#core/history/recorder.ts';
import type { Sample } from '#core/history/sample.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import { described } from '#http/reference/described.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#http/routing/route.ts';
import * as notes from './notes.ts';
import { readMoment } from './query.ts';
import { MEDIA_TYPE_OF } from './text.ts';

export type ExportRouteDeps = {
  readonly history: Pick<HistoryStore, 'listSeries' | 'readSlice'>;
  /** Hub time. */
  readonly nowMs: () => number;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
};

const RIGHT = 'history:read';
/** Each takes the storage's thread for a slice at a time, for as long as its reader takes. */
const AT_ONCE = 2;
const RETRY_AFTER_S = '30';
const CHUNK_CHARACTERS = 65_536;
const FIRST_MS = 0;

const querySchema = z.strictObject({
  format: described(
    'CSV has the columns `series`, `at`, `value` and `gap`; `ndjson` a JSON object in each line, the last of which is `{"end": true, "samples": …}`. `csv` if absent.',
    z.optional(z.enum(ARCHIVE_FORMATS)),
  ),
  from: described('RFC 3339, or before now as `-30d`. Everything that is kept if absent.', z.optional(momentSchema())),
  to: described('Now if absent.', z.optional(momentSchema())),
  series: described(
    'As `GET /api/v1/history/series` shows them; all that the caller may see if absent.',
    z.optional(z.array(z.string().check(z.minLength(3), z.maxLength(300))).check(z.minLength(1), z.maxLength(50))),
  ),
  cursor: described(
    'Goes on after an answer that broke off: series and time of its last whole line, as `kitchen-sensor/temperature@2026-11-22T10:00:00.000Z`. The samples of that time come again.',
    z.optional(z.string().check(z.maxLength(400))),
  ),
});
type ExportQuery = z.infer<typeof querySchema>;

function momentSchema() {
  return z.string().check(z.maxLength(40));
}

/** Streams samples as text: a year of them takes no more memory than an hour. */
export function exportRoute(deps: ExportRouteDeps): Route {
  const running = new Set<symbol>();
  return defineRoute({
    id: 'downloadHistory',
    method: 'GET',
    path: '/api/v1/history/export',
    summary: 'Download samples',
    tag: 'History',
    note: notes.downloadHistory,
    access: RIGHT,
    query: querySchema,
    answers: { 200: null },
    handle: (request) => {
      const plan = planOf(deps, request);
      if (running.size >= AT_ONCE) {
        throw new HubError('OVERLOADED', `There are ${AT_ONCE} exports under way already.`, {
          headers: { 'Retry-After': RETRY_AFTER_S },
        });
      }
      const run = Symbol('export');
      // A request for the head alone reads nothing.
      if (request.isHead) return answerOf(plan, request, new ReadableStream());
      running.add(run);
      request.signal().addEventListener('abort', () => running.delete(run), { once: true });
      const text = exportText(deps, plan, request);
      return answerOf(
        plan,
        request,
        streamOf(text, () => running.delete(run)),
      );
    },
  });
}

type Plan = {
  readonly format: ArchiveFormat;
  readonly fromMs: number;
  readonly toMs: number;
  /** The names of series in storage; `undefined` for all. */
  readonly names: readonly string[] | undefined;
  readonly start: { readonly name: string; readonly atMs: number } | undefined;
};

function planOf({ registry, nowMs }: ExportRouteDeps, request: RouteRequest<ExportQuery, unknown>): Plan {
  const { format = 'csv', from, to, series, cursor } = request.query;
  const now = nowMs();
  const toMs = to === undefined ? now : Math.min(now, readMoment(to, 'to', now));
  const fromMs = from === undefined ? FIRST_MS : readMoment(from, 'from', now);
  if (fromMs >= toMs) throw new HubError('HISTORY_RANGE', 'The range ends before it begins, or begins in the future.');
  const { seesDevice } = visibilityFor(callerOf(request), RIGHT);
  const nameOf = (shown: string): string | undefined => {
    const [selector = '', key = ''] = splitOnce(shown, '/');
    const device = registry.findDevice(selector);
    const isThere = device !== undefined && seesDevice(device) && kindOf(device, key) !== null;
    return isThere ? seriesOf(device, key) : undefined;
  };
  const names = series?.map((shown) => {
    const name = nameOf(shown);
    if (name === undefined) throw new HubError('NOT_FOUND', 'There is no such device, or nothing is recorded of it.');
    return name;
  });
  const [startSeries = '', startAt = ''] = splitOnce(cursor ?? '', '@');
  const startName = nameOf(startSeries);
  const startMs = Date.parse(startAt);
  if (cursor === undefined) return { format, fromMs, toMs, names: sorted(names), start: undefined };
  if (startName === undefined || !Number.isFinite(startMs)) {
    throw new HubError('INVALID_QUERY', 'A query parameter is not valid.', {
      errors: [
        fieldError('?cursor', 'INVALID_VALUE', 'must be the series and the time of a line, with @ between them'),
      ],
    });
  }
  return { format, fromMs, toMs, names: sorted(names), start: { name: startName, atMs: startMs } };
}

function sorted(names: readonly string[] | undefined): readonly string[] | undefined {
  return names && [...new Set(names)].toSorted((left, right) => (left < right ? -1 : 1));
}

function splitOnce(text: string, by: string): readonly string[] {
  const at = text.lastIndexOf(by);
  return by === '/' ? cut(text, text.indexOf(by)) : cut(text, at);
}

function cut(text: string, at: number): readonly string[] {
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function kindOf(device: Device, key: string) {
  const feature = device.features.find((one) => one.key === key);
  return feature === undefined ? null : seriesKindOf(feature);
}

function answerOf(
  { format }: Plan,
  request: RouteRequest<ExportQuery, unknown>,
  stream: ReadableStream<Uint8Array>,
): RouteAnswer {
  const coding =
    chooseCoding(request.header('accept-encoding'), (one) => one === 'gzip') === undefined ? undefined : 'gzip';
  const headers = {
    'Content-Type': MEDIA_TYPE_OF[format],
    'Content-Disposition': `attachment; filename="history.${format}"`,
    Vary: 'Origin, Accept-Encoding',
  };
  if (coding === undefined) return { status: 200, bytes: stream, headers };
  // The types of Node's stream and of the DOM differ in what they take.
  const packing = new CompressionStream(coding) as unknown as TransformStream<Uint8Array, Uint8Array>;
  return { status: 200, bytes: stream.pipeThrough(packing), headers: { ...headers, 'Content-Encoding': coding } };
}

/** The text in pieces. It is read only as fast as it is taken. */
async function* exportText(
  { history, registry }: ExportRouteDeps,
  plan: Plan,
  request: RouteRequest<ExportQuery, unknown>,
): AsyncGenerator<string, void> {
  const { head, line, foot } = ARCHIVE_TEXTS[plan.format];
  let text = head;
  let count = 0;
  for await (const name of namesOf(history, plan)) {
    const shown = (): string | undefined => {
      // The caller's rights and the devices may change while the text is read.
      const { seesDevice } = visibilityFor(request.authorize(), RIGHT);
      const [id = '', key = ''] = splitOnce(name, '/');
      const device = registry.findDevice(id);
      const isThere = device?.id === id && seesDevice(device) && kindOf(device, key) !== null;
      return isThere ? `${device.selector}/${key}` : undefined;
    };
    const isStart = name === plan.start?.name;
    const fromMs = isStart ? Math.max(plan.fromMs, plan.start.atMs) : plan.fromMs;
    const range = { series: name, fromMs, toMs: plan.toMs };
    let series = shown();
    for (let after: number | null = null; series !== undefined;) {
      const slice = await history.readSlice(range, after);
      series = shown();
      if (series === undefined) break;
      for (const [index, known] of slice.values.entries()) {
        const value = known ?? slice.gaps.get(index);
        if (value === undefined) continue;
        const sample: Sample = { atMs: slice.timesMs[index] ?? 0, value };
        text += line(series, sample);
        count += 1;
        if (text.length < CHUNK_CHARACTERS) continue;
        yield text;
        text = '';
      }
      if (slice.next === null) break;
      after = slice.next;
    }
  }
  request.authorize();
  yield text + foot(count);
}

/** In the order of their names, from the start on. */
async function* namesOf(
  { listSeries }: ExportRouteDeps['history'],
  { names, start, fromMs, toMs }: Plan,
): AsyncGenerator<string, void> {
  const isDue = (name: string): boolean => start === undefined || name >= start.name;
  if (names !== undefined) {
    yield* names.filter(isDue);
    return;
  }
  for (let after: string | null = null; ;) {
    const page = await listSeries(after);
    for (const { name, firstMs, lastMs } of page.series) {
      if (isDue(name) && firstMs < toMs && lastMs >= fromMs) yield name;
    }
    if (page.next === null) return;
    after = page.next;
  }
}

/** One piece each time the client has room for one. */
function streamOf(text: AsyncGenerator<string, void>, onEnd: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
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
