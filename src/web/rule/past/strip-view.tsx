import { useState } from 'preact/hooks';
import type { Simulation } from '#web/client/api.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { civilDayWords, timeWords } from '#web/strings/formats.ts';
import { localTime } from '#web/strings/hub-zone.ts';
import { useMoment } from '#web/rule/next-times.tsx';
import { useRuleHome } from '#web/rule/use-rule-home.ts';
import { RunHead } from './run-head.tsx';
import { RunTrace } from './run-trace.tsx';
import { seriesWords, shareOfDay } from './trace-words.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';

type Result = NonNullable<Simulation['result']>;
type Day = Result['per_day'][number];
type Firing = Day['new'][number];

/** How much of a day is over at a moment: none before it, all after it. */
function shareOf(date: string, at: string, zone: string): number {
  const day = localTime(at, zone).slice(0, 10);
  return day === date ? shareOfDay(at, zone) : Number(day > date);
}

type StripProps = { readonly result: Result; readonly definition: JsonObject };

/** A row for each day, the starts as a list, and how far both can be trusted. */
export function StripView({ result, definition }: StripProps) {
  const { compare, per_day: days } = result;
  const [open, setOpen] = useState<string | null>(null);
  const run = result.runs.find(({ id }) => id === open) ?? result.old_runs.find(({ id }) => id === open);
  const moment = useMoment();
  return (
    <>
      {compare === null ? null : (
        <>
          <p class="soft">{pastWords.stripChanged}</p>
          <p>{pastWords.compared(compare.both, compare.only_new.length, compare.only_old.length)}</p>
        </>
      )}
      <ol class="rule-days">
        {days.map((day) => (
          <li key={day.date} class="rule-day">
            <span aria-hidden="true">{civilDayWords(day.date, 'day')}</span>
            <DayBar day={day} isCompared={compare !== null} zone={result.time_zone} missing={result.fidelity.missing} />
          </li>
        ))}
      </ol>
      <StartList days={days} onOpen={setOpen} />
      <Fidelity fidelity={result.fidelity} />
      {run === undefined ? null : (
        <Dialog title={moment(run.started_at)} onClose={() => setOpen(null)}>
          {() => (
            <>
              <RunHead run={run} />
              <RunTrace run={run} definition={{ definition }} />
            </>
          )}
        </Dialog>
      )}
    </>
  );
}

type BarProps = {
  readonly day: Day;
  readonly isCompared: boolean;
  readonly zone: string;
  readonly missing: Result['fidelity']['missing'];
};

/** A day from midnight to midnight, with a tick for each start. Nothing is known of the hatched part: the hub was off. */
function DayBar({ day, isCompared, zone, missing }: BarProps) {
  const name = civilDayWords(day.date, 'day');
  const ticks = (firings: readonly Firing[], side: string) =>
    firings.map((firing) => (
      <span
        key={`${side} ${firing.at} ${firing.trigger}`}
        class="rule-tick"
        data-side={side}
        style={{ insetInlineStart: `${shareOfDay(firing.at, zone) * 100}%` }}
      />
    ));
  return (
    <div
      class="rule-day-bar"
      role="img"
      aria-label={
        isCompared
          ? pastWords.dayCompared(name, day.new.length, day.old.length)
          : pastWords.dayWords(name, day.new.length)
      }
    >
      {missing.map(({ reason, from, to }) => {
        const [start, end] = [shareOf(day.date, from, zone), shareOf(day.date, to, zone)];
        if (reason !== 'hub_off' || start === end) return null;
        const style = { insetInlineStart: `${start * 100}%`, inlineSize: `${(end - start) * 100}%` };
        return <span key={from} class="rule-day-off" style={style} />;
      })}
      {ticks(day.new, isCompared ? 'new' : 'only')}
      {isCompared ? ticks(day.old, 'old') : null}
    </div>
  );
}

const MOST_STARTS = 40;

/** The same as a list, in which each start opens what it would have done. */
function StartList({ days, onOpen }: { readonly days: readonly Day[]; readonly onOpen: (run: string) => void }) {
  const moment = useMoment();
  const starts = days.flatMap((day) => day.new).filter(({ run }) => run !== null);
  if (starts.length === 0) return null;
  return (
    <details class="panel help">
      <summary>{pastWords.starts}</summary>
      <ul class="rows">
        {starts.slice(-MOST_STARTS).map(({ at, run, outcome }) => (
          <li key={`${at} ${run ?? ''}`}>
            <button
              type="button"
              class="row"
              aria-label={pastWords.openTrace(moment(at))}
              onClick={() => onOpen(run ?? '')}
            >
              <span class="row-text">
                <span class="row-title">{moment(at)}</span>
                <span class="row-note">{pastWords.outcomes[outcome] ?? outcome}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const MOST_MISSING = 8;

/** How far the replay can be trusted, in words. */
function Fidelity({ fidelity: { complete, missing } }: Pick<Result, 'fidelity'>) {
  const home = useRuleHome();
  if (complete) return <p class="soft">{pastWords.complete}</p>;
  // Both with their day: from 9:40 of some day to 9:37 of today reads as backwards otherwise.
  const moment = (at: string): string => timeWords(at, 'dayAndClock');
  return (
    <Notice text={pastWords.incomplete}>
      <ul class="points">
        {missing.slice(0, MOST_MISSING).map(({ series, reason, from, to }) => (
          <li key={`${series} ${from} ${reason}`}>
            {pastWords.missing(
              seriesWords(series, home),
              pastWords.missingReasons[reason] ?? reason,
              pastWords.span(moment(from), moment(to)),
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
