import { useMemo, useState } from 'preact/hooks';
import type { Device, Feature } from '#web/client/api.ts';
import { Choices } from '#web/form/choices.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { lastOf } from '#web/since-2021.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Download } from './download.tsx';
import { type Drawing, HistoryFigure } from './history-figure.tsx';
import { chartOf, CHARTS_AT_FIRST, chartsOf, drawnAtFirst } from './stretches.ts';
import { createMoments, type Span, SPANS } from './time-axis.ts';
import { type ShownHistory, useHistory } from './use-history.ts';

const SPAN_NAMES: readonly Span[] = ['hours', 'day', 'week', 'month'];
type View = 'chart' | 'table';
const VIEWS: readonly View[] = ['chart', 'table'];
const DRAWINGS = { line: 'line', bars: 'bars', counter: 'increase' } as const satisfies Record<string, Drawing>;

/** Shows what a device measured and how it was, over time. */
export function HistoryPanel({ device }: { readonly device: Device }) {
  const [span, setSpan] = useState<Span>('day');
  const [view, setView] = useState<View>('chart');
  const [isWhole, setIsWhole] = useState(false);
  const charts = chartsOf(device);
  const read = isWhole ? charts : charts.slice(0, CHARTS_AT_FIRST);
  const from = SPANS[span].ago;
  const nameOf = ({ key }: Feature): string => `${device.id}/${key}`;
  const isCounter = (feature: Feature): boolean => chartOf(feature) === 'counter';
  const { shown, fault, retry } = useHistory({
    points: read.filter((feature) => !isCounter(feature)).map(nameOf),
    counters: read.filter(isCounter).map(nameOf),
    from,
    to: null,
    span,
  });
  const drawn = isWhole ? charts : drawnAtFirst(read, (feature) => shown?.series.get(nameOf(feature))?.summary);
  const moments = useMemo(() => createMoments(shown?.timeZone ?? 'UTC'), [shown?.timeZone]);
  const onPage = charts.slice(0, SERIES_ON_PAGE).map(({ key }) => `${device.selector}/${key}`);
  return (
    <section class="panel history" aria-busy={shown === undefined && fault === undefined}>
      <h2 class="panel-title">{historyWords.title}</h2>
      <Choices
        label={historyWords.span}
        names={SPAN_NAMES}
        words={historyWords.spans}
        chosen={span}
        onChoose={setSpan}
      />
      <HistoryTroubles shown={shown} fault={fault} retry={retry} />
      {shown === undefined
        ? null
        : drawn.map((feature) => (
            <FeatureFigure key={feature.key} id={nameOf(feature)} {...{ feature, shown, moments, view }} />
          ))}
      {shown === undefined || isWhole || charts.length === drawn.length ? null : (
        <button type="button" class="button button-plain button-wide" onClick={() => setIsWhole(true)}>
          {historyWords.more(charts.length - drawn.length)}
        </button>
      )}
      {shown === undefined ? null : (
        <>
          <p class="soft history-zone">{historyWords.zone(shown.timeZone)}</p>
          <div class="history-foot">
            <Choices label={historyWords.view} names={VIEWS} words={historyWords} chosen={view} onChoose={setView} />
            <Download
              columns={charts.map((feature) => ({
                series: nameOf(feature),
                room: device.room?.name,
                name: historyWords.pick.series(device.name, feature.name),
                unit: feature.unit,
              }))}
              {...{ from, to: null }}
              name={`${device.selector}-${span}`}
            />
            <a class="button button-plain" href={`/history?f=${onPage.join(',')}&from=${from}`}>
              {historyWords.openPage}
            </a>
          </div>
        </>
      )}
    </section>
  );
}

/** As many as the page of the history draws. */
const SERIES_ON_PAGE = 8;

type FigureProps = {
  readonly id: string;
  readonly feature: Feature;
  readonly shown: ShownHistory;
  readonly moments: ReturnType<typeof createMoments>;
  readonly view: View;
};

function FeatureFigure({ id, feature, shown, moments, view }: FigureProps) {
  const series = shown.series.get(id);
  const tracks = useMemo(() => (series === undefined ? [] : [{ name: feature.name, feature, series }]), [series]);
  const chart = chartOf(feature);
  if (series === undefined || chart === null) return null;
  return <HistoryFigure title={feature.name} drawing={DRAWINGS[chart]} {...{ tracks, shown, moments, view }} />;
}

type TroublesProps = {
  readonly shown: ShownHistory | undefined;
  readonly fault: string | undefined;
  readonly retry: () => void;
};

/** Shows what keeps the charts from being there, or from being whole. */
export function HistoryTroubles({ shown, fault, retry }: TroublesProps) {
  const lasts = shown === undefined ? [] : [...shown.series.values()].map(({ gaps }) => lastOf(gaps));
  const isPaused = lasts.some((gap) => gap?.reason === 'paused' && Date.parse(gap.to) === shown?.range.toMs);
  return (
    <>
      {fault === undefined ? null : (
        <Notice tone="danger" text={shown === undefined ? fault : `${fault} ${historyWords.old}`}>
          <button type="button" class="button" onClick={retry}>
            {pageWords.retry}
          </button>
        </Notice>
      )}
      {isPaused ? <Notice tone="warn" text={historyWords.paused} /> : null}
      {shown === undefined && fault === undefined ? <p class="soft">{pageWords.loading}</p> : null}
    </>
  );
}
