import { compress } from '#base/content/compress.ts';
import { contentTag } from '#base/content/content-tag.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { Detail } from '#core/past/history/history-query.ts';
import type { SampleSlice } from '#core/past/history/history-store.ts';
import { wasThinned } from '#core/past/history/thinning.ts';
import type { HourPartsDeps } from '#core/past/hour/hour-parts.ts';
import { readTieredHistory } from '#core/past/hour/hour-query.ts';
import { shownFrom } from '#core/past/hour/shown-history.ts';
import { type AskedSeries, cursorText, type HistoryAnswer, type HistoryQuestion } from './question.ts';
import { momentJson } from './table.ts';
import { createAnswerText } from './text.ts';

type AnswerDeps = HourPartsDeps & {
  readonly timeZone: (name: string) => TimeZone;
  readonly isStopped: () => boolean;
};

/** Shorter answers gain nothing from being compressed. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Reads slice by slice, so that other calls run in between. */
export async function answerQuestion(deps: AnswerDeps, question: HistoryQuestion): Promise<HistoryAnswer> {
  const { cursor, fromMs, toMs, resolution, series } = question;
  const zone = deps.timeZone(question.timeZone);
  const isBuckets = resolution !== 'raw' && resolution !== 'points';
  const text = createAnswerText(question.format, {
    moment: momentJson(question.times),
    fromMs,
    toMs,
    timeZone: zone.name,
    rowTypes: series.map(({ kind }) => (isBuckets ? kind : 'values')),
  });
  let rowsLeft = question.maxRows;
  let next: string | null = null;
  for (const [index, one] of series.entries()) {
    if (index < (cursor?.index ?? 0)) continue;
    if (next !== null || deps.isStopped()) break;
    const afterMs = index === cursor?.index ? cursor.afterMs : null;
    const stores = shownFrom(readerOf(deps), () => one.shownFromMs ?? -Infinity);
    const detail = detailOf(question, { zone, afterMs, rowsLeft });
    const found = await readTieredHistory(stores, { ...seriesOf(one), fromMs, toMs, detail });
    const isThinned = await wasThinned(stores.history, { series: one.name, fromMs, toMs });
    rowsLeft -= await text.addSeries({ ...one, resolution, isThinned }, found);
    if (found.nextMs !== null) next = cursorText({ index, afterMs: found.nextMs, toMs });
  }
  const plain = text.end(next);
  const coding = plain.length < MIN_COMPRESSED_BYTES ? null : question.coding;
  const bytes = coding === null ? plain : new Uint8Array(await compress(plain, coding));
  return { bytes, coding, tag: contentTag(plain), next };
}

const seriesOf = ({ name, kind, unit }: AskedSeries) => ({ series: name, kind, unit });

type DetailDeps = { readonly zone: TimeZone; readonly afterMs: number | null; readonly rowsLeft: number };

function detailOf({ resolution, points }: HistoryQuestion, { zone, afterMs, rowsLeft }: DetailDeps): Detail {
  if (resolution === 'points') return { type: 'points', points, zone };
  if (resolution === 'raw') return { type: 'raw', afterMs, limit: Math.max(1, rowsLeft) };
  return { type: 'buckets', bucket: resolution, zone };
}

const NOTHING: SampleSlice = { timesMs: new Float64Array(), values: [], gaps: new Map(), next: null };

/** Reads as long as somebody waits. */
function readerOf({ history, hours, isStopped }: AnswerDeps): HourPartsDeps {
  return {
    hours,
    history: {
      findBefore: history.findBefore,
      readSlice: async (range, afterMs) => (isStopped() ? NOTHING : history.readSlice(range, afterMs)),
    },
  };
}
