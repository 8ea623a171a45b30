import { Choice } from '#web/form/choice.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import type { Member } from '#web/rule/sentence/form.ts';
import { isList, isObject, type Json } from '#web/rule/sentence/json.ts';
import { referenceOf } from '#web/rule/sentence/look.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { memberWord } from '#web/strings/rule/member-words.ts';
import { type ControlProps, useEditing } from '#web/rule/editor/editing.ts';
import type { Hole } from '#web/rule/sentence/hole.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import type { Option } from '#web/rule/editor/rule-home.ts';
import { DeviceRows } from './device-rows.tsx';
import { JsonField } from './json-field.tsx';
import { LengthField, NumberField } from './number-fields.tsx';
import { OperandControl } from './operand-control.tsx';
import { ModesControl, OperandsControl } from './record-controls.tsx';
import { SettingsControl } from './settings-control.tsx';
import { TextControl, TextList } from './text-controls.tsx';
import { ValueControl } from './value-control.tsx';
import { PickList } from './pick-list.tsx';
import { isFit } from './settled.ts';

/** The control that fits a member: a list of devices, a clock, a number with its unit, … */
export function MemberControl(props: ControlProps) {
  const { label, member, spot, hole, onValue } = props;
  const { value } = spot;
  switch (member.kind) {
    case 'boolean':
      return <Words {...props} words={['true', 'false']} onWord={(word) => onValue(word === 'true')} />;
    case 'word':
      return <Words {...props} words={member.words} onWord={onValue} />;
    case 'number':
      return member.unit === 'seconds' || member.unit === 'ms' || member.unit === 'offset' ? (
        <LengthField label={label} unit={member.unit} value={value} min={member.min} onValue={onValue} />
      ) : (
        <NumberField label={label} value={value} unit={hole.look?.unit ?? null} onValue={onValue} />
      );
    case 'reference':
      return (
        <ReferencePicker
          label={label}
          member={member}
          hole={hole}
          chosen={value === undefined ? [] : [referenceOf(value)]}
          onChosen={([first]) => onValue(first)}
        />
      );
    case 'text':
      return <TextControl {...props} look={member.look} max={member.max} />;
    case 'value':
      return <ValueControl label={label} look={hole.look} value={value} isMany onValue={onValue} />;
    case 'operand':
      return (
        <OperandControl label={label} look={hole.look} spot={{ ...spot, value: value ?? null }} onValue={onValue} />
      );
    case 'list':
    case 'some':
      return <Several {...props} of={member.of} />;
    case 'tuple':
      return (
        <>
          {member.of.map((one, index) => (
            <MemberControl
              key={index}
              {...props}
              label={`${label} ${index + 1}`}
              member={one}
              spot={{ pointer: `${spot.pointer}/${index}`, value: isList(value) ? value[index] : undefined }}
              onValue={(next) => {
                const list = member.of.map((_, at) => (isList(value) ? (value[at] ?? 0) : 0));
                onValue(list.map((before, at) => (at === index ? (next ?? 0) : before)));
              }}
            />
          ))}
        </>
      );
    case 'record': {
      const record = isObject(value) ? value : {};
      if (member.look === 'settings') return <SettingsControl {...props} record={record} />;
      return member.look === 'modes' ? (
        <ModesControl {...props} record={record} />
      ) : (
        <OperandsControl {...props} record={record} />
      );
    }
    case 'either':
      return <MemberControl {...props} member={member.other} />;
    default:
      return <JsonField label={label} value={value ?? null} onValue={onValue} />;
  }
}

type WordsProps = ControlProps & { readonly words: readonly string[]; readonly onWord: (word: string) => void };
const MOST_CHOICES = 8;

function Words({ label, words, spot: { value }, hole: { say, name }, onWord }: WordsProps) {
  const own = typeof value === 'boolean' || typeof value === 'string' ? String(value) : '';
  if (words.length > MOST_CHOICES) {
    const options = words.map((word) => [word, memberWord(say, name, word)] as const);
    return (
      <SelectField
        label={label}
        value={own}
        options={words.includes(own) ? options : [[own, editorWords.choose], ...options]}
        onValue={onWord}
      />
    );
  }
  return (
    <fieldset class="choice-list">
      <legend class="unseen">{label}</legend>
      {words.map((word) => (
        <Choice
          key={word}
          type="radio"
          name={`${say}.${name}`}
          label={memberWord(say, name, word)}
          isChosen={own === word}
          onChoice={() => onWord(word)}
        />
      ))}
    </fieldset>
  );
}

/** A list: of devices and of days one chooses, texts and values are written one by one. */
function Several(props: ControlProps & { readonly of: Member }) {
  const { label, member, of, spot, hole, onValue } = props;
  const { value } = spot;
  const list = isList(value) ? value : value === undefined ? [] : [value];
  /** Where one may stand for itself, it does. */
  const give = (next: readonly Json[]): void => onValue(member.kind === 'some' && next.length === 1 ? next[0] : next);
  if (of.kind === 'reference') {
    return (
      <ReferencePicker label={label} member={of} hole={hole} chosen={list.map(referenceOf)} onChosen={give} isMany />
    );
  }
  if (of.kind === 'word') {
    const has = (word: string): boolean => list.includes(word);
    return (
      <fieldset class="choice-list">
        <legend class="unseen">{label}</legend>
        {of.words.map((word) => (
          <Choice
            key={word}
            type="checkbox"
            label={memberWord(hole.say, hole.name, word)}
            isChosen={has(word)}
            onChoice={(isChosen) => give(of.words.filter((one) => (one === word ? isChosen : has(one))))}
          />
        ))}
      </fieldset>
    );
  }
  if (of.kind === 'text') return <TextList {...props} look={of.look} max={of.max} list={list} onList={give} />;
  return <JsonField label={label} value={list} onValue={onValue} />;
}

type ReferencePickerProps = {
  readonly label: string;
  readonly member: Extract<Member, { readonly kind: 'reference' }>;
  readonly hole: Hole;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
  readonly isMany?: boolean;
};

/** Devices, rooms, scenes, people or modes of the home: those that fit the sentence, and all that are chosen. */
function ReferencePicker({
  label,
  member: { to, words },
  hole,
  chosen,
  onChosen,
  isMany = false,
}: ReferencePickerProps) {
  const { home } = useEditing();
  const offered = [
    ...words.map((word): Option => ({ value: word, words: memberWord(hole.say, hole.name, word) })),
    ...home.options(to, (look) => isFit(hole.say, look)),
  ];
  const known = new Set(offered.map(({ value }) => value));
  const gone = chosen.filter((one) => one !== '' && !known.has(one));
  const options = [
    ...gone.map((one): Option => ({ value: one, words: home.nameOf(to, one) ?? ruleWords.gone(one) })),
    ...offered,
  ];
  const isUnset = !isMany && to === 'device' && chosen.every((one) => one === '');
  if (isUnset) return <DeviceRows options={options} onPick={(device) => onChosen([device])} />;
  return (
    <PickList label={label} name={hole.pointer} options={options} chosen={chosen} onChosen={onChosen} isMany={isMany} />
  );
}
