import type { AutomationRun } from '#web/client/api.ts';
import { reasonWords, x } from '#web/strings/rule/past-strings.ts';

/** How it ended, and why. */
export function RunHead({ run }: { readonly run: AutomationRun }) {
  const { outcome, reason, started_at: from, finished_at: to, merged } = run;
  const length = to === null ? x.notOver : x.took(Date.parse(to) - Date.parse(from));
  return (
    <section class="panel">
      <p>
        <strong>{x.outcomes[outcome] ?? outcome}</strong>
        {reason === null ? '' : `: ${reasonWords(reason)}`}
      </p>
      <p class="soft">
        {[...(run.trigger.type === 'run' ? [x.byHand] : []), length, ...(merged === 0 ? [] : [x.merged(merged)])].join(
          ' · ',
        )}
      </p>
    </section>
  );
}
