import type { AutomationDiff } from '#web/client/api.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { changeWords } from './change-words.ts';

const MOST = 50;

/** Where two definitions differ. */
export function Changes({ changes }: Pick<AutomationDiff, 'changes'>) {
  if (changes.length === 0) return <p class="soft">{rulePageWords.noChanges}</p>;
  return (
    <ul class="points">
      {changes.slice(0, MOST).map(({ pointer, ...change }) => (
        <li key={pointer}>{changeWords(pointer, change)}</li>
      ))}
    </ul>
  );
}
