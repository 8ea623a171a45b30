import { useEffect } from 'preact/hooks';
import type { Automation } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import { ReadingView, RowsSkeleton } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import type { PageProps } from '#web/router.ts';
import { ExportButton } from '#web/rule/transfer/export-button.tsx';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { RemoveRule, RuleState } from './rule-state.tsx';
import { isOwn, useRules } from './use-rules.ts';

const toRules = () => ({ href: '/rule', label: rulePageWords.all });
const VIEWS = ['edit', 'past', 'versions'] as const;
type View = (typeof VIEWS)[number];
const loadEditing = async () => (await import('./rule-editing.tsx')).RuleEditing;
const loadNew = async () => (await import('./rule-editing.tsx')).NewRule;
const loadSentence = async () => (await import('./rule-sentence.tsx')).RuleSentence;
const loadLink = async () => (await import('#web/rule/template/template-link.tsx')).TemplateLink;
const loadHooks = async () => (await import('./hook-panel.tsx')).HookPanel;
const loadPast = async () => (await import('#web/rule/past/rule-past.tsx')).RulePast;
const loadVersions = async () => (await import('#web/rule/past/rule-versions.tsx')).RuleVersions;

/** One automation: what it does, whether it runs, and its versions. */
export function RulePage({ params }: PageProps) {
  const selector = params['selector'] ?? '';
  // Beside the question to the hub; what shows them tries again.
  useEffect(() => void Promise.allSettled([loadEditing(), loadSentence()]), []);
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
        {(rule) => <OneRule rule={rule} revision={kept?.revision ?? rule.revision} again={reading.again} />}
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

type Props = { readonly rule: Automation; readonly revision: number; readonly again: () => Promise<void> };

function OneRule({ rule, revision, again }: Props) {
  const { account, router } = useHub();
  const { template } = rule;
  const query = new URLSearchParams(router.place.value.query);
  const view: View = VIEWS.find((one) => one === query.get('view')) ?? 'edit';
  const canChange = account.can('automation:manage') && isOwn(account.me.value, rule);
  return (
    <>
      <RuleState rule={rule} canChange={canChange} onChanged={again} />
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
      <nav class="choices" aria-label={rulePageWords.viewsLabel}>
        {VIEWS.map((one) => (
          <a
            key={one}
            href={`/rule/${rule.selector}${one === 'edit' ? '' : `?view=${one}`}`}
            aria-current={one === view ? 'page' : undefined}
          >
            {rulePageWords.views[one]}
          </a>
        ))}
      </nav>
      <div hidden={view !== 'edit'}>
        {canChange ? (
          <Loaded load={loadEditing} waiting={<RowsSkeleton rows={6} />}>
            {(RuleEditing) => <RuleEditing rule={rule} revision={revision} again={again} />}
          </Loaded>
        ) : (
          <>
            <Notice text={rulePageWords.readOnly} />
            <Loaded load={loadSentence} waiting={<RowsSkeleton rows={4} />}>
              {(RuleSentence) => <RuleSentence definition={rule} />}
            </Loaded>
          </>
        )}
      </div>
      {view === 'edit' && account.can('automation:manage') ? (
        <div class="row-buttons">
          <ExportButton
            path={`/automation_export?automation=${rule.id}`}
            name={rule.selector}
            label={transferWords.exportOne}
          />
          {canChange ? <RemoveRule rule={rule} /> : null}
        </div>
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
