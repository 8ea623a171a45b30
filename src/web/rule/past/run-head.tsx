import type { AutomationRun } from '#web/client/api.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { starterWords } from './trace-words.ts';
import { reasonWords } from '#web/strings/rule/reason-words.ts';

/** How it ended, and why. */
export function RunHead({ run }: { readonly run: AutomationRun }) {
  const { outcome, message, started_at: from, finished_at: to, merged } = run;
  const length = to === null ? [] : [pastWords.took(Date.parse(to) - Date.parse(from))];
  return (
    <section class="panel">
      <p>
        <strong>{pastWords.outcomes[outcome] ?? outcome}</strong>
        {message === null ? '' : `: ${reasonWords(run)}`}
      </p>
      <p class="soft">
        {[...starterWords(run), ...length, ...(merged === 0 ? [] : [pastWords.merged(merged)])].join(' · ')}
      </p>
    </section>
  );
}
