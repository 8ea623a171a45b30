import { fieldError, HubError } from '#base/hub-error.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { lineOf } from './line-protocol.ts';
import { readMoment } from './read-moment.ts';
import { ARCHIVE_FORMATS, ARCHIVE_TEXTS, type ArchiveText } from './sample-text.ts';
import type { FindLabels } from './series-labels.ts';
import { faultWords } from '#words/faults.ts';

/** The last one is for other databases, and no import reads it. */
export const EXPORT_FORMATS = [...ARCHIVE_FORMATS, 'line_protocol'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The words of the query are as somebody wrote them. */
export type ExportQuery = {
  readonly format?: ExportFormat | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly series?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
};

export type ExportPlan = {
  readonly format: ExportFormat;
  readonly fromMs: number;
  readonly toMs: number;
  /** The names of series in storage; `undefined` for all. */
  readonly names: readonly string[] | undefined;
  readonly start: { readonly name: string; readonly atMs: number } | undefined;
};

const FIRST_MS = 0;
const CHUNK_CHARACTERS = 65_536;

/** Throws HubError HISTORY_RANGE, NOT_FOUND and INVALID_QUERY. `nameOf`: the name in storage of what the caller may see. */
export function planExport(
  { format = 'csv', from, to, series, cursor }: ExportQuery,
  { nowMs: now, nameOf }: { readonly nowMs: number; readonly nameOf: (shown: string) => string | undefined },
): ExportPlan {
  const toMs = to === undefined ? now : Math.min(now, readMoment(to, 'to', now));
  const fromMs = from === undefined ? FIRST_MS : readMoment(from, 'from', now);
  if (fromMs >= toMs) throw new HubError('HISTORY_RANGE', 'The range ends before it begins, or begins in the future.');
  const names = series?.map((shown) => {
    const name = nameOf(shown);
    if (name === undefined) throw new HubError('NOT_FOUND', 'There is no such device, or nothing is recorded of it.');
    return name;
  });
  const plan = { format, fromMs, toMs, names: sorted(names) };
  if (cursor === undefined) return { ...plan, start: undefined };
  const at = cursor.lastIndexOf('@');
  const name = nameOf(cursor.slice(0, Math.max(0, at)));
  const atMs = Date.parse(cursor.slice(at + 1));
  if (name !== undefined && Number.isFinite(atMs)) return { ...plan, start: { name, atMs } };
  throw new HubError('INVALID_QUERY', 'A query parameter is not valid.', {
    errors: [fieldError('?cursor', 'INVALID_VALUE', ...faultWords('archive_id'))],
  });
}

function sorted(names: readonly string[] | undefined): readonly string[] | undefined {
  return names && [...new Set(names)].toSorted((left, right) => (left < right ? -1 : 1));
}

type ExportDeps = {
  readonly history: Pick<HistoryStore, 'listSeries' | 'readSlice'>;
  /** How the reader writes the name of a series; `undefined` if it may not see it. Throws where the export must end. */
  readonly shownAs: (name: string) => string | undefined;
  readonly labelsOf: FindLabels;
  /** Throws if the last piece may not be given any more. */
  readonly authorize: () => void;
};

/** The text in pieces, made only as fast as they are taken: a year needs no more memory than an hour. */
export async function* exportArchive(deps: ExportDeps, plan: ExportPlan): AsyncGenerator<string, void> {
  const { history, shownAs } = deps;
  const { head, line, foot } = textOf(plan.format, deps.labelsOf);
  let text = head;
  let count = 0;
  for await (const name of namesOf(history, plan)) {
    const isStart = name === plan.start?.name;
    const fromMs = isStart ? Math.max(plan.fromMs, plan.start.atMs) : plan.fromMs;
    const range = { series: name, fromMs, toMs: plan.toMs };
    let series = shownAs(name);
    for (let after: number | null = null; series !== undefined;) {
      const slice = await history.readSlice(range, after);
      // Rights and devices may change while the text is read.
      series = shownAs(name);
      if (series === undefined) break;
      for (const [index, known] of slice.values.entries()) {
        const value = known ?? slice.gaps.get(index);
        if (value === undefined) continue;
        text += line({ name, series }, { atMs: slice.timesMs[index] ?? 0, value });
        count += 1;
        if (text.length < CHUNK_CHARACTERS) continue;
        yield text;
        text = '';
        // The reader may have taken hours for the piece.
        series = shownAs(name);
        if (series === undefined) break;
      }
      if (series === undefined || slice.next === null) break;
      after = slice.next;
    }
  }
  deps.authorize();
  yield text + foot(count);
}

type ExportText = Omit<ArchiveText, 'line'> & {
  readonly line: (of: { readonly name: string; readonly series: string }, sample: Sample) => string;
};

const LAST_MS_OF_TENTH = 99;

function textOf(format: ExportFormat, labelsOf: FindLabels): ExportText {
  if (format !== 'line_protocol') {
    const { head, line, foot } = ARCHIVE_TEXTS[format];
    return { head, line: ({ series }, sample) => line(series, sample), foot };
  }
  let last = { name: '', atMs: Number.NaN, count: 0 };
  let labels = labelsOf('/');
  return {
    head: '',
    line: ({ name }, { atMs, value }) => {
      if (name !== last.name) labels = labelsOf(name);
      // Receivers keep one value for each time, as of an exporter.
      const isSame = name === last.name && atMs === last.atMs;
      last = { name, atMs, count: isSame ? last.count + 1 : 0 };
      return `${lineOf({ labels, value, atMs: atMs + Math.min(last.count, LAST_MS_OF_TENTH) })}\n`;
    },
    foot: () => '',
  };
}

/** In the order of their names, from the start on. */
async function* namesOf(
  { listSeries }: ExportDeps['history'],
  { names, start, fromMs, toMs }: ExportPlan,
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
