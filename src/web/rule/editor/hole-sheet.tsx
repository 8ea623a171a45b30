import { useState } from 'preact/hooks';
import { Choices } from '#web/form/choices.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { MemberControl } from '#web/rule/control/member-control.tsx';
import { isFit, settled } from '#web/rule/control/settled.ts';
import type { Form, Member } from '#web/rule/sentence/form.ts';
import type { Hole } from '#web/rule/sentence/hole.ts';
import { inside, isObject, type Json, parentOf, valueAt, withValueAt } from '#web/rule/sentence/json.ts';
import { devicesOf, type Look, lookOf } from '#web/rule/sentence/look.ts';
import { type Line, nodePointer } from '#web/rule/sentence/sentence.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { blankMember, FORMS, isOptional, waysOf } from './blank.ts';
import { CommandCard } from './command-card.tsx';
import { ControlProvider, MoreProvider, type OpenHole, useEditing, useMore } from './editing.ts';
import type { RuleHome } from './rule-home.ts';

type Props = { readonly line: Line; readonly hole: Hole; readonly open: OpenHole };

/** The control of one hole. What is chosen is in the sentence at once; `Cancel` puts back what was there. */
export function HoleSheet({ line, hole, open }: Props) {
  const { definition, change, home, setOpen } = useEditing();
  const [hasMore, setHasMore] = useState(false);
  const { pointer, member, say, name } = hole;
  const [parent] = parentOf(pointer);
  const node = valueAt(definition, parent);
  const isEmpty = hole.words === ruleWords.empty;
  const command = commandAt(hole, definition);
  const moveOn = (next: Json): void => {
    change(next);
    const value = valueHole(next, parent);
    if (value !== undefined) setOpen({ ...open, pointer: value });
  };
  const set = (value: Json | undefined): void => {
    const next = settled(withValueAt(definition, pointer, value), { pointer: parent, say, name }, home);
    if (isEmpty && name === 'device') moveOn(next);
    else change(next);
  };
  const keyAt = keyOf(hole, node, home);
  const outer = outerOf(line, hole);
  return (
    <Dialog
      title={titleOf(hole, command === undefined ? [] : devicesAt(definition, command), home)}
      onClose={() => {
        if (open.isNew && isEmpty) change(open.before);
        setOpen(null);
      }}
    >
      {(close) => (
        <ControlProvider value={MemberControl}>
          <MoreProvider value={hasMore}>
            <div class="form hole-sheet">
              {outer === undefined ? null : <Ways pointer={outer.pointer} say={outer.form.say} name={outer.name} />}
              <Ways pointer={pointer} say={say} name={name} />
              {keyAt === undefined ? null : (
                <MemberControl
                  label={memberLabel(say, 'key')}
                  member={{ kind: 'text', look: 'key', max: 256 }}
                  spot={{ pointer: keyAt, value: valueAt(definition, keyAt) }}
                  hole={{ ...hole, name: 'key' }}
                  onValue={(value) =>
                    moveOn(settled(withValueAt(definition, keyAt, value), { pointer: parent, say, name: 'key' }, home))
                  }
                />
              )}
              {command !== undefined ? (
                <CommandCard at={command} isNew={open.isNew} />
              ) : (
                <MemberControl
                  // Another way or feature keeps nothing that was typed.
                  key={`${pointer} ${hole.look?.key ?? ''}`}
                  label={memberLabel(say, name)}
                  member={member}
                  spot={{ pointer, value: valueAt(definition, pointer) }}
                  hole={hole}
                  onValue={set}
                />
              )}
              {hasMore || !hasRareParts(hole, outer) ? null : (
                <button type="button" class="chip rule-add" onClick={() => setHasMore(true)}>
                  <Icon name="down" size={16} />
                  {editorWords.moreKinds}
                </button>
              )}
              <SheetButtons line={line} hole={hole} open={open} close={close} />
            </div>
          </MoreProvider>
        </ControlProvider>
      )}
    </Dialog>
  );
}

function SheetButtons({ line, hole, open, close }: Props & { readonly close: () => void }) {
  const { definition, change, setOpen } = useEditing();
  const cancel = (): void => {
    close();
    change(open.before);
    setOpen(null);
  };
  return (
    <div class="dialog-buttons">
      {open.isNew ? null : (
        <Drop line={line} hole={hole} node={valueAt(definition, parentOf(hole.pointer)[0])} onDrop={close} />
      )}
      <button type="button" class="button" onClick={cancel}>
        {pageWords.cancel}
      </button>
      {open.isNew && hole.words === ruleWords.empty ? null : (
        <button type="button" class="button button-main" onClick={close}>
          {editorWords.done}
        </button>
      )}
    </div>
  );
}

