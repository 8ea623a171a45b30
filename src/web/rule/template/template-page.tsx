import type { Automation } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useTemplate } from './use-template.ts';
import { useReading } from '#web/parts/use-reading.ts';
import type { PageProps } from '#web/router.ts';
import { isOwn, useRules } from '#web/rule/use-rules.ts';
import { ExportButton } from '#web/rule/transfer/export-button.tsx';
import { templateFile } from '#web/rule/transfer/transfer-file.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { TemplateForm } from './template-form.tsx';

/** One template with its holes: for a new automation, or for one that was made of it. */
export function TemplatePage({ params }: PageProps) {
  const { router } = useHub();
  const id = params['id'] ?? '';
  const rule = new URLSearchParams(router.place.value.query).get('automation');
  return rule === null ? <NewOne key={id} id={id} /> : <FillAnew key={`${id} ${rule}`} id={id} rule={rule} />;
}

function NewOne({ id }: { readonly id: string }) {
  const { router } = useHub();
  const { again } = useRules();
  const reading = useTemplate(id);
  return (
    <div class="page narrow">
      <PageHead
        title={reading.value?.name ?? templateWords.title}
        back={{ href: '/rule_template', label: templateWords.all }}
      />
      <ReadingView of={reading}>
        {(template) => (
          <>
            <TemplateForm
              template={template}
              onSaved={({ selector }) => {
                void again();
                router.go(`/rule/${selector}`, 'replace');
              }}
            />
            <div class="row-buttons">
              <ExportButton
                path={`/automation_template/${encodeURIComponent(id)}`}
                name={id}
                label={transferWords.exportOne}
                take={templateFile}
              />
            </div>
          </>
        )}
      </ReadingView>
    </div>
  );
}

function FillAnew({ id, rule: selector }: { readonly id: string; readonly rule: string }) {
  const { account, router } = useHub();
  const template = useTemplate(id);
  const rule = useReading<Automation>(`/automation/${encodeURIComponent(selector)}`);
  const found = rule.value;
  return (
    <div class="page narrow">
      <PageHead
        title={found?.name ?? pageWords.loading}
        back={{ href: `/rule/${selector}`, label: rulePageWords.one }}
      />
      <ReadingView of={found === undefined ? { ...template, value: undefined, fault: rule.fault } : template}>
        {(value) =>
          found?.template?.id === id && isOwn(account.me.value, found) ? (
            <TemplateForm
              template={value}
              rule={found}
              onSaved={(saved) => router.go(`/rule/${saved.selector}`, 'replace')}
            />
          ) : (
            <Notice text={templateWords.gone} />
          )
        }
      </ReadingView>
    </div>
  );
}
