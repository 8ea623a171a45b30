import { useMemo, useState } from 'preact/hooks';
import type { HistorySeries } from '#web/client/api.ts';
import { lastOf } from '#web/since-2021.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { enumWords, numberWords, type Readable, valueWords } from '#web/strings/value-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { FigureTable } from './figure-table.tsx';
import { LineChart } from './line-chart.tsx';
import { Look, shareOf } from './look.tsx';
import { EventTicks, StateBars } from './state-bars.tsx';
import {
  bucketsOf,
  joined,
  partsOf,
  type Range,
  sharedGaps,
  stretchAt,
  type Stretch,
  stretchesOf,
  topOf,
} from './stretches.ts';
import type { Moments } from './time-axis.ts';
import type { ShownHistory } from './use-history.ts';
import { formatLocale } from '#web/strings/formats.ts';

/** One series of a figure, with what its values are called. */
export type Track = {
  readonly name: string;
  readonly feature: Readable;
  readonly series: HistorySeries;
};
/** `ticks` for what happens; `increase` for what a counter counted in each part of the range. */
export type Drawing = 'line' | 'bars' | 'ticks' | 'increase';

type Props = {
  readonly title: string;
  readonly drawing: Drawing;
  /** Only lines are drawn together. */
  readonly tracks: readonly Track[];
  readonly shown: ShownHistory;
  readonly moments: Moments;
  readonly view: 'chart' | 'table';
};

/** A figure shows parts of the range with words for each, whatever it is drawn as. */
type Content = {
  readonly parts: readonly Range[];
  readonly columns: readonly string[];
  readonly cellsAt: (part: Range) => readonly string[];
  readonly isKnown: boolean;
};

/** A label behind this share of the width ends at its mark, so that it does not leave the panel. */
const AT_EDGE = 0.92;

/** The history of one feature, or of several with the same unit: drawn, or as a table of the same values. */
export function HistoryFigure({ title, drawing, tracks, shown, moments, view }: Props) {
  const { range, span } = shown;
  const stretches = useMemo(
    () =>
      tracks.map(({ series }) => {
        // The rows of a counter are parts of the range already.
        const all = drawing === 'increase' ? [] : stretchesOf(series, range);
        return drawing === 'bars' ? joined(all) : all;
      }),
    [tracks, range, drawing],
  );
  const content = useMemo(() => contentOf(drawing, { tracks, stretches, range }), [drawing, tracks, stretches, range]);
  const marks = useMemo(() => moments.marks(range, span), [moments, range, span]);
  const isPercent = tracks[0]?.feature.unit === 'percent';
  const [looked, setLooked] = useState<number | null>(null);
  const { parts, isKnown, columns, cellsAt } = content;
  const part = looked === null ? undefined : parts[Math.min(looked, parts.length - 1)];
  const partWords = (one: Range): string => {
    const cells = cellsAt(one);
    const what =
      tracks.length > 1 ? columns.map((name, at) => `${name} ${cells[at] ?? ''}`).join(', ') : cells.join(', ');
    return drawing === 'ticks'
      ? historyWords.atMoment(what, moments.words(one.fromMs))
      : historyWords.at(what, moments.words(one.fromMs), moments.words(one.toMs));
  };
  const [first] = tracks;
  const said =
    part === undefined || view === 'table'
      ? summaryOf(drawing, tracks)
      : tracks.length > 1
        ? historyWords.between(moments.words(part.fromMs), moments.words(part.toMs))
        : partWords(part);
  return (
    <figure class="history-figure">
      <figcaption>
        <span class="history-name">{title}</span>
        <span class="soft">{said}</span>
      </figcaption>
      {tracks.length > 1 ? <Legend tracks={tracks} values={part === undefined ? undefined : cellsAt(part)} /> : null}
      {isKnown ? null : <p class="soft">{emptyWords(stretches.flat())}</p>}
      {isKnown && view === 'table' ? <FigureTable {...{ name: title, parts, columns, cellsAt, moments }} /> : null}
      {isKnown && view === 'chart' ? (
        <>
          <div class="plot">
            {drawing === 'line' ? <LineChart {...{ tracks: stretches, range, marks, isPercent }} /> : null}
            {drawing === 'bars' ? (
              <StateBars stretches={stretches[0] ?? []} range={range} words={(one) => cellsAt(one).join('')} />
            ) : null}
            {drawing === 'ticks' ? (
              <EventTicks parts={parts} range={range} gaps={sharedGaps([stretches[0] ?? []])} />
            ) : null}
            {drawing === 'increase' && first !== undefined ? (
              <IncreaseBars series={first.series} range={range} />
            ) : null}
            <Look {...{ name: title, parts, range, looked, onLook: setLooked, words: partWords }} />
          </div>
          <div class="history-axis" aria-hidden="true">
            {marks.map(({ atMs, label }) => (
              <span
                key={atMs}
                data-edge={shareOf(range, atMs) > AT_EDGE || undefined}
                style={{ left: `${shareOf(range, atMs) * 100}%` }}
              >
                {label}
              </span>
            ))}
          </div>
        </>
      ) : null}
      {notesOf(drawing, tracks, moments).map((note) => (
        <p key={note} class="soft history-note">
          {note}
        </p>
      ))}
    </figure>
  );
}

