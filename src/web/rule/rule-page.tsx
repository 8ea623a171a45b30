import { useEffect, useState } from 'preact/hooks';
import type { Automation } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import { ReadingView, RowsSkeleton } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import type { PageProps } from '#web/router.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { RuleState } from './rule-state.tsx';
import { isOwn, useRules } from './use-rules.ts';

const toRules = () => ({ href: '/rule', label: rulePageWords.all });
const VIEWS = ['steps', 'past', 'versions'] as const;
type View = (typeof VIEWS)[number];
/** The first of the views, with holes to fill. */
const EDIT = 'edit';
const loadEditing = async () => (await import('./rule-editing.tsx')).RuleEditing;
const loadNew = async () => (await import('./rule-editing.tsx')).NewRule;
const loadSentence = async () => (await import('./rule-sentence.tsx')).RuleSentence;
const loadLink = async () => (await import('#web/rule/template/template-link.tsx')).TemplateLink;
const loadHooks = async () => (await import('./hook-panel.tsx')).HookPanel;
const loadPast = async () => (await import('#web/rule/past/rule-past.tsx')).RulePast;
const loadStrip = async () => (await import('#web/rule/past/rule-strip.tsx')).SavedStrip;
const loadVersions = async () => (await import('#web/rule/past/rule-versions.tsx')).RuleVersions;

/** One automation: what it does, whether it runs, and its versions. */
export function RulePage({ params }: PageProps) {
  const selector = params['selector'] ?? '';
  // Beside the question to the hub; what shows them tries again.
  useEffect(() => void Promise.allSettled([loadSentence(), loadEditing()]), []);
  const reading = useReading<Automation>(`/automation/${encodeURIComponent(selector)}`);
  const rules = useRules().value.value;
  const kept = rules?.find(({ id, selector: own }) => own === selector || id === selector);
  const isGone = rules !== undefined && kept === undefined && reading.fault !== undefined;
  if (isGone && reading.value === undefined) {
    return (
      <div class="page narrow">
        <PageHead title={rulePageWords.notFound} back={toRules()} />
        <p class="soft">{rulePageWords.notFoundText}</p>
      </div>
    );
  }
  return (
    <div class="page narrow">
      <PageHead title={reading.value?.name ?? rulePageWords.one} back={toRules()} />
      {isGone && reading.value !== undefined ? <Removed rule={reading.value} again={reading.again} /> : null}
      <ReadingView of={reading}>
        {(rule) => (
          <OneRule
            rule={rule}
            revision={kept?.revision ?? rule.revision}
            isRunning={(kept?.running ?? rule.running) > 0}
            again={reading.again}
          />
        )}
      </ReadingView>
    </div>
  );
}

/** An automation that begins empty. */
export function NewRulePage() {
  return (
    <div class="page narrow">
      <PageHead title={rulePageWords.add} back={{ href: '/rule', label: rulePageWords.all }} />
      <Loaded load={loadNew} waiting={<RowsSkeleton rows={4} />}>
        {(NewRule) => <NewRule />}
      </Loaded>
    </div>
  );
}

type RemovedProps = Pick<Props, 'rule' | 'again'>;

/** Somebody else removed it: what is written here is kept, and can be saved once it is back. */
function Removed({ rule, again }: RemovedProps) {
  const { client, messages } = useHub();
  const bringBack = useReportedTask(async () => {
    await client.call('POST', `/automation/${rule.id}/restore`);
    messages.show(rulePageWords.restored(rule.name));
  }, again);
  return (
    <Notice tone="warn" text={rulePageWords.notFoundText}>
      <button type="button" class="button notice-button" onClick={bringBack.run}>
        {rulePageWords.undo}
      </button>
    </Notice>
  );
}

type Props = {
  readonly rule: Automation;
  readonly revision: number;
  readonly isRunning: boolean;
  readonly again: () => Promise<void>;
};

function OneRule({ rule, revision, isRunning, again }: Props) {
  const { account, router } = useHub();
  const asked = new URLSearchParams(router.place.value.query).get('view');
  const canChange = account.can('automation:manage') && isOwn(account.me.value, rule);
  const [hasEditor, setHasEditor] = useState(false);
  const isEditing = asked === EDIT && canChange;
  // What is written in it stays while another view is looked at.
  if (isEditing && !hasEditor) setHasEditor(true);
  const view: View = VIEWS.find((one) => one === asked) ?? 'steps';
  const addressOf = (one: View): string => {
    const query = one === 'steps' ? (hasEditor ? EDIT : undefined) : one;
    return `/rule/${rule.selector}${query === undefined ? '' : `?view=${query}`}`;
  };
  const endEditing = (): void => {
    setHasEditor(false);
    router.go(`/rule/${rule.selector}`, 'replace');
  };
  return (
    <>
      <nav class="choices" aria-label={rulePageWords.viewsLabel}>
        {VIEWS.map((one) => (
          <a key={one} href={addressOf(one)} aria-current={one === view ? 'page' : undefined}>
            {rulePageWords.views[one]}
          </a>
        ))}
      </nav>
      {hasEditor && canChange ? (
        <div hidden={!isEditing}>
          <Loaded load={loadEditing} waiting={<RowsSkeleton rows={6} />}>
            {(RuleEditing) => <RuleEditing rule={rule} revision={revision} again={again} onEnd={endEditing} />}
          </Loaded>
        </div>
      ) : null}
      {view === 'steps' && !isEditing ? (
        <Steps rule={rule} isRunning={isRunning} canChange={canChange} again={again} />
      ) : null}
      {view === 'past' ? (
        <Loaded load={loadPast} waiting={<RowsSkeleton rows={4} />}>
          {(RulePast) => <RulePast rule={rule} />}
        </Loaded>
      ) : null}
      {view === 'versions' ? (
        <Loaded load={loadVersions} waiting={<RowsSkeleton rows={4} />}>
          {(RuleVersions) => <RuleVersions rule={rule} canChange={canChange} onChanged={again} />}
        </Loaded>
      ) : null}
    </>
  );
}

type StepsProps = Pick<Props, 'rule' | 'isRunning' | 'again'> & { readonly canChange: boolean };

/** The sentence, below it how it stands, and then where it came from and who calls it. */
function Steps({ rule, isRunning, canChange, again }: StepsProps) {
  const { account } = useHub();
  const { template } = rule;
  return (
    <>
      <Loaded load={loadSentence} waiting={<RowsSkeleton rows={4} />}>
        {(RuleSentence) => <RuleSentence definition={rule} />}
      </Loaded>
      <RuleState rule={rule} isRunning={isRunning} canChange={canChange} onChanged={again} />
      {canChange ? null : <Notice text={rulePageWords.readOnly} />}
      {template === null ? null : (
        <Loaded load={loadLink} waiting={<div class="panel rule-link" aria-busy="true" />}>
          {(TemplateLink) => <TemplateLink {...{ rule, template, canChange }} onChanged={again} />}
        </Loaded>
      )}
      {rule.triggers.some(({ type }) => type === 'hook') ? (
        <Loaded load={loadHooks} waiting={<div class="panel rule-hooks" aria-busy="true" />}>
          {(HookPanel) => <HookPanel rule={rule} onChanged={again} />}
        </Loaded>
      ) : null}
      {account.can('history:read') ? (
        <Loaded load={loadStrip} waiting={<div class="panel" aria-busy="true" />}>
          {(SavedStrip) => <SavedStrip rule={rule} />}
        </Loaded>
      ) : null}
    </>
  );
}