/** These say what a sentence about a device compares with or waits for. */
const VALUES = ['to', 'is', 'above', 'action'];

/** The first of them that is there. */
function valueHole(definition: Json, parent: string): string | undefined {
  const node = valueAt(definition, parent);
  if (!isObject(node)) return undefined;
  const name = VALUES.find((one) => one in node);
  return name === undefined ? undefined : inside(parent, name);
}

/** The feature that a value belongs to is chosen above it, where the device has several. */
function keyOf({ key, say, name, pointer, device }: Hole, node: Json | undefined, home: RuleHome): string | undefined {
  if (key !== undefined) return key;
  const isValue = VALUES.includes(name) && isObject(node) && 'key' in node && device !== '';
  if (!isValue || home.features(device).filter((look) => isFit(say, look)).length < 2) return undefined;
  return inside(parentOf(pointer)[0], 'key');
}

/** The command that names its devices one by one: these and what it sets are one card. */
function commandAt({ say, name, pointer }: Hole, definition: Json): string | undefined {
  const [parent] = parentOf(pointer);
  if (say === 'targets' && name === 'devices') return parentOf(parent)[0];
  return say === 'step.command' && name === 'set' && devicesAt(definition, parent).length > 0 ? parent : undefined;
}

function devicesAt(definition: Json, command: string): readonly string[] {
  const node = valueAt(definition, command);
  return isObject(node) ? devicesOf(node) : [];
}

/** A card has the name of its device. */
function titleOf({ say, name, device }: Hole, devices: readonly string[], home: RuleHome): string {
  const shown = devices.length > 0 ? devices : VALUES.includes(name) && device !== '' ? [device] : [];
  const names = shown.map((one) => home.nameOf('device', one) ?? ruleWords.gone(one));
  return names.length > 0 ? listed(names) : memberLabel(say, name);
}

/** Whether something stands behind `More`. */
function hasRareParts({ say, name, member, look }: Hole, outer: Outer | undefined): boolean {
  const hasWays = otherWays(say, name).length > 1 && !isUsualWay(say, look);
  return hasWays || (outer !== undefined && otherWays(outer.form.say, outer.name).length > 1) || hasOperand(member);
}

function hasOperand(member: Member): boolean {
  if (member.kind === 'tuple') return member.of.some(hasOperand);
  return member.kind === 'operand' || ('of' in member && hasOperand(member.of));
}

/** Which comparison it is, and whether one waits for a time or until one, is no detail. */
function isUsualWay(say: string, look: Look | undefined): boolean {
  return say === 'step.delay' || (say === 'condition.feature' && look?.value_type === 'number');
}

function otherWays(say: string, name: string): readonly string[] {
  const form = FORMS.get(say);
  if (form === undefined) return [];
  // There may be several of these, but hardly ever are.
  const ways = say === 'targets' ? form.some : waysOf(form, name);
  return ways.filter((way) => hasHole(form.members[way]));
}

type WaysProps = { readonly pointer: string; readonly say: string; readonly name: string };

/** The choice between members that stand for one another: a device, a group, or any that fits. */
function Ways({ pointer, say, name }: WaysProps) {
  const { definition, change, home, open, setOpen } = useEditing();
  const hasMore = useMore();
  const form = FORMS.get(say);
  const ways = otherWays(say, name);
  const [parent] = parentOf(pointer);
  const node = valueAt(definition, parent);
  const isUsual = isUsualWay(say, isObject(node) ? lookOf(home, node) : undefined);
  if (form === undefined || ways.length < 2 || !(hasMore || isUsual)) return null;
  const choose = (way: string): void => {
    const member = form.members[way];
    if (member === undefined || way === name || open === null) return;
    const value = sameOr(valueAt(definition, pointer), member, form.members[name]) ?? blankMember(way, member);
    const without = withValueAt(definition, pointer, undefined);
    change(withValueAt(without, inside(parent, way), value));
    setOpen({ ...open, pointer: inside(parent, way) });
  };
  const words = Object.fromEntries(ways.map((way) => [way, memberLabel(say, way)]));
  if (isUsual) return <Choices label={editorWords.way} names={ways} words={words} chosen={name} onChoose={choose} />;
  return (
    <SelectField
      label={editorWords.way}
      value={name}
      options={ways.map((way) => [way, memberLabel(say, way)])}
      onValue={choose}
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

type Outer = { readonly form: Form; readonly name: string; readonly pointer: string };

/** Where the hole is in a form inside the sentence: that form. */
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
