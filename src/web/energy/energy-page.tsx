import { Choices } from '#web/form/choices.tsx';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EnergyAnswer } from '#web/client/api.ts';
import { PERIODS } from '#web/client/vocabulary.ts';
import { HistoryHead } from '#web/history/page/history-tabs.tsx';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { RowsSkeleton } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { ConsumerList } from './consumer-list.tsx';
import { EnergyAccount, EnergyCosts } from './energy-account.tsx';
import { chartsOf } from './energy-bars.ts';
import { EnergyChart } from './energy-chart.tsx';
import { EnergyNow } from './energy-now.tsx';
import {
  createPartNames,
  energyAddress,
  energyPath,
  isOver,
  type Period,
  periodWords,
  readEnergyAddress,
  type ShownPeriod,
  steppedDate,
} from './energy-period.ts';
import { EnergyTable } from './energy-table.tsx';
import { choicesOf } from './series-choices.ts';

const EVERY_MS = 60_000;

/** Shows what the home used, what that cost, and what it uses now. Its address says which time it shows. */
export function EnergyPage() {
  const { account, router, time } = useHub();
  const { query } = router.place.value;
  const period = useMemo(() => readEnergyAddress(query), [query]);
  const setPeriod = (next: ShownPeriod): void => router.go(energyAddress(next));
  const reading = useEnergy(period);
  const { answer, fault, again } = reading;
  const isLast = answer === undefined || !isOver(answer, time.nowMs.value);
  const choose = (name: Period): void => {
    // The present period stays the present one; an earlier one shows its first part.
    setPeriod({ name, date: isLast ? null : answer.date });
  };
  const step = (by: 1 | -1): void => {
    if (answer !== undefined) setPeriod({ name: period.name, date: steppedDate(period.name, answer.date, by) });
  };
  return (
    <div class="page narrow energy-view">
      <HistoryHead title={energyWords.title}>
        {account.can('hub:manage') ? (
          <a class="button button-plain button-icon" href="/settings/energy" aria-label={energyWords.settings}>
            <Icon name="settings" />
          </a>
        ) : null}
      </HistoryHead>
      <EnergyNow />
      <div class="choices" role="group" aria-label={energyWords.period}>
        {PERIODS.map((name) => (
          <button key={name} type="button" aria-pressed={name === period.name} onClick={() => choose(name)}>
            {energyWords.periods[name]}
          </button>
        ))}
      </div>
      <PeriodSteps {...{ period, answer, isLast }} onStep={step} onToday={() => setPeriod({ ...period, date: null })} />
      {fault === undefined ? null : (
        <Notice tone="danger" text={answer === undefined ? fault : `${fault} ${energyWords.old}`}>
          <button type="button" class="button notice-button" onClick={() => void again()}>
            {pageWords.retry}
          </button>
        </Notice>
      )}
      {answer === undefined && fault === undefined ? <RowsSkeleton rows={4} /> : null}
      {answer === undefined ? null : (
        <EnergyPeriod answer={answer} onOpen={(date) => setPeriod({ name: innerOf(answer.period), date })} />
      )}
    </div>
  );
}

function innerOf(period: EnergyAnswer['period']): Period {
  return period === 'year' ? 'month' : 'day';
}

/**
 * Keeps the last answer as long as it is of this period; reads anew each minute and when the hub says that it changed.
 */
function useEnergy(period: ShownPeriod) {
  const { events } = useHub();
  const path = energyPath(period);
  const { value, fault, again } = useReading<EnergyAnswer>(path, { everyMs: EVERY_MS });
  useEffect(
    () =>
      events.listen(({ type }) => {
        // Its settings and hours change seldom; its powers are shown from the device.
        if (type === 'hub.snapshot') void again();
      }),
    [events, again],
  );
  const isShown = value?.period === period.name && (period.date === null || covers(value, period));
  return { answer: isShown ? value : undefined, fault, again };
}

/** Never the amounts of one time under the name of another. */
function covers({ date }: EnergyAnswer, period: ShownPeriod): boolean {
  return energyPath({ ...period, date }) === energyPath(period);
}

type StepsProps = {
  readonly period: ShownPeriod;
  readonly answer: EnergyAnswer | undefined;
  readonly isLast: boolean;
  readonly onStep: (by: 1 | -1) => void;
  readonly onToday: () => void;
};

