import { useState } from 'preact/hooks';
import type {
  Automation,
  AutomationDryRun,
  AutomationNext,
  AutomationStarted,
  AutomationSummary,
} from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReport, useReportedTask } from '#web/parts/use-task.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { useSoon } from './next-times.tsx';
import { stateTone } from './use-rules.ts';
import { stateReasonWords } from '#web/strings/rule/reason-words.ts';

type Props = {
  readonly rule: Automation;
  readonly isRunning: boolean;
  readonly canChange: boolean;
  readonly onChanged: () => Promise<void>;
};

/** Times that have come are no next ones. */
const NEXT_MS = 60_000;

/** Says in one line whether it is on and when it starts next, and in notices what keeps it from that; starts and stops it. */
export function RuleState({ rule, isRunning, canChange, onChanged }: Props) {
  const { account, client, messages } = useHub();
  const report = useReport();
  const next = useReading<AutomationNext>(`/automation/${rule.id}/next`, {
    everyMs: NEXT_MS,
    at: rule.revision,
  }).value;
  const reason = rule.state_reason;
  const lack = lackWords(rule, next);
  const call = async (word: 'sign' | 'stop' | 'reset', done?: string): Promise<void> => {
    await report(async () => {
      await client.call('POST', `/automation/${rule.id}/${word}`);
      if (done !== undefined) messages.show(done);
    });
    await onChanged();
  };
  return (
    <section class="panel rule-state">
      <div class="rule-state-head">
        <StateLine rule={rule} isRunning={isRunning} next={next} />
        <RuleSwitch rule={rule} isDisabled={!canChange} onChanged={onChanged} />
      </div>
      {reason === null ? null : <Notice tone={stateTone(rule)} text={stateReasonWords(reason)} />}
      {lack === undefined ? null : <Notice tone="warn" text={lack} />}
      {rule.sensitive ? (
        <p class="soft scene-sensitive">
          <Icon name="lock" size={16} />
          {rulePageWords.sensitive}
        </p>
      ) : null}
      <div class="row-buttons">
        {account.can('automation:run') ? (
          <>
            <RunButton rule={rule} />
            {isRunning ? (
              <button type="button" class="button" onClick={() => void call('stop', rulePageWords.stopped)}>
                <Icon name="stop" size={18} />
                {rulePageWords.stop}
              </button>
            ) : null}
            {rule.state === 'tripped' ? (
              <button type="button" class="button" onClick={() => void call('reset')}>
                {rulePageWords.reset}
              </button>
            ) : null}
          </>
        ) : null}
        {canChange ? (
          <>
            {rule.state === 'suspended' ? (
              <button type="button" class="button" onClick={() => void call('sign', rulePageWords.signed)}>
                {rulePageWords.sign}
              </button>
            ) : null}
            <EditButton selector={rule.selector} />
          </>
        ) : null}
        <MoreButton rule={rule} canChange={canChange} />
      </div>
    </section>
  );
}

/** In the place of the sentence, so that the way back leads away, and asks about what is not saved. */
function EditButton({ selector }: Pick<Automation, 'selector'>) {
  const { router } = useHub();
  return (
    <button type="button" class="button" onClick={() => router.go(`/rule/${selector}?view=edit`, 'replace')}>
      <Icon name="edit" size={18} />
      {rulePageWords.edit}
    </button>
  );
}

type LineProps = Pick<Props, 'rule' | 'isRunning'> & { readonly next: AutomationNext | undefined };

/** `On · next today 15:57`. */
function StateLine({ rule: { state }, isRunning, next }: LineProps) {
  const soon = useSoon();
  const [first] = state === 'ready' ? (next?.next ?? []) : [];
  const parts = [
    rulePageWords.states[state] ?? state,
    isRunning ? rulePageWords.runsNow : undefined,
    first === undefined ? undefined : rulePageWords.next(soon(first.at)),
    first === undefined || first.dst === 'none' ? undefined : rulePageWords.dst[first.dst],
  ];
  return <p class="soft">{parts.filter((one) => one !== undefined).join(' · ')}</p>;
}

/** Which of its times cannot come. Who may not know where the home is does not see the times of its sun. */
function lackWords({ state, triggers }: Automation, next: AutomationNext | undefined): string | undefined {
  if (state !== 'ready' || next === undefined) return undefined;
  const waits = rulePageWords.waitsFor[next.waits_for];
  if (waits !== undefined) return waits;
  if (next.next.length > 0 || next.hidden === true) return undefined;
  return triggers.some(({ type }) => type === 'time' || type === 'sun') ? rulePageWords.neverComes : undefined;
}

/** Does its steps now, whatever its conditions say, and shows what comes of it. */
function RunButton({ rule }: Pick<Props, 'rule'>) {
  const run = useRun(rule);
  return (
    <button type="button" class="button button-main" disabled={rule.state !== 'ready'} onClick={run}>
      <Icon name="play" size={18} />
      {rulePageWords.run}
    </button>
  );
}

/** Starts an automation without its conditions, and leads to its run. */
export function useRun({ id, selector }: Pick<AutomationSummary, 'id' | 'selector'>): () => void {
  const { client, router } = useHub();
  return useReportedTask(async () => {
    const { run } = await client.call<AutomationStarted>('POST', `/automation/${id}/run`, { skip_conditions: true });
    router.go(`/rule/${selector}/run/${run}`);
  }).run;
}

const loadMenu = async () => (await import('./rule-menu.tsx')).RuleMenu;
const loadDialog = async () => (await import('#web/rule/past/dry-run-dialog.tsx')).DryRunDialog;

/** The way to what people seldom do with an automation, and what a start would do at this moment. */
function MoreButton({ rule, canChange }: Pick<Props, 'rule' | 'canChange'>) {
  const { client } = useHub();
  const [isOpen, setIsOpen] = useState(false);
  const [dryRun, setDryRun] = useState<AutomationDryRun | null>(null);
  const check = useReportedTask(async () => {
    const path = `/automation/${rule.id}/run`;
    setDryRun((await client.call<AutomationStarted>('POST', path, { dry_run: true })).dry_run ?? null);
  });
  return (
    <>
      <button
        type="button"
        class="button button-icon"
        aria-label={rulePageWords.more}
        title={rulePageWords.more}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="more" size={20} />
      </button>
      {isOpen ? (
        <Loaded load={loadMenu}>
          {(RuleMenu) => (
            <RuleMenu rule={rule} canChange={canChange} onCheck={check.run} onClose={() => setIsOpen(false)} />
          )}
        </Loaded>
      ) : null}
      {dryRun === null ? null : (
        <Loaded load={loadDialog}>
          {(DryRunDialog) => <DryRunDialog run={dryRun} onClose={() => setDryRun(null)} />}
        </Loaded>
      )}
    </>
  );
}

type SwitchProps = {
  readonly rule: Pick<AutomationSummary, 'id' | 'name' | 'enabled'>;
  readonly isDisabled: boolean;
  readonly onChanged: () => Promise<void>;
};

/** On or off: what runs now is stopped, and times that pass while it is off are not made up for. */
export function RuleSwitch({ rule: { id, name, enabled }, isDisabled, onChanged }: SwitchProps) {
  const { client } = useHub();
  const report = useReport();
  // A second tap may come before the first is answered: both are sent.
  const set = async (): Promise<void> => {
    await report(() => client.call('POST', `/automation/${id}/${enabled ? 'disable' : 'enable'}`));
    await onChanged();
  };
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={enabled}
      aria-label={rulePageWords.switchOf(name)}
      disabled={isDisabled}
      onClick={() => void set()}
    />
  );
}
