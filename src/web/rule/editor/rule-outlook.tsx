import { Notice } from '#web/parts/notice.tsx';
import { hasOwn } from '#web/since-2021.ts';
import type { Fault } from './faults.ts';
import { RuleStrip } from '#web/rule/past/rule-strip.tsx';
import type { Strip } from '#web/rule/past/use-strip.ts';
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
      <LostRights tone="warn" of={answer?.rights_lost ?? []} />
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

type LostProps = { readonly tone: 'warn' | 'danger'; readonly of: readonly { readonly right: string }[] };

/** Says what the person at the page would have to be allowed, each once; nothing if that is all. */
export function LostRights({ tone, of }: LostProps) {
  if (of.length === 0) return null;
  const words = of.map(({ right }) => (hasOwn(rulePageWords.rights, right) ? rulePageWords.rights[right] : right));
  return (
    <Notice tone={tone} text={rulePageWords.rightsLost}>
      <ul class="points">
        {[...new Set(words)].map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Notice>
  );
}