type Drawn = {
  readonly tracks: readonly Track[];
  /** The stretches of each track. */
  readonly stretches: readonly (readonly Stretch[])[];
  readonly range: Range;
};

function contentOf(drawing: Drawing, { tracks, stretches, range }: Drawn): Content {
  const [first] = tracks;
  const isAlone = tracks.length === 1;
  if (first !== undefined && drawing === 'ticks') return eventsOf(first, range);
  if (first !== undefined && drawing === 'increase') return increasesOf(first, range);
  return {
    parts: isAlone ? (stretches[0] ?? []) : partsOf(stretches, range),
    columns: isAlone ? [historyWords.columns.value] : tracks.map(({ name }) => name),
    cellsAt: ({ fromMs }) =>
      tracks.map(({ feature }, index) => {
        const stretch = stretchAt(stretches[index] ?? [], fromMs);
        if (stretch === undefined) return historyWords.unknown;
        return 'value' in stretch
          ? valueWords(feature, stretch.value)
          : historyWords.unknownWhy(historyWords.gaps[stretch.gap] ?? stretch.gap);
      }),
    isKnown: stretches.some((track) => track.some((stretch) => 'value' in stretch)),
  };
}

function eventsOf({ series }: Track, { fromMs, toMs }: Range): Content {
  const names = new Map<number, string>();
  for (const [at, value] of series.rows) {
    const atMs = Number(at);
    if (atMs < fromMs || atMs > toMs) continue;
    const words = pageWords.presses[String(value)] ?? enumWords(String(value));
    const before = names.get(atMs);
    names.set(atMs, before === undefined ? words : `${before}, ${words}`);
  }
  return {
    parts: [...names.keys()].map((atMs) => ({ fromMs: atMs, toMs: atMs })),
    columns: [historyWords.columns.event],
    cellsAt: (part) => [names.get(part.fromMs) ?? historyWords.unknown],
    isKnown: names.size > 0,
  };
}

function increasesOf({ series, feature }: Track, range: Range): Content {
  const buckets = bucketsOf(series, range);
  const byStart = new Map(buckets.map((bucket) => [bucket.fromMs, bucket]));
  const hasGaps = buckets.some(({ inGap }) => inGap > 0);
  return {
    parts: buckets,
    columns: hasGaps ? [historyWords.columns.counted, historyWords.columns.inGap] : [historyWords.columns.counted],
    cellsAt: ({ fromMs }) => {
      const { increase = null, inGap = 0 } = byStart.get(fromMs) ?? {};
      const counted = increase === null ? historyWords.unknown : numberWords(increase, feature);
      return inGap > 0
        ? [counted, historyWords.inGap(numberWords(inGap, feature))]
        : hasGaps
          ? [counted, pageWords.none]
          : [counted];
    },
    isKnown: buckets.some(({ increase }) => increase !== null),
  };
}

