import { useMemo, useState } from 'preact/hooks';
import { Choices } from '#web/form/choices.tsx';
import { Download } from '#web/history/download.tsx';
import { HistoryFigure, type Drawing, type Track } from '#web/history/history-figure.tsx';
import { HistoryTroubles } from '#web/history/history-panel.tsx';
import { createMoments } from '#web/history/time-axis.ts';
import { type ShownHistory, useHistory } from '#web/history/use-history.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { history as historyWords } from '#web/strings/en/history.ts';
import type { HistorySeries } from '#web/client/api.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { addressOf, type HistoryAddress, MOST_SERIES, readAddress, spanInAddress } from './history-address.ts';
import { HistoryHead } from './history-tabs.tsx';
import { RangeBar } from './range-bar.tsx';
import { SeriesPicker } from './series-picker.tsx';
import { findSeries, type KnownSeries, useKnownSeries } from './use-known-series.ts';

/** Shows several features over a time that is chosen. Its address says all that it shows. */
export function HistoryPage() {
  const { home } = useHub();
  const reading = useKnownSeries();
  return (
    <div class="page history-page">
      <HistoryHead />
      {home.isLoaded.value ? (
        <ReadingView of={reading}>{(known) => <Content all={known} />}</ReadingView>
      ) : (
        <div aria-busy="true" />
      )}
    </div>
  );
}

function Content({ all }: { readonly all: readonly KnownSeries[] }) {
  const { router, home } = useHub();
  const [isPicking, setIsPicking] = useState(false);
  const asked = readAddress(router.place.value.query);
  const found = asked.series.map((name) => findSeries(name, all, home));
  const series = found.filter((one) => one !== undefined);
  const gone = asked.series.filter((_, index) => found[index] === undefined);
  const show = (change: Partial<HistoryAddress>, how: 'push' | 'replace' = 'push'): void =>
    router.go(addressOf({ ...asked, ...change }), how);
  const choose = (names: readonly string[]): void => show({ series: names });
  return (
    <>
      {gone.length === 0 ? null : <Notice tone="warn" text={historyWords.gone(gone.join(', '))} />}
      {series.length === 0 ? (
        <Start all={all} onChoose={choose} onPick={() => setIsPicking(true)} />
      ) : (
        <Charts series={series} address={asked} onShow={show} onPick={() => setIsPicking(true)} />
      )}
      {isPicking ? (
        <SeriesPicker
          all={all}
          chosen={series.map(({ name }) => name)}
          onChosen={choose}
          onClose={() => setIsPicking(false)}
        />
      ) : null}
    </>
  );
}

type StartProps = {
  readonly all: readonly KnownSeries[];
  readonly onChoose: (names: readonly string[]) => void;
  readonly onPick: () => void;
};

/** As many suggestions as fit on a phone beside the way to all. */
const SUGGESTIONS = 5;
/** People look at these capabilities before anything else. */
const FIRST_CAPABILITIES = ['temperature', 'humidity', 'power', 'energy', 'co2', 'illuminance'];
const rankOf = (some: readonly KnownSeries[]): number => {
  const rank = FIRST_CAPABILITIES.indexOf(some[0]?.feature.capability ?? '');
  return rank === -1 ? FIRST_CAPABILITIES.length : rank;
};

/** Offers what people most often look at, for a page that shows nothing yet. */
function Start({ all, onChoose, onPick }: StartProps) {
  const { home } = useHub();
  const byWhat = new Map<string, KnownSeries[]>();
  for (const one of all) {
    const same = byWhat.get(one.featureName);
    if (same === undefined) byWhat.set(one.featureName, [one]);
    else same.push(one);
  }
  const suggested = [...byWhat]
    .filter(([, some]) => some[0]?.drawing === 'line' || some[0]?.drawing === 'increase')
    .sort(([, one], [, other]) => rankOf(one) - rankOf(other) || other.length - one.length)
    .slice(0, SUGGESTIONS);
  // Modes and people are recorded in an empty home too.
  if (all.length === 0 || home.entries.value.length === 0) return <p class="panel soft">{historyWords.nothingKnown}</p>;
  return (
    <section class="panel history-start">
      <p>{historyWords.start}</p>
      <div class="history-suggestions">
        {suggested.map(([what, some]) => (
          <button
            key={what}
            type="button"
            class="button"
            onClick={() => onChoose(some.slice(0, MOST_SERIES).map(({ name }) => name))}
          >
            {historyWords.suggestion(what, Math.min(some.length, MOST_SERIES))}
          </button>
        ))}
        <button type="button" class="button button-main" onClick={onPick}>
          {historyWords.choose}
        </button>
      </div>
    </section>
  );
}

