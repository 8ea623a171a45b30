import { Notice } from '#web/parts/notice.tsx';
import { Changes } from '#web/rule/past/changes.tsx';
import { RuleSentence } from '#web/rule/rule-sentence.tsx';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';
import type { Trial } from './use-trial.ts';

type Props = { readonly missing: readonly string[]; readonly trial: Trial; readonly isUpdate: boolean };

/** The sentence that comes of it; of an update also what would change. */
export function TrialPreview({ missing, trial: { trial, faults }, isUpdate }: Props) {
  const others = faults.filter(({ pointer }) => !pointer.startsWith('/inputs/'));
  return (
    <section class="template-preview" aria-label={templateWords.sentence}>
      <h2 class="panel-title">{templateWords.sentence}</h2>
      {missing.length > 0 ? <p class="soft">{templateWords.missing(missing.join(', '))}</p> : null}
      {trial === null ? null : <RuleSentence definition={trial} />}
      {others.length === 0 ? null : (
        <Notice tone="warn" {...(trial === null ? { text: templateWords.unfit } : {})}>
          <ul class="points">
            {others.map(({ pointer, text }) => (
              <li key={`${pointer} ${text}`}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      {trial === null || !isUpdate ? null : (
        <>
          <p>{trial.differences.length === 0 ? templateWords.same : templateWords.drifted}</p>
          {trial.differences.length === 0 ? null : <Changes changes={trial.differences} />}
        </>
      )}
    </section>
  );
}
