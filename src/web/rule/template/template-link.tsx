import type { Automation, AutomationTemplateTrial } from '#web/client/api.ts';
import { useEffect, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { useReportedTask } from '#web/parts/use-task.ts';
import { useTemplate } from './use-template.ts';
import { Changes } from '#web/rule/past/changes.tsx';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';

type Props = {
  readonly rule: Automation;
  readonly template: NonNullable<Automation['template']>;
  readonly canChange: boolean;
  readonly onChanged: () => Promise<void>;
};

/** Which template it was made of, what a newer version of that would change, and the way to cut it loose. */
export function TemplateLink({ rule, template: { id, version }, canChange, onChanged }: Props) {
  const { client, messages, questions } = useHub();
  const template = useTemplate(id).value;
  const cut = useReportedTask(async () => {
    await client.call('DELETE', `/automation/${rule.id}/template`);
    messages.show(templateWords.cutDone);
  }, onChanged);
  return (
    <section class="panel">
      <p>{templateWords.linked(template?.name ?? id)}</p>
      {template !== undefined && template.version > version && canChange ? <Newer rule={rule} id={id} /> : null}
      {canChange ? (
        <div class="row-buttons">
          <button
            type="button"
            class="button"
            onClick={() =>
              questions.ask(
                { title: templateWords.cutQuestion, text: templateWords.cutText, confirm: templateWords.cut },
                cut.run,
              )
            }
          >
            {templateWords.cut}
          </button>
          {template === undefined ? null : (
            <a class="button" href={`/rule_template/${encodeURIComponent(id)}?automation=${rule.selector}`}>
              {templateWords.change}
            </a>
          )}
        </div>
      ) : null}
    </section>
  );
}

/** Shows what would change in a newer version; to take it, one sees it filled in. */
function Newer({ rule, id }: { readonly rule: Automation; readonly id: string }) {
  const { client } = useHub();
  const [trial, setTrial] = useState<AutomationTemplateTrial>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    void wordsIfRefused(async () => {
      const path = `/automation_template/${encodeURIComponent(id)}/instantiate?dry_run=true`;
      setTrial(await client.call<AutomationTemplateTrial>('POST', path, { automation: rule.id }));
    }).then(setFault);
  }, [client, id, rule.id, rule.revision]);
  return (
    <Notice text={fault ?? templateWords.newer}>
      {trial === undefined ? null : <Changes changes={trial.differences} />}
    </Notice>
  );
}
