import { useState } from 'preact/hooks';
import { Icon } from '#web/parts/icon.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import type { LineActions } from './editing.ts';

export const loadLineSheet = async () => (await import('./line-sheet.tsx')).LineSheet;

/** The way to what can be done with a whole line. */
export function LineMenu(actions: LineActions) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="button button-plain button-icon rule-menu"
        aria-label={editorWords.menuOf(actions.words)}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="edit" size={18} />
      </button>
      {isOpen ? (
        <Loaded load={loadLineSheet}>{(Sheet) => <Sheet {...actions} onClose={() => setIsOpen(false)} />}</Loaded>
      ) : null}
    </>
  );
}
