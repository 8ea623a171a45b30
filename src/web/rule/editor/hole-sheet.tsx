import { useRef } from 'preact/hooks';
import { SelectField } from '#web/form/select-field.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { Form, Member } from '#web/rule/sentence/form.ts';
import type { Hole } from '#web/rule/sentence/hole.ts';
import { inside, isObject, type Json, parentOf, valueAt, withValueAt } from '#web/rule/sentence/json.ts';
import { type Line, nodePointer } from '#web/rule/sentence/sentence.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { blankMember, FORMS, isOptional, waysOf } from './blank.ts';
import { ControlProvider, useEditing } from './editing.ts';
import { MemberControl } from '#web/rule/control/member-control.tsx';
import { settled } from '#web/rule/control/settled.ts';

type Props = { readonly line: Line; readonly hole: Hole; readonly onClose: () => void };

/** The control of one hole. What is chosen is in the sentence at once; `Cancel` puts back what was there. */
export function HoleSheet({ line, hole, onClose }: Props) {
  const { definition, change, home } = useEditing();
  const before = useRef(definition);
  const { pointer, member, say, name } = hole;
  const [parent] = parentOf(pointer);
  const node = valueAt(definition, parent);
  const set = (value: Json | undefined): void =>
    change(settled(withValueAt(definition, pointer, value), { pointer: parent, say, name }, home));
  return (
    <Dialog title={memberLabel(say, name)} onClose={onClose}>
      {(close) => (
        <ControlProvider value={MemberControl}>
          <div class="form hole-sheet">
            <OuterWays line={line} hole={hole} onSwitch={close} />
            <Ways pointer={pointer} say={say} name={name} onSwitch={close} />
            {hole.key === undefined ? null : (
              <MemberControl
                label={memberLabel(say, 'key')}
                member={{ kind: 'text', look: 'key', max: 256 }}
                spot={{ pointer: hole.key, value: valueAt(definition, hole.key) }}
                hole={{ ...hole, name: 'key' }}
                onValue={(value) => {
                  const next = hole.key === undefined ? definition : withValueAt(definition, hole.key, value);
                  change(settled(next, { pointer: parent, say, name: 'key' }, home));
                }}
              />
            )}
            <MemberControl
              label={memberLabel(say, name)}
              member={member}
              spot={{ pointer, value: valueAt(definition, pointer) }}
              hole={hole}
              onValue={set}
            />
            <div class="dialog-buttons">
              <Drop line={line} hole={hole} node={node} onDrop={close} />
              <button
                type="button"
                class="button"
                onClick={() => {
                  change(before.current);
                  close();
                }}
              >
                {editorWords.putBack}
              </button>
              <button type="button" class="button button-main" onClick={close}>
                {editorWords.done}
              </button>
            </div>
          </div>
        </ControlProvider>
      )}
    </Dialog>
  );
}

type WaysProps = {
  readonly pointer: string;
  readonly say: string;
  readonly name: string;
  readonly onSwitch: () => void;
};

/** The choice between members that stand for one another: a device, a group, or any that fits. */
function Ways({ pointer, say, name, onSwitch }: WaysProps) {
  const { definition, change } = useEditing();
  const form = FORMS.get(say);
  const ways = form === undefined ? [] : waysOf(form, name).filter((way) => hasHole(form.members[way]));
  if (form === undefined || ways.length < 2) return null;
  const [parent] = parentOf(pointer);
  return (
    <SelectField
      label={editorWords.way}
      value={name}
      options={ways.map((way) => [way, memberLabel(say, way)])}
      onValue={(way) => {
        const member = form.members[way];
        if (member === undefined || way === name) return;
        const value = sameOr(valueAt(definition, pointer), member, form.members[name]) ?? blankMember(way, member);
        const without = withValueAt(definition, pointer, undefined);
        change(withValueAt(without, inside(parent, way), value));
        onSwitch();
      }}
    />
  );
}

function hasHole(member: Member | undefined): boolean {
  return member !== undefined && member.kind !== 'body' && !(member.kind === 'list' && member.of.kind === 'body');
}

/** `is 5` and `is above 5` have the same value. */
function sameOr(value: Json | undefined, next: Member, before: Member | undefined): Json | undefined {
  return value !== undefined && before?.kind === next.kind && next.kind === 'operand' ? value : undefined;
}

/** Where the hole is in a form inside the sentence: the ways of that whole form. */
function OuterWays({
  line,
  hole,
  onSwitch,
}: {
  readonly line: Line;
  readonly hole: Hole;
  readonly onSwitch: () => void;
}) {
  const outer = outerOf(line, hole);
  if (outer === undefined) return null;
  return <Ways pointer={outer.pointer} say={outer.form.say} name={outer.name} onSwitch={onSwitch} />;
}

type Outer = { readonly form: Form; readonly name: string; readonly pointer: string };

function outerOf(line: Line, { pointer }: Hole): Outer | undefined {
  const at = nodePointer(line);
  const [name, ...rest] = pointer.slice(at.length + 1).split('/');
  const { form } = line;
  if (form === null || name === undefined || rest.length === 0 || !(name in form.members)) return undefined;
  const kind = form.members[name]?.kind;
  return kind === 'form' || kind === 'either' ? { form, name, pointer: inside(at, name) } : undefined;
}

type DropProps = Pick<Props, 'line' | 'hole'> & { readonly node: Json | undefined; readonly onDrop: () => void };

/** Takes out what does not have to be there. */
function Drop({ line, hole, node, onDrop }: DropProps) {
  const { definition, change } = useEditing();
  const form = FORMS.get(hole.say);
  const outer = outerOf(line, hole);
  const outerNode = outer === undefined ? undefined : valueAt(definition, nodePointer(line));
  const pointer =
    hole.value !== undefined && isObject(node) && form !== undefined && isOptional(form, hole.name, node)
      ? hole.pointer
      : outer !== undefined && isObject(outerNode) && isOptional(outer.form, outer.name, outerNode)
        ? outer.pointer
        : undefined;
  if (pointer === undefined) return null;
  return (
    <button
      type="button"
      class="button button-danger"
      onClick={() => {
        change(withValueAt(definition, pointer, undefined));
        onDrop();
      }}
    >
      <Icon name="trash" size={18} />
      {editorWords.drop}
    </button>
  );
}
