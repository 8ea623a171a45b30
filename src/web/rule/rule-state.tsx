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
import { NextTimes } from './next-times.tsx';
import { stateTone } from './use-rules.ts';
import { stateReasonWords } from '#web/strings/rule/reason-words.ts';

type Props = {
  readonly rule: Automation;
  readonly canChange: boolean;
  readonly onChanged: () => Promise<void>;
};

/** Times that have come are no next ones. */
const NEXT_MS = 60_000;

/** Whether it runs, why not, when next, and whose rights it has. */
export function RuleState({ rule, canChange, onChanged }: Props) {
  const { account, client, messages } = useHub();
  const report = useReport();
  const next = useReading<AutomationNext>(`/automation/${rule.id}/next`, {
    everyMs: NEXT_MS,
    at: rule.revision,
  });
  const reason = rule.state_reason;
  const act = async (task: () => Promise<unknown>, done?: string): Promise<void> => {
    await report(async () => {
      await task();
      if (done !== undefined) messages.show(done);
    });
    await onChanged();
  };
  return (
    <section class="panel rule-state">
      <div class="rule-state-head">
        <span class="row-title">{rulePageWords.states[rule.state] ?? rule.state}</span>
        <RuleSwitch rule={rule} isDisabled={!canChange} onChanged={onChanged} />
      </div>
      {reason === null ? null : <Notice tone={stateTone(rule)} text={stateReasonWords(reason)} />}
      {rule.sensitive ? (
        <p class="soft scene-sensitive">
          <Icon name="lock" size={16} />
          {rulePageWords.sensitive}
        </p>
      ) : null}
      {next.value === undefined ? null : <Next rule={rule} next={next.value} />}
      <p class="soft">{rulePageWords.signedBy(rule.acts_as.user.name)}</p>
      {account.can('automation:run') ? <RunButtons rule={rule} act={act} /> : null}
      {canChange && rule.state === 'suspended' ? (
        <button
          type="button"
          class="button"
          onClick={() => void act(() => client.call('POST', `/automation/${rule.id}/sign`), rulePageWords.signed)}
        >
          {rulePageWords.sign}
        </button>
      ) : null}
    </section>
  );
}

type Act = (task: () => Promise<unknown>, done?: string) => Promise<void>;

/** Starts it now, with its conditions, and shows what comes of it; stops it; lets a tripped one run again. */
function RunButtons({ rule, act }: { readonly rule: Automation; readonly act: Act }) {
  const { client, router } = useHub();
  const call = (word: string): Promise<unknown> => client.call('POST', `/automation/${rule.id}/${word}`);
  const tryIt = async (): Promise<void> => {
    const { run } = await client.call<AutomationStarted>('POST', `/automation/${rule.id}/run`);
    router.go(`/rule/${rule.selector}/run/${run}`);
  };
  return (
    <div class="row-buttons">
      {rule.state === 'tripped' ? (
        <button type="button" class="button" onClick={() => void act(() => call('reset'))}>
          {rulePageWords.reset}
        </button>
      ) : null}
      <button type="button" class="button" onClick={() => void act(() => call('stop'), rulePageWords.stopped)}>
        <Icon name="stop" size={18} />
        {rulePageWords.stop}
      </button>
      <LookButton rule={rule} />
      <button type="button" class="button" disabled={rule.state !== 'ready'} onClick={() => void act(tryIt)}>
        <Icon name="power" size={18} />
        {rulePageWords.tryIt}
      </button>
    </div>
  );
}

const loadDialog = async () => (await import('#web/rule/past/dry-run-dialog.tsx')).DryRunDialog;

/** Shows what a start would do at this moment, and does nothing. */
function LookButton({ rule }: { readonly rule: Automation }) {
  const { client } = useHub();
  const [run, setRun] = useState<AutomationDryRun | null>(null);
  const look = useReportedTask(async () => {
    const path = `/automation/${rule.id}/run`;
    setRun((await client.call<AutomationStarted>('POST', path, { dry_run: true })).dry_run ?? null);
  });
  return (
    <>
      <button type="button" class="button" aria-haspopup="dialog" aria-disabled={look.isRunning} onClick={look.run}>
        <Icon name="eye" size={18} />
        {rulePageWords.lookAt}
      </button>
      {run === null ? null : (
        <Loaded load={loadDialog}>{(DryRunDialog) => <DryRunDialog run={run} onClose={() => setRun(null)} />}</Loaded>
      )}
    </>
  );
}

type RemoveProps = Pick<Props, 'rule'>;

/** Into the trash, from which it comes back. */
export function RemoveRule({ rule }: RemoveProps) {
  const { client, messages, questions, router } = useHub();
  const bringBack = useReportedTask(async () => {
    await client.call('POST', `/automation/${rule.id}/restore`);
    messages.show(rulePageWords.restored(rule.name));
    router.go(`/rule/${rule.selector}`);
  });
  const remove = useReportedTask(async () => {
    await client.call('DELETE', `/automation/${rule.id}`);
    messages.show(rulePageWords.removed(rule.name), 'plain', {
      action: { label: rulePageWords.undo, run: bringBack.run },
    });
    router.go('/rule');
  });
  return (
    <button
      type="button"
      class="button button-danger rule-remove"
      onClick={() =>
        questions.ask(
          {
            title: rulePageWords.removeQuestion(rule.name),
            text: rulePageWords.removeText,
            confirm: rulePageWords.remove,
          },
          remove.run,
        )
      }
    >
      <Icon name="trash" size={18} />
      {rulePageWords.remove}
    </button>
  );
}

type NextProps = { readonly rule: Automation; readonly next: AutomationNext };

function Next({ rule, next: { next, waits_for: waitsFor, hidden } }: NextProps) {
  if (rule.state !== 'ready') return null;
  const waits = rulePageWords.waitsFor[waitsFor];
  if (waits !== undefined) return <Notice tone="warn" text={waits} />;
  if (next.length > 0) return <NextTimes next={next} />;
  // Who may not know where the home is does not see the times of its sun.
  if (hidden === true) return null;
  const hasTimes = rule.triggers.some(({ type }) => type === 'time' || type === 'sun');
  return hasTimes ? <Notice tone="warn" text={rulePageWords.neverComes} /> : <p class="soft">{rulePageWords.noNext}</p>;
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
