import { useEffect } from 'preact/hooks';
import type { AutomationListed, AutomationSummary, Hub as HubInfo, Upcoming } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { comingUp } from './coming-up.ts';
import { Upcomings, useMoment, useSoon } from './next-times.tsx';
import { RuleSwitch, useRun } from './rule-state.tsx';
import { TemplateList } from '#web/rule/template/template-list.tsx';
import { ExportButton } from '#web/rule/transfer/export-button.tsx';
import { isOwn, useRules } from './use-rules.ts';
import { stateReasonWords } from '#web/strings/rule/reason-words.ts';

/** Every automation of the home; a new one; the trash. */
export function RulesPage() {
  const { router } = useHub();
  const query = new URLSearchParams(router.place.value.query);
  return query.has('trash') ? <Trash /> : <Rules />;
}

function Rules() {
  const { account, time } = useHub();
  const { value, fault, again } = useRules();
  const canAdd = account.can('automation:manage');
  useLooks(again);
  const clock = useReading<HubInfo>('/hub', { everyMs: LOOK_MS }).value?.clock;
  // While the clock is not set the hub refuses it, and the page says so above.
  const upcoming = useReading<Upcoming>('/calendar_day', { everyMs: LOOK_MS }).value;
  return (
    <div class="page narrow">
      <PageHead title={rulePageWords.title} back={{ href: '/', label: pageWords.device.toHome }}>
        {canAdd ? (
          <div class="row-buttons">
            {value.value?.length === 0 ? null : (
              <a class="button" href="/rule_template">
                {templateWords.from}
              </a>
            )}
            <a class="button button-main" href="/rule_new">
              <Icon name="plus" size={18} />
              {rulePageWords.add}
            </a>
          </div>
        ) : null}
      </PageHead>
      {clock?.source === 'none' ? <Notice tone="warn" text={rulePageWords.clockNotSet} /> : null}
      <ReadingView of={{ value: value.value, fault: fault.value, again }}>
        {(rules) => (
          <>
            {rules.length === 0 ? <p class="soft">{canAdd ? rulePageWords.none : rulePageWords.noneHere}</p> : null}
            {rules.length === 0 && canAdd ? <TemplateList /> : null}
            <ul class="rows">
              {rules.map((rule) => (
                <RuleRow key={rule.id} rule={rule} again={again} />
              ))}
            </ul>
            {canAdd ? (
              <>
                <p>
                  <a href="/rule?trash">{rulePageWords.toTrash}</a>
                </p>
                <div class="row-buttons">
                  <a class="button" href="/rule_import">
                    {transferWords.link}
                  </a>
                  {rules.length === 0 ? null : (
                    <ExportButton path="/automation_export" name="automations" label={transferWords.exportAll} />
                  )}
                </div>
              </>
            ) : null}
            {/* Last, because it is another answer: what comes late moves nothing. */}
            <Upcomings coming={comingUp(rules, upcoming?.firings ?? [], time.nowMs.value)} />
          </>
        )}
      </ReadingView>
    </div>
  );
}

const LOOK_MS = 20_000;

/** Next times and what was tripped change without an event. */
function useLooks(again: () => Promise<void>): void {
  useEffect(() => {
    const look = (): void => void (document.hidden ? undefined : again());
    const timer = setInterval(look, LOOK_MS);
    look();
    return () => clearInterval(timer);
  }, [again]);
}

type RowProps = { readonly rule: AutomationListed; readonly again: () => Promise<void> };

function RuleRow({ rule, again }: RowProps) {
  const moment = useMoment();
  const soon = useSoon();
  const { account } = useHub();
  const canChange = account.can('automation:manage') && isOwn(account.me.value, rule);
  const { state: code, state_reason: reason, next_at: nextAt, last_run: last } = rule;
  const state = rulePageWords.states[code] ?? code;
  const notes = [
    reason === null ? state : rulePageWords.reason(state, stateReasonWords(reason)),
    rule.room?.name,
    rule.running > 0 ? rulePageWords.runsNow : undefined,
    nextAt === null ? undefined : rulePageWords.next(soon(nextAt)),
    last === null || rule.running > 0
      ? undefined
      : rulePageWords.lastRun(moment(last.at), pastWords.outcomes[last.outcome] ?? last.outcome),
  ];
  return (
    <li class="row" data-state={code}>
      <a class="row-text scene-link" href={`/rule/${rule.selector}`}>
        <bdi class="row-title">{rule.name}</bdi>
        <bdi class="row-note">{notes.filter((note) => note !== undefined).join(' · ')}</bdi>
      </a>
      {account.can('automation:run') && code === 'ready' ? <RunButton rule={rule} /> : null}
      <RuleSwitch rule={rule} isDisabled={!canChange} onChanged={again} />
    </li>
  );
}

/** Does the steps of one automation now. */
function RunButton({ rule }: Pick<RowProps, 'rule'>) {
  const run = useRun(rule);
  return (
    <button
      type="button"
      class="button button-plain button-icon"
      aria-label={rulePageWords.runOne(rule.name)}
      title={rulePageWords.run}
      onClick={run}
    >
      <Icon name="play" size={20} />
    </button>
  );
}

function Trash() {
  const reading = useReading<readonly AutomationSummary[]>('/automation?deleted=true');
  const rules = useRules();
  const again = (): Promise<unknown> => Promise.all([reading.again(), rules.again()]);
  return (
    <div class="page narrow">
      <PageHead title={rulePageWords.trash} back={{ href: '/rule', label: rulePageWords.all }} />
      <p class="soft">{rulePageWords.trashText}</p>
      <ReadingView of={reading}>
        {(removed) =>
          removed.length === 0 ? (
            <p class="soft">{rulePageWords.trashEmpty}</p>
          ) : (
            <ul class="rows">
              {removed.map((rule) => (
                <TrashRow key={rule.id} rule={rule} again={again} />
              ))}
            </ul>
          )
        }
      </ReadingView>
    </div>
  );
}

type TrashProps = { readonly rule: AutomationSummary; readonly again: () => Promise<unknown> };

function TrashRow({ rule: { id, name, deleted_at: deletedAt }, again }: TrashProps) {
  const { client, messages } = useHub();
  const moment = useMoment();
  const restore = useReportedTask(async () => {
    await client.call('POST', `/automation/${id}/restore`);
    messages.show(rulePageWords.restored(name));
  }, again);
  return (
    <li class="row">
      <span class="row-text">
        <bdi class="row-title">{name}</bdi>
        <span class="row-note">{deletedAt === null ? '' : rulePageWords.removedAt(moment(deletedAt))}</span>
      </span>
      <button type="button" class="button" aria-disabled={restore.isRunning} onClick={restore.run}>
        {rulePageWords.restore}
      </button>
    </li>
  );
}
