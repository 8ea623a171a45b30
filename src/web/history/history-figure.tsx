import { useMemo, useState } from 'preact/hooks';
import type { Feature, HistorySeries } from '#web/client/api.ts';
import { h } from '#web/strings/history-strings.ts';
import { numberWords, valueWords } from '#web/strings/value-words.ts';
import { LineChart } from './line-chart.tsx';
import { StateBars } from './state-bars.tsx';
import { chartOf, indexAt, joined, type Range, type Stretch, stretchesOf } from './stretches.ts';
import type { Moments } from './time-axis.ts';
import type { ShownHistory } from './use-history.ts';

type Props = {
  readonly feature: Feature;
  readonly series: HistorySeries;
  readonly shown: ShownHistory;
  readonly moments: Moments;
  readonly view: 'chart' | 'table';
};

/** A label behind this share of the width ends at its mark, so that it does not leave the panel. */
const AT_EDGE = 0.92;

/** The history of one feature, drawn or as a table of the same rows. */
export function HistoryFigure({ feature, series, shown: { range, span }, moments, view }: Props) {
  const isLine = chartOf(feature) === 'line';
  const stretches = useMemo(() => {
    const all = stretchesOf(series, range);
    return isLine ? all : joined(all);
  }, [series, range, isLine]);
  const marks = useMemo(() => moments.marks(range, span), [moments, range, span]);
  const [looked, setLooked] = useState<number | null>(null);
  const words = (stretch: Stretch): string =>
    'value' in stretch ? valueWords(feature, stretch.value) : h.unknownWhy(h.gaps[stretch.gap] ?? stretch.gap);
  const { min, max } = series.summary;
  const isKnown = stretches.some((stretch) => 'value' in stretch);
  const stretch = looked === null ? undefined : stretches[looked];
  const extremes = min === null || max === null ? '' : h.extremes(numberWords(min, feature), numberWords(max, feature));
  const atWords = (one: Stretch): string => h.at(words(one), moments.words(one.fromMs), moments.words(one.toMs));
  return (
    <figure class="history-figure">
      <figcaption>
        <span class="history-name">{feature.name}</span>
        <span class="soft">{view === 'chart' && stretch !== undefined ? atWords(stretch) : extremes}</span>
      </figcaption>
      {isKnown ? null : <p class="soft">{emptyWords(stretches)}</p>}
      {isKnown && view === 'table' ? <Table {...{ name: feature.name, stretches, moments, words }} /> : null}
      {isKnown && view === 'chart' ? (
        <>
          <div class="plot">
            {isLine ? <LineChart {...{ stretches, range, marks }} /> : <StateBars {...{ stretches, range, words }} />}
            <Look {...{ stretches, range, looked, onLook: setLooked }} name={feature.name} words={atWords} />
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
    </figure>
  );
}

function emptyWords(stretches: readonly Stretch[]): string {
  const last = stretches.at(-1);
  return last !== undefined && 'gap' in last ? h.allUnknown(h.gaps[last.gap] ?? last.gap) : h.empty;
}

function shareOf({ fromMs, toMs }: Range, atMs: number): number {
  return (atMs - fromMs) / (toMs - fromMs);
}

type LookProps = {
  readonly name: string;
  readonly stretches: readonly Stretch[];
  readonly range: Range;
  readonly looked: number | null;
  readonly onLook: (index: number | null) => void;
  readonly words: (stretch: Stretch) => string;
};

/** Says what was at a moment: under the pointer, or step by step with the arrow keys. */
function Look({ name, stretches, range, looked, onLook, words }: LookProps) {
  const last = stretches.length - 1;
  const index = Math.min(looked ?? last, last);
  const stretch = stretches[index];
  const point = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onLook(indexAt(stretches, range.fromMs + ((event.clientX - left) / width) * (range.toMs - range.fromMs)));
  };
  const isShown = looked !== null && stretch !== undefined;
  return (
    <div class="look" onPointerMove={point} onPointerDown={point} onPointerLeave={() => onLook(null)}>
      {isShown ? (
        <span
          class="look-stretch"
          style={{
            left: `${shareOf(range, stretch.fromMs) * 100}%`,
            width: `${((stretch.toMs - stretch.fromMs) / (range.toMs - range.fromMs)) * 100}%`,
          }}
        />
      ) : null}
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label={h.lineLabel(name)}
        aria-valuetext={stretch === undefined ? h.unknown : words(stretch)}
        onFocus={() => onLook(index)}
        onBlur={() => onLook(null)}
        onInput={({ currentTarget }) => onLook(currentTarget.valueAsNumber)}
      />
    </div>
  );
}

type TableProps = {
  readonly name: string;
  readonly stretches: readonly Stretch[];
  readonly moments: Moments;
  readonly words: (stretch: Stretch) => string;
};

function Table({ name, stretches, moments, words }: TableProps) {
  const { columns } = h;
  return (
    // What scrolls can be reached with the keyboard.
    <div class="history-table" role="region" aria-label={h.tableLabel(name)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.from}</th>
            <th scope="col">{columns.to}</th>
            <th scope="col">{columns.value}</th>
          </tr>
        </thead>
        <tbody>
          {stretches.map((stretch) => (
            <tr key={stretch.fromMs}>
              <td>{moments.words(stretch.fromMs)}</td>
              <td>{moments.words(stretch.toMs)}</td>
              <td>{words(stretch)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
