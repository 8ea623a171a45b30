import { SelectField } from '#web/form/select-field.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { type Form, type Member, OPERATIONS } from '#web/rule/sentence/form.ts';
import { operationOf, type Hole } from '#web/rule/sentence/hole.ts';
import { inside, isList, isObject, type Json, type JsonObject, type Spot } from '#web/rule/sentence/json.ts';
import { type Look, referenceOf } from '#web/rule/sentence/look.ts';
import { conditionLine } from '#web/rule/sentence/sentence.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { useControl, useEditing, useMore } from '#web/rule/editor/editing.ts';
import { JsonField } from './json-field.tsx';
import { ValueControl } from './value-control.tsx';

type Props = {
  readonly label: string;
  readonly look: Look | undefined;
  readonly spot: Spot;
  readonly onValue: (value: Json) => void;
};

/** Words of operations whose value is one text, with what they offer. */
const FACTS = ['value', 'from', 'device', 'key', 'at', 'action', 'late_s'];
const PLAIN = 'plain';

const NEW: Readonly<Record<string, Json>> = {
  value: '',
  feature: {},
  trigger: 'value',
  variable: '',
  sun: 'elevation',
  history: { over_s: 3600, fn: 'mean' },
  round: [0, 0],
  clamp: [0, 0, 100],
  map: [0, 0, 100, 0, 100],
  if: [{ presence: { person: 'anyone', is: 'home' } }, 0, 0],
};

/** A value, or behind `More` where it comes from: another feature, a calculation, one of two by a condition. */
export function OperandControl({ label, look, spot, onValue }: Props) {
  const { value, pointer } = spot;
  const word = operationOf(value);
  const hasMore = useMore();
  const inner = word !== undefined && isObject(value) ? (value[word] ?? null) : null;
  const give = (next: Json): void => onValue(word === undefined ? next : { [word]: next });
  return (
    <div class="rule-operand">
      {word === undefined && !hasMore ? null : (
        <SelectField
          label={editorWords.valueOf(label)}
          value={word ?? PLAIN}
          options={[
            [PLAIN, editorWords.operations['plain'] ?? ''],
            ...Object.keys(OPERATIONS).map((one) => [one, editorWords.operations[one] ?? one] as const),
          ]}
          onValue={(next) => onValue(next === PLAIN ? 0 : { [next]: NEW[next] ?? [word === undefined ? value : 0, 0] })}
        />
      )}
      {word === undefined ? (
        <ValueControl label={label} look={look} value={value} onValue={give} />
      ) : (
        <Operation
          label={label}
          look={look}
          word={word}
          spot={{ value: inner, pointer: inside(pointer, word) }}
          onValue={give}
        />
      )}
    </div>
  );
}

type OperationProps = Props & { readonly word: string };

function Operation({ label, look, word, spot: { value, pointer }, onValue }: OperationProps) {
  const MemberControl = useControl();
  const member = OPERATIONS[word];
  if (member?.kind === 'form') {
    return <FormFields form={member.form} spot={{ value: isObject(value) ? value : {}, pointer }} onValue={onValue} />;
  }
  if (member?.kind === 'text' && typeof value === 'string') {
    return word === 'trigger' ? (
      <Fact label={label} value={value} onValue={onValue} />
    ) : (
      <MemberControl
        label={editorWords.operations[word] ?? word}
        member={{ kind: 'text', look: 'name', max: 64 }}
        spot={{ value, pointer }}
        hole={holeFor({ say: `operand.${word}`, name: word, pointer, look })}
        onValue={(next) => onValue(next ?? '')}
      />
    );
  }
  if (member?.kind === 'word') return null;
  if (isList(value) && (member?.kind === 'tuple' || member?.kind === 'list')) {
    const put = (index: number, next: Json): void => onValue(value.map((one, at) => (at === index ? next : one)));
    return (
      <div class="rule-operands">
        {value.map((one, index) => (
          <Item
            key={index}
            label={editorWords.items[word]?.[index] ?? editorWords.value(index + 1)}
            look={look}
            member={member.kind === 'tuple' ? member.of[index] : member.of}
            spot={{ value: one, pointer: inside(pointer, index) }}
            onValue={(next) => put(index, next)}
          />
        ))}
        {member.kind === 'list' ? (
          <div class="rule-more">
            <button type="button" class="chip" onClick={() => onValue([...value, 0])}>
              <Icon name="plus" size={16} />
              {editorWords.another}
            </button>
            {value.length > 1 ? (
              <button type="button" class="chip" onClick={() => onValue(value.slice(0, -1))}>
                <Icon name="minus" size={16} />
                {editorWords.oneLess}
              </button>
            ) : null}
          </div>
        ) : null}
      </div>
    );
  }
  return <JsonField label={label} value={value} onValue={onValue} rows={3} />;
}