type ChartsProps = {
  readonly series: readonly KnownSeries[];
  readonly address: HistoryAddress;
  readonly onShow: (change: Partial<HistoryAddress>, how?: 'push' | 'replace') => void;
  readonly onPick: () => void;
};

const VIEWS = ['chart', 'table'] as const;

function Charts({ series, address, onShow, onPick }: ChartsProps) {
  const { from, to, view } = address;
  const span = spanInAddress(address);
  const isCounter = ({ drawing }: KnownSeries): boolean => drawing === 'increase';
  const { shown, fault, retry } = useHistory({
    points: series.filter((one) => !isCounter(one)).map(({ id }) => id),
    counters: series.filter(isCounter).map(({ id }) => id),
    from,
    to,
    span,
  });
  // The last zone stays while another range is read.
  const [zone, setZone] = useState('UTC');
  if (shown !== undefined && shown.timeZone !== zone) setZone(shown.timeZone);
  const moments = useMemo(() => createMoments(zone), [zone]);
  const remove = (name: string): void =>
    onShow({ series: series.map((one) => one.name).filter((other) => other !== name) });
  return (
    <>
      <RangeBar address={address} span={span} range={shown?.range} moments={moments} onShow={onShow} />
      <ul class="history-chosen" aria-label={historyWords.chosen}>
        {series.map(({ name, deviceName, featureName }) => (
          <li key={name}>
            <button
              type="button"
              class="chip"
              aria-label={historyWords.removeSeries(historyWords.pick.series(deviceName, featureName))}
              onClick={() => remove(name)}
            >
              <bdi>{historyWords.pick.series(deviceName, featureName)}</bdi>
              <Icon name="close" size={16} />
            </button>
          </li>
        ))}
        <li>
          <button type="button" class="chip" onClick={onPick}>
            <Icon name="plus" size={16} />
            {historyWords.add}
          </button>
        </li>
      </ul>
      <section
        class="history-charts"
        aria-label={historyWords.tabs.charts}
        aria-busy={shown === undefined && fault === undefined}
      >
        <HistoryTroubles shown={shown} fault={fault} retry={retry} />
        {shown === undefined ? null : <Figures {...{ series, shown, moments, view }} />}
      </section>
      <div class="history-foot">
        <Choices
          label={historyWords.view}
          names={VIEWS}
          words={historyWords}
          chosen={view}
          onChoose={(next) => onShow({ view: next }, 'replace')}
        />
        <Download
          columns={series.map(({ id, roomName, deviceName, featureName, feature: { unit } }) => ({
            series: id,
            room: roomName,
            name: historyWords.pick.series(deviceName, featureName),
            unit,
          }))}
          {...{ from, to }}
          name={historyWords.fileName(span)}
        />
      </div>
      {shown === undefined ? null : <p class="soft history-zone">{historyWords.zone(zone)}</p>}
    </>
  );
}

type FiguresProps = {
  readonly series: readonly KnownSeries[];
  readonly shown: ShownHistory;
  readonly moments: ReturnType<typeof createMoments>;
  readonly view: HistoryAddress['view'];
};

function Figures({ series, shown, moments, view }: FiguresProps) {
  const groups = useMemo(() => groupsOf(series, shown.series), [series, shown]);
  return (
    <>
      {groups.map(({ id, ...group }) => (
        <div key={id} class="panel">
          <HistoryFigure {...group} {...{ shown, moments, view }} />
        </div>
      ))}
    </>
  );
}

type FigureGroup = {
  readonly id: string;
  readonly title: string;
  readonly drawing: Drawing;
  readonly tracks: readonly Track[];
};

/** The figures of a page: lines with the same unit share one, everything else has its own. */
function groupsOf(chosen: readonly KnownSeries[], answers: ReadonlyMap<string, HistorySeries>): readonly FigureGroup[] {
  const groups = new Map<string, KnownSeries[]>();
  for (const one of chosen) {
    const { drawing, feature, id } = one;
    const shared = `line ${feature.unit ?? feature.capability}`;
    const key = drawing === 'line' ? shared : id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups].flatMap(([id, members]) => {
    const [first] = members;
    const whats = [...new Set(members.map(({ featureName }) => featureName))];
    const tracks = members.flatMap(({ id: series, deviceName, featureName, feature }): readonly Track[] => {
      const answer = answers.get(series);
      const name = whats.length === 1 ? deviceName : historyWords.pick.series(deviceName, featureName);
      return answer === undefined ? [] : [{ name, feature, series: answer }];
    });
    if (first === undefined || tracks.length === 0) return [];
    const title = members.length === 1 ? historyWords.pick.series(first.deviceName, first.featureName) : listed(whats);
    return [{ id, title, drawing: first.drawing, tracks }];
  });
}
