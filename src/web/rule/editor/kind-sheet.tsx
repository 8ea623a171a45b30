import { Dialog } from '#web/parts/dialog.tsx';
import type { BodyPart } from '#web/client/rule-forms.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { ruleKinds as kindWords } from '#web/strings/en/rule/kinds.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { blankPart, KINDS } from './blank.ts';

type Props = {
  readonly part: BodyPart;
  readonly label: string;
  readonly onAdd: (node: JsonObject) => void;
  readonly onClose: () => void;
};

/** Which kind of trigger, condition or step comes next. */
export function KindSheet({ part, label, onAdd, onClose }: Props) {
  return (
    <Dialog title={label} onClose={onClose}>
      {(close) => (
        <>
          <ul class="rows rule-kinds">
            {KINDS[part].map((kind) => (
              <li key={kind}>
                <button
                  type="button"
                  class="row rule-kind"
                  onClick={() => {
                    onAdd(blankPart(part, kind));
                    close();
                  }}
                >
                  <span class="row-text">
                    <span class="row-title">{kindWords[part][kind]?.[0] ?? kind}</span>
                    <span class="row-note">{kindWords[part][kind]?.[1]}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <div class="dialog-buttons">
            <button type="button" class="button" onClick={close}>
              {pageWords.cancel}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