type ItemProps = Props & { readonly member: Member | undefined };

function Item({ label, look, member, spot, onValue }: ItemProps) {
  if (member?.kind === 'body') return <ConditionItem label={label} spot={spot} />;
  const isCount = member?.kind === 'number';
  return <OperandControl label={label} look={isCount ? undefined : look} spot={spot} onValue={onValue} />;
}

/** The condition of `if`: edited as any other, in its own place of the document. */
function ConditionItem({ label, spot }: Pick<Props, 'label' | 'spot'>) {
  const { voice, RuleBody } = useEditing();
  const lines = spot.value === null ? [] : [conditionLine(voice, spot)];
  return (
    <RuleBody body={{ pointer: spot.pointer, part: 'condition', isList: false, title: label, joint: 'and', lines }} />
  );
}

type FactProps = { readonly label: string; readonly value: string; readonly onValue: (value: Json) => void };

function Fact({ label, value, onValue }: FactProps) {
  const MemberControl = useControl();
  const isBody = value.startsWith('/');
  return (
    <>
      <SelectField
        label={label}
        value={isBody ? '/' : value}
        options={[...FACTS.map((fact) => [fact, ruleWords.facts[fact] ?? fact] as const), ['/', editorWords.fromBody]]}
        onValue={onValue}
      />
      {isBody ? (
        <MemberControl
          label={editorWords.bodyPath}
          member={{ kind: 'text', look: 'line', max: 256 }}
          spot={{ value, pointer: '' }}
          hole={holeFor({ say: 'operand.trigger', name: 'path', pointer: '', look: undefined })}
          onValue={(next) => onValue(next ?? '/')}
        />
      ) : null}
    </>
  );
}

type FieldsProps = { readonly form: Form; readonly spot: Spot<JsonObject>; readonly onValue: (value: Json) => void };

/** The members of a form below each other, where it is no sentence. */
function FormFields({ form, spot: { value, pointer }, onValue }: FieldsProps) {
  const { home } = useEditing();
  const MemberControl = useControl();
  const device = referenceOf(value['device']);
  const key = typeof value['key'] === 'string' ? value['key'] : '';
  return (
    <>
      {Object.entries(form.members).map(([name, member]) => (
        <div key={name} class="rule-field">
          <h3 class="field-label">{memberLabel(form.say, name)}</h3>
          <MemberControl
            label={memberLabel(form.say, name)}
            member={member}
            spot={{ value: value[name], pointer: inside(pointer, name) }}
            hole={{
              ...holeFor({ say: form.say, name, pointer: inside(pointer, name), look: home.feature(device, key) }),
              device,
            }}
            onValue={(next) => onValue(withMember(value, name, next))}
          />
        </div>
      ))}
    </>
  );
}

function withMember(node: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...node, [name]: value };
  return Object.fromEntries(Object.entries(node).filter(([other]) => other !== name));
}

function holeFor({ say, name, pointer, look }: Pick<Hole, 'say' | 'name' | 'pointer' | 'look'>): Hole {
  return { say, name, pointer, look, member: { kind: 'json' }, value: undefined, words: '', device: '' };
}
