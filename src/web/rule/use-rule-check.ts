import { useEffect, useRef, useState } from 'preact/hooks';
import type { AutomationCheck } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { type Fault, faultsFrom } from '#web/rule/editor/faults.ts';
import { bodyOf, isBegun, type RuleDraft } from './rule-draft.ts';

export type RuleCheck = {
  readonly isBusy: boolean;
  readonly faults: readonly Fault[];
  /** What the hub says of a document without faults. */
  readonly answer: AutomationCheck | null;
  /** The definition that this is about, as JSON. */
  readonly of: string;
};

/** Long enough that a word is typed, short enough that nobody waits for it. */
const QUIET_MS = 700;

const NOTHING: RuleCheck = { isBusy: false, faults: [], answer: null, of: '' };

/**
 * Asks the hub about the draft once nothing was changed for a moment, and never two questions at the same time: while
 * one is under way, only the newest draft waits.
 */
export function useRuleCheck(draft: RuleDraft, selector: string | undefined): RuleCheck {
  const { client } = useHub();
  const [check, setCheck] = useState<RuleCheck>(() => ({ ...NOTHING, isBusy: isBegun(draft) }));
  const pending = useRef<Promise<void>>(Promise.resolve());
  const written = JSON.stringify(draft.definition);
  useEffect(() => {
    if (!isBegun(draft)) {
      setCheck(NOTHING);
      return undefined;
    }
    let isOver = false;
    const ask = async (): Promise<void> => {
      setCheck((before) => ({ ...before, isBusy: true }));
      const found = await answerTo(client, draft, selector);
      if (!isOver) setCheck({ ...found, of: written });
    };
    const timer = setTimeout(() => {
      // One after the other.
      pending.current = pending.current.then(() => (isOver ? undefined : ask()));
    }, QUIET_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [written, selector, client]);
  return check;
}

async function answerTo(
  client: ReturnType<typeof useHub>['client'],
  draft: RuleDraft,
  selector: string | undefined,
): Promise<RuleCheck> {
  const query = selector === undefined ? '' : `?automation=${encodeURIComponent(selector)}`;
  // A name is not needed to be checked, and an empty one would hide what is wrong with the rest.
  const { name: _name, ...body } = bodyOf(draft);
  try {
    const answer = await client.call<AutomationCheck>('POST', `/automation_validation${query}`, body);
    return { ...NOTHING, faults: faultsFrom('', [], answer.warnings), answer };
  } catch (cause) {
    if (cause instanceof HubProblem) return { ...NOTHING, faults: faultsFrom('', cause.errors) };
    if (cause instanceof TypeError) return NOTHING;
    throw cause;
  }
}
