import { useEffect, useState } from 'preact/hooks';
import type { Automation, AutomationSaved } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { bodyOf, draftFrom, EMPTY_DRAFT, isSameToEdit, type RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { useRules } from './use-rules.ts';

type Props = {
  readonly rule: Automation;
  readonly revision: number;
  readonly again: () => Promise<void>;
  /** It is saved, or nobody wants to change it. */
  readonly onEnd: () => void;
};

/** Begins from what was read; a newer one takes its place, but is only offered to somebody who is writing. */
export function RuleEditing({ rule, revision, again, onEnd }: Props) {
  const { client, home } = useHub();
  const [from, setFrom] = useState(rule);
  const isNewer = rule.revision > from.revision;
  const over = isNewer && isSameToEdit(from, rule) ? rule.revision : from.revision;
  useEffect(() => {
    if (revision > rule.revision) void again();
  }, [revision]);
  const isKnown = (selector: string): boolean =>
    home.find(selector) !== undefined || home.rooms.peek().some((room) => room.selector === selector);
  const save = async (draft: RuleDraft, note: string, how: 'usual' | 'mine'): Promise<AutomationSaved> => {
    const base = how === 'mine' ? Math.max(revision, rule.revision) : over;
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
      isOutdated={revision > over}
      onNewer={isNewer ? () => setFrom(rule) : undefined}
      save={save}
      onSaved={onEnd}
      onEnd={onEnd}
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
