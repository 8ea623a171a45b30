import type { AutomationDryRun, AutomationRun } from '#web/client/api.ts';
import { Notice } from '#web/parts/notice.tsx';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import type { Json } from '#web/rule/sentence/json.ts';
import { sentenceOf } from '#web/rule/sentence/sentence.ts';
import { useRuleHome } from '#web/rule/use-rule-home.ts';
import { TraceLines } from './trace-lines.tsx';

type TraceProps = {
  readonly run: AutomationRun;
  readonly definition: { readonly definition: object };
  /** What the run would have sent, if it is one that did not happen. */
  readonly dryRun?: AutomationDryRun;
};

/** The sentence of an automation with how each part of it went. */
export function RunTrace({ run, definition, dryRun }: TraceProps) {
  const home = useRuleHome();
  const document = definition.definition as Json;
  const sentence = sentenceOf(document, home);
  const traced = { run, definition: document, home, dryRun };
  return (
    <>
      {(['triggers', 'conditions', 'steps'] as const)
        .filter((name) => sentence[name].lines.length > 0)
        .map((name) => (
          <section key={name} class="rule-part" aria-label={ruleWords.parts[name]}>
            <h2 class="rule-part-title" aria-hidden="true">
              {ruleWords.parts[name]}
            </h2>
            <TraceLines body={sentence[name]} traced={traced} />
          </section>
        ))}
      {run.steps_left_out > 0 ? <Notice text={pastWords.leftOut(run.steps_left_out)} /> : null}
    </>
  );
}
