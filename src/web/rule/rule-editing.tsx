import { useState } from 'preact/hooks';
import type { Automation, AutomationSaved } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { bodyOf, draftFrom, EMPTY_DRAFT, type RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { useRules } from './use-rules.ts';

type Props = { readonly rule: Automation; readonly revision: number; readonly again: () => Promise<void> };

/** Begins from what was read; a newer one is offered, and never put in the place of what somebody is writing. */
export function RuleEditing({ rule, revision, again }: Props) {
  const { client, home } = useHub();
  const [from, setFrom] = useState(rule);
  const isKnown = (selector: string): boolean =>
    home.find(selector) !== undefined || home.rooms.peek().some((room) => room.selector === selector);
  const save = async (draft: RuleDraft, note: string, how: 'usual' | 'mine'): Promise<AutomationSaved> => {
    const base = how === 'mine' ? Math.max(revision, rule.revision) : from.revision;
    const body = { ...bodyOf(draft), ...(note === '' ? {} : { note }) };
    try {
      return await client.putIf<AutomationSaved>(base, `/automation/${rule.id}`, body);
    } finally {
      await again();
    }
  };
  return (
    <RuleForm
      key={from.revision}
      first={draftFrom(from, isKnown)}
      selector={rule.selector}
      saved={{ id: rule.id, version: from.version }}
      isOutdated={revision > from.revision}
      save={save}
      onSaved={setFrom}
      onTheirs={() =>
        void wordsIfRefused(async () => setFrom(await client.call<Automation>('GET', `/automation/${rule.id}`)))
      }
    />
  );
}

export function NewRule() {
  const { client, router } = useHub();
  const { again } = useRules();
  return (
    <RuleForm
      first={EMPTY_DRAFT}
      save={(draft) => client.call<AutomationSaved>('POST', '/automation', bodyOf(draft))}
      onSaved={({ selector }) => {
        void again();
        router.go(`/rule/${selector}`, 'replace');
      }}
    />
  );
}
