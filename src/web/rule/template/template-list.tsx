import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { useTemplates } from './use-template.ts';

/** The templates of automations, to choose one of. */
export function TemplatesPage() {
  return (
    <div class="page narrow">
      <PageHead title={templateWords.title} back={{ href: '/rule', label: rulePageWords.all }} />
      <p class="soft">{templateWords.text}</p>
      <TemplateList />
      <div class="row-buttons">
        <a class="button" href="/rule_import">
          {transferWords.link}
        </a>
      </div>
    </div>
  );
}

/** All of them, each with what it does. */
export function TemplateList() {
  const reading = useTemplates();
  return (
    <ReadingView of={reading} rows={12}>
      {(templates) => (
        <ul class="rows">
          {templates.map(({ id, name, description }) => (
            <li key={id} class="row">
              <a class="row-text scene-link" href={`/rule_template/${encodeURIComponent(id)}`}>
                <span class="row-title">{name}</span>
                <span class="row-note">{description}</span>
              </a>
              <Icon name="forward" size={18} />
            </li>
          ))}
        </ul>
      )}
    </ReadingView>
  );
}