function PeriodSteps({ period, answer, isLast, onStep, onToday }: StepsProps) {
  const date = answer?.date ?? period.date;
  return (
    <div class="energy-steps">
      <button
        type="button"
        class="button button-plain button-icon"
        aria-label={energyWords.back[period.name]}
        aria-disabled={answer === undefined}
        onClick={() => onStep(-1)}
      >
        <Icon name="back" />
      </button>
      <h2 class="energy-period" aria-live="polite">
        {date === null ? pageWords.loading : periodWords(period.name, date)}
      </h2>
      <button
        type="button"
        class="button button-plain button-icon"
        aria-label={energyWords.next[period.name]}
        aria-disabled={isLast}
        onClick={() => isLast || onStep(1)}
      >
        <Icon name="forward" />
      </button>
      {isLast || period.name !== 'day' ? null : (
        <button type="button" class="button" onClick={onToday}>
          {energyWords.today}
        </button>
      )}
    </div>
  );
}

type View = 'chart' | 'table';
const VIEWS: readonly View[] = ['chart', 'table'];

function EnergyPeriod({ answer, onOpen }: { readonly answer: EnergyAnswer; readonly onOpen: (date: string) => void }) {
  const { home } = useHub();
  const [view, setView] = useState<View>('chart');
  const charts = useMemo(() => chartsOf(answer), [answer]);
  const names = useMemo(() => createPartNames(answer), [answer]);
  if (answer.flows.length === 0 && answer.consumers.length === 0) return <EnergyEmpty answer={answer} />;
  const nameOf = ({ series, name }: { readonly series: string; readonly name: string | null }): string =>
    name ?? home.find(series.slice(0, series.indexOf('/')))?.device.value.name ?? series;
  const hasAny = charts.length > 0;
  return (
    <div class="device-columns">
      <section class="panel energy-charts">
        {hasAny ? (
          <Choices label={energyWords.view} names={VIEWS} words={energyWords} chosen={view} onChoose={setView} />
        ) : (
          <p class="soft">{answer.settled_until === null ? energyWords.notSettled : energyWords.nothingKnown}</p>
        )}
        {hasAny && view === 'table' ? (
          <EnergyTable
            answer={answer}
            title={periodWords(answer.period, answer.date)}
            names={names}
            nameOf={(index) => nameOf(answer.consumers[index] ?? { series: '', name: null })}
          />
        ) : null}
        {view === 'chart'
          ? charts.map((chart) => (
              <EnergyChart
                key={`${chart.kind} ${answer.from} ${answer.period}`}
                {...{ chart, answer, names }}
                onOpen={answer.period === 'day' ? undefined : onOpen}
              />
            ))
          : null}
        <p class="soft history-zone">{energyWords.zone(answer.time_zone)}</p>
      </section>
      <div class="device-column">
        <EnergyAccount answer={answer} />
        <ConsumerList answer={answer} nameOf={nameOf} />
        <EnergyCosts answer={answer} />
      </div>
    </div>
  );
}

/** Says what the view needs before it can show anything, and the way there. */
function EnergyEmpty({ answer }: { readonly answer: EnergyAnswer }) {
  const { account, home } = useHub();
  // Hours were settled: a time without any amount is then just unknown.
  if (answer.settled_until !== null) return <p class="panel soft">{energyWords.nothingKnown}</p>;
  const fitting = new Set(choicesOf(home.entries.value, 'energy').map(({ device }) => device)).size;
  const canManage = account.can('hub:manage');
  return (
    <section class="panel energy-empty">
      <h2>{energyWords.needsTitle}</h2>
      <p>{energyWords.needs}</p>
      <p class="soft">{fitting === 0 ? energyWords.nothingFits : energyWords.fits(fitting)}</p>
      {canManage ? (
        <div class="row-buttons">
          {fitting > 0 ? null : (
            <a class="button button-main" href="/add">
              {energyWords.addDevice}
            </a>
          )}
          <a class={fitting > 0 ? 'button button-main' : 'button'} href="/settings/energy">
            {energyWords.setUp}
          </a>
        </div>
      ) : (
        <p>{energyWords.askAdmin}</p>
      )}
    </section>
  );
}
