import { Notice } from '#web/parts/notice.tsx';
import type { Fault } from './faults.ts';
import { RuleStrip } from '#web/rule/past/rule-strip.tsx';
import type { Strip } from '#web/rule/past/use-strip.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { NextTimes } from '#web/rule/next-times.tsx';
import type { RuleCheck } from '#web/rule/use-rule-check.ts';

type OutlookProps = {
  readonly check: RuleCheck;
  readonly faults: readonly Fault[];
  readonly strip: Strip;
  /** Nothing is changed: the head of the page says when it starts next. */
  readonly isSame: boolean;
};

/**
 * Shows what would come of it: what the hub thinks of it, what it would have done lately, and when it would start next.
 */
export function RuleOutlook({ check: { answer, isBusy }, faults, strip, isSame }: OutlookProps) {
  return (
    <>
      <CheckLine faults={faults} isBusy={isBusy} isAnswered={answer !== null} />
      <Lost rights={answer?.rights_lost ?? []} />
      {answer === null && !strip.isAsked ? null : <RuleStrip strip={strip} />}
      {answer === null || answer.next.length === 0 || isSame ? null : <NextTimes next={answer.next} />}
    </>
  );
}

type CheckProps = { readonly faults: readonly Fault[]; readonly isBusy: boolean; readonly isAnswered: boolean };

/** Says what the hub thinks of it, in one line that screen readers announce. */
function CheckLine({ faults, isBusy, isAnswered }: CheckProps) {
  const wrong = faults.filter(({ isWarning }) => !isWarning).length;
  const warned = faults.length - wrong;
  const words = (): string => {
    if (wrong > 0) return rulePageWords.faults(wrong);
    if (warned > 0) return rulePageWords.goodBut(warned);
    return isBusy ? rulePageWords.checking : isAnswered ? rulePageWords.good : rulePageWords.incomplete;
  };
  return (
    <p class="rule-check" role="status" data-wrong={wrong > 0}>
      {words()}
    </p>
  );
}

function Lost({ rights }: { readonly rights: readonly { readonly pointer: string; readonly right: string }[] }) {
  if (rights.length === 0) return null;
  return (
    <Notice tone="warn" text={rulePageWords.rightsLost}>
      <ul class="points">
        {rights.map(({ pointer, right }) => (
          <li key={`${pointer} ${right}`}>
            <code>{right}</code> ({pointer === '' ? pageWords.none : pointer})
          </li>
        ))}
      </ul>
    </Notice>
  );
}
