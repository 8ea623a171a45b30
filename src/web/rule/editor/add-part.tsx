import { useState } from 'preact/hooks';
import { Icon } from '#web/parts/icon.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import type { BodyPart } from '#web/rule/sentence/form.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';

type Props = { readonly part: BodyPart; readonly label: string; readonly onAdd: (node: JsonObject) => void };

export const loadKindSheet = async () => (await import('./kind-sheet.tsx')).KindSheet;

/** The way to one trigger, condition or step more. */
export function AddPart(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" class="chip rule-add" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Icon name="plus" size={16} />
        {props.label}
      </button>
      {isOpen ? (
        <Loaded load={loadKindSheet}>{(Sheet) => <Sheet {...props} onClose={() => setIsOpen(false)} />}</Loaded>
      ) : null}
    </>
  );
}
