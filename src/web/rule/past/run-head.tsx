import type { AutomationRun } from '#web/client/api.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { starterWords } from './trace-words.ts';
import { reasonWords } from '#web/strings/rule/reason-words.ts';

/** How it ended, and why. */
export function RunHead({ run }: { readonly run: AutomationRun }) {
  const { outcome, message, started_at: from, finished_at: to, merged } = run;
  const length = to === null ? [] : [pastWords.took(Date.parse(to) - Date.parse(from))];
  const words = pastWords.outcomes[outcome] ?? outcome;
  return (
    <section class="panel">
      <p>
        <strong>{message === null ? words : rulePageWords.reason(words, reasonWords(run))}</strong>
      </p>
      <p class="soft">
        {[...starterWords(run), ...length, ...(merged === 0 ? [] : [pastWords.merged(merged)])].join(' · ')}
      </p>
    </section>
  );
}
