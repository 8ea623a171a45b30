import { useState } from 'preact/hooks';
import type { Automation, AutomationRun, AutomationRuns, NearMiss, Why } from '#web/client/api.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { MomentField } from '#web/form/moment-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { LinkRow } from '#web/parts/link-row.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { reasonWords } from '#web/strings/rule/reason-words.ts';
import { useMoment } from '#web/rule/next-times.tsx';
import { starterWords, triggerWords, whyWords } from './trace-words.ts';
import { useRuleHome } from '#web/rule/use-rule-home.ts';

type Props = { readonly rule: Automation };

/** Shows what the automation did, what almost started it, and why it did not run at some time. */
export function RulePast({ rule }: Props) {
  return (
    <>
      <WhyForm rule={rule} />
      <h2 class="rows-title">{pastWords.runs}</h2>
      <Runs rule={rule} />
      <h2 class="rows-title">{pastWords.nearMisses}</h2>
      <Misses rule={rule} />
    </>
  );
}

const LIMIT = 20;
const LOOK_MS = 10_000;

function Runs({ rule }: Props) {
  const { client } = useHub();
  const path = `/automation/${rule.id}/run?limit=${LIMIT}`;
  const reading = useReading<AutomationRuns>(path, { everyMs: LOOK_MS });
  const [older, setOlder] = useState<AutomationRuns | null>(null);
  const showMore = useReportedTask(async (cursor: string) => {
    const more = await client.call<AutomationRuns>('GET', `${path}&cursor=${encodeURIComponent(cursor)}`);
    setOlder({ runs: [...(older?.runs ?? []), ...more.runs], next: more.next });
  });
  return (
    <ReadingView of={reading}>
      {({ runs, next }) => {
        const newest = new Set(runs.map(({ id }) => id));
        const all = [...runs, ...(older?.runs ?? []).filter(({ id }) => !newest.has(id))];
        const cursor = older === null ? next : older.next;
        if (all.length === 0) return <p class="soft">{pastWords.noRuns}</p>;
        return (
          <>
            <ul class="rows">
              {all.map((run) => (
                <RunRow key={run.id} run={run} rule={rule} />
              ))}
            </ul>
            {cursor === null ? null : (
              <button type="button" class="button" onClick={() => showMore.run(cursor)}>
                {pastWords.moreRuns}
              </button>
            )}
          </>
        );
      }}
    </ReadingView>
  );
}

const ICONS: Readonly<Record<string, 'check' | 'close' | 'clock' | 'minus'>> = {
  finished: 'check',
  failed: 'close',
  running: 'clock',
};

function RunRow({ run, rule }: Props & { readonly run: AutomationRun }) {
  const home = useRuleHome();
  const moment = useMoment();
  const outcome = pastWords.outcomes[run.outcome] ?? run.outcome;
  const why = run.message === null ? outcome : rulePageWords.reason(outcome, reasonWords(run));
  const more = run.merged === 0 ? [] : [pastWords.merged(run.merged)];
  return (
    <LinkRow
      href={`/rule/${rule.selector}/run/${run.id}`}
      icon={ICONS[run.outcome] ?? 'minus'}
      title={moment(run.started_at)}
      note={[why, ...starterWords(run), triggerWords(run, home), ...more].join(' · ')}
    />
  );
}

function Misses({ rule }: Props) {
  const moment = useMoment();
  const home = useRuleHome();
  const reading = useReading<readonly NearMiss[]>(`/automation/${rule.id}/near_miss`);
  return (
    <ReadingView of={reading}>
      {(misses) =>
        misses.length === 0 ? (
          <p class="soft">{pastWords.noNearMisses}</p>
        ) : (
          <ul class="rows">
            {misses.map((miss) => (
              <li key={`${miss.at} ${miss.code}`} class="row">
                <span class="row-text">
                  <span class="row-title">{whyWords(miss, { home, timeOf: moment })}</span>
                  <span class="row-note">
                    {[moment(miss.last_at), pastWords.times(miss.count)].filter((one) => one !== '').join(' · ')}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </ReadingView>
  );
}

function WhyForm({ rule }: Props) {
  const { client } = useHub();
  const [why, setWhy] = useState<Why | null>(null);
  const form = useForm(['at']);
  const at = useField<string | null>(form, 'at', null);
  const ask = async (): Promise<void> => {
    setWhy(null);
    setWhy(await client.call<Why>('GET', `/automation/${rule.id}/why?at=${encodeURIComponent(at.value ?? '')}`));
  };
  return (
    <FormFrame form={form} class="panel form" onSubmit={() => form.submit(ask, { at: at.value ?? '' })}>
      <h2 class="form-title">{pastWords.why}</h2>
      <MomentField label={pastWords.whyAt} hint={pastWords.whyHint} {...at} />
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <div class="form-buttons">
        <button type="submit" class="button" aria-disabled={form.isBusy}>
          {form.isBusy ? pastWords.asking : pastWords.ask}
        </button>
      </div>
      <div role="status">{why === null ? null : <WhyAnswer why={why} />}</div>
    </FormFrame>
  );
}

function WhyAnswer({ why }: { readonly why: Why }) {
  const moment = useMoment();
  const place = { home: useRuleHome(), timeOf: moment };
  return (
    <>
      <p>
        <strong>{whyWords(why, place)}</strong>
      </p>
      {why.source === 'replay' ? <p class="soft">{pastWords.replayed}</p> : null}
      {why.source === 'none' ? <p class="soft">{pastWords.nothingKept}</p> : null}
      {why.timeline.length === 0 ? null : (
        <ol class="rule-times">
          {why.timeline.map((line) => (
            <li key={`${line.at} ${line.code}`}>
              <span class="soft">{moment(line.at)}</span> {whyWords(line, place)}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