/** Says beside the name, while nobody looks at a moment, how the series was. */
function summaryOf(drawing: Drawing, tracks: readonly Track[]): string {
  const [first] = tracks;
  if (first === undefined || tracks.length > 1) return '';
  const { series, feature } = first;
  if (drawing === 'increase') {
    if (series.rows.every(([, increase]) => increase === null)) return '';
    const sum = series.rows.reduce((total, [, increase, inGap]) => total + Number(increase) + Number(inGap), 0);
    return historyWords.total(numberWords(sum, feature));
  }
  const { min, max } = series.summary;
  if (drawing !== 'line' || min === null || max === null) return '';
  return historyWords.extremes(numberWords(min, feature), numberWords(max, feature));
}

/** Lists what a person has to know to read the figure rightly. */
function notesOf(drawing: Drawing, tracks: readonly Track[], moments: Moments): readonly string[] {
  const isThinned = tracks.some(({ series }) => series.thinned);
  const from = tracks.find(({ series }) => series.samples_from !== null)?.series.samples_from ?? null;
  return [
    isThinned ? historyWords.thinned : '',
    from === null || drawing === 'increase'
      ? ''
      : historyWords.hoursBefore(moments.shortWords(Date.parse(from), 'year')),
  ].filter((note) => note !== '');
}

function emptyWords(stretches: readonly Stretch[]): string {
  const last = lastOf(stretches);
  return last !== undefined && 'gap' in last
    ? historyWords.allUnknown(historyWords.gaps[last.gap] ?? last.gap)
    : historyWords.empty;
}

type LegendProps = { readonly tracks: readonly Track[]; readonly values: readonly string[] | undefined };

/** Which line is what; while somebody looks at a moment, with the value of each. */
function Legend({ tracks, values }: LegendProps) {
  return (
    <ul class="history-legend">
      {tracks.map(({ name, series, feature }, index) => {
        const { min, max } = series.summary;
        const usual = min === null || max === null ? '' : `${numberWords(min, feature)} – ${numberWords(max, feature)}`;
        return (
          <li key={series.series}>
            <span class="legend-line" data-track={index} />
            <bdi>{name}</bdi>
            <span class="soft">{values?.[index] ?? usual}</span>
          </li>
        );
      })}
    </ul>
  );
}

type BarsProps = { readonly series: HistorySeries; readonly range: Range };

/** A bar for what a counter counted in each part of the range; what it counted unheard stands on it, hatched. */
function IncreaseBars({ series, range }: BarsProps) {
  const buckets = bucketsOf(series, range);
  const top = topOf(buckets.reduce((most, { increase, inGap }) => Math.max(most, (increase ?? 0) + inGap), 0));
  const number = new Intl.NumberFormat(formatLocale(), { notation: 'compact', maximumFractionDigits: 2 });
  return (
    <div class="increase" aria-hidden="true">
      {[0, top / 2, top].map((value) => (
        <span key={value} class="increase-line" style={{ bottom: `${(value / top) * 100}%` }}>
          <span>{number.format(value)}</span>
        </span>
      ))}
      {buckets.map(({ fromMs, toMs, increase, inGap }) => (
        <span
          key={fromMs}
          class="increase-part"
          data-unknown={increase === null || undefined}
          style={{
            left: `${shareOf(range, fromMs) * 100}%`,
            width: `${(shareOf(range, toMs) - shareOf(range, fromMs)) * 100}%`,
          }}
        >
          {inGap > 0 ? <span class="increase-gap" style={{ height: `${(inGap / top) * 100}%` }} /> : null}
          {increase === null ? null : (
            <span class="increase-bar" style={{ height: `${(Math.max(0, increase) / top) * 100}%` }} />
          )}
        </span>
      ))}
    </div>
  );
}
