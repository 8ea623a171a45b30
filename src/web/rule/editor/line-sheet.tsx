import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { BESIDE_CONDITION, type Form, type Member } from '#web/rule/sentence/form.ts';
import { inside, isObject, type JsonObject, valueAt, withValueAt } from '#web/rule/sentence/json.ts';
import { type Line, nodePointer } from '#web/rule/sentence/sentence.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { blankMember, missingOf } from './blank.ts';
import { type LineActions, useEditing } from './editing.ts';

type Props = LineActions & { readonly onClose: () => void };

/** Offers what can be done with a whole line: move it, take it out, say more in it. */
export function LineSheet({ line, words, place, onMove, onRemove, onClose }: Props) {
  const { definition, change, setOpen } = useEditing();
  const choose = (close: () => void, action: () => void) => () => {
    close();
    action();
  };
  const add = ({ pointer, name, member, instead }: Addition): void => {
    const at = inside(pointer, name);
    const without = instead === undefined ? definition : withValueAt(definition, inside(pointer, instead), undefined);
    change(withValueAt(without, at, blankMember(name, member)));
    setOpen({ pointer: at, before: definition, isNew: false });
  };
  return (
    <Dialog title={editorWords.menu} onClose={onClose}>
      {(close) => (
        <>
          <p class="soft">{words}</p>
          <div class="rule-menu-rows">
            {place !== undefined && place.index > 0 ? (
              <button type="button" class="button" onClick={choose(close, () => onMove(-1))}>
                <Icon name="up" size={18} />
                {editorWords.up}
              </button>
            ) : null}
            {place !== undefined && place.index < place.count - 1 ? (
              <button type="button" class="button" onClick={choose(close, () => onMove(1))}>
                <Icon name="down" size={18} />
                {editorWords.down}
              </button>
            ) : null}
            <button type="button" class="button button-danger" onClick={choose(close, onRemove)}>
              <Icon name="trash" size={18} />
              {editorWords.remove}
            </button>
          </div>
          <Additions line={line} onAdd={(addition) => choose(close, () => add(addition))()} />
        </>
      )}
    </Dialog>
  );
}

type Addition = {
  readonly pointer: string;
  readonly say: string;
  readonly name: string;
  readonly member: Member;
  /** What it takes the place of. */
  readonly instead?: string;
};

function Additions({ line, onAdd }: { readonly line: Line; readonly onAdd: (addition: Addition) => void }) {
  const { definition } = useEditing();
  const { form, part, pointer } = line;
  const at = nodePointer(line);
  const beside = part === 'condition' ? additionsTo(BESIDE_CONDITION, definition, pointer) : [];
  const own = form === null ? [] : additionsTo(form, definition, at);
  const inner = Object.entries(form?.members ?? {}).flatMap(([name, member]) =>
    member.kind === 'form' ? additionsTo(member.form, definition, inside(at, name)) : [],
  );
  const others = form === null ? [] : insteadOf(form, definition, at);
  const all = [...own, ...inner, ...beside, ...others];
  if (all.length === 0) return null;
  return (
    <>
      <h3 class="rule-menu-title">{editorWords.more}</h3>
      <div class="rule-menu-chips">
        {all.map((addition) => (
          <button
            key={`${addition.pointer} ${addition.name}`}
            type="button"
            class="chip"
            onClick={() => onAdd(addition)}
          >
            <Icon name="plus" size={16} />
            {addition.instead === undefined
              ? memberLabel(addition.say, addition.name)
              : editorWords.instead(memberLabel(addition.say, addition.name))}
          </button>
        ))}
      </div>
    </>
  );
}

function additionsTo(form: Form, definition: Parameters<typeof valueAt>[0], pointer: string): readonly Addition[] {
  const node = valueAt(definition, pointer);
  if (!isObject(node)) return [];
  return missingMembers(form, node).map(([name, member]) => ({ pointer, say: form.say, name, member }));
}

/** Other ways of a step whose present one may have no hole: `while` in place of `times`. */
function insteadOf(form: Form, definition: Parameters<typeof valueAt>[0], pointer: string): readonly Addition[] {
  const node = valueAt(definition, pointer);
  if (!isObject(node)) return [];
  return form.one
    .filter((names) => names.some((name) => form.members[name] !== undefined && isLines(form.members[name])))
    .flatMap((names) => {
      const present = names.find((name) => name in node);
      return names.flatMap((name): readonly Addition[] => {
        const member = form.members[name];
        if (member === undefined || name === present) return [];
        return [{ pointer, say: form.say, name, member, ...(present !== undefined && { instead: present }) }];
      });
    });
}

function isLines(member: Member): boolean {
  return member.kind === 'body' || (member.kind === 'list' && member.of.kind === 'body');
}

/** Members with lines of their own come with the line. */
function missingMembers(form: Form, node: JsonObject): readonly (readonly [string, Member])[] {
  return missingOf(form, node).flatMap((name): readonly (readonly [string, Member])[] => {
    const member = form.members[name];
    return member === undefined || isLines(member) ? [] : [[name, member]];
  });
}
