import { Choice } from '#web/form/choice.tsx';
import { isList, isObject, type Json } from '#web/rule/sentence/json.ts';
import { LENGTH, type Look } from '#web/rule/sentence/look.ts';
import { literalWords } from '#web/rule/sentence/hole-words.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { TextField } from '#web/form/text-field.tsx';
import { JsonField } from './json-field.tsx';
import { LengthField, NumberField } from './number-fields.tsx';

type Props = {
  readonly label: string;
  readonly look: Look | undefined;
  readonly value: Json | undefined;
  /** Several values can stand there, and `any`. */
  readonly isMany?: boolean;
  readonly onValue: (value: Json) => void;
};

/** A value of a feature, a mode or a variable, by what that can be. */
export function ValueControl({ label, look, value, isMany = false, onValue }: Props) {
  const options = optionsOf(look);
  if (isObject(value)) return <JsonField label={label} value={value} onValue={onValue} />;
  if (options !== undefined) {
    const list = isList(value) ? value : value === undefined ? [] : [value];
    const isSeveral = isMany && options.length > 2;
    const choose = (option: Json, isChosen: boolean): void => {
      if (!isSeveral) return onValue(option);
      const next = options.filter((one) => (one === option ? isChosen : list.includes(one)));
      return onValue(next.length === 1 ? (next[0] ?? null) : next);
    };
    return (
      <fieldset class="choice-list">
        <legend class="unseen">{label}</legend>
        {options.map((option) => (
          <Choice
            key={String(option)}
            type={isSeveral ? 'checkbox' : 'radio'}
            name={label}
            label={literalWords(option, look)}
            isChosen={list.includes(option)}
            onChoice={(isChosen) => choose(option, isChosen)}
          />
        ))}
        {isMany ? (
          <Choice
            type={isSeveral ? 'checkbox' : 'radio'}
            name={label}
            label={editorWords.anyValue}
            isChosen={value === '*'}
            onChoice={() => onValue('*')}
          />
        ) : null}
      </fieldset>
    );
  }
  if (isList(value)) return <JsonField label={label} value={value} onValue={onValue} />;
  if (look?.capability === LENGTH) {
    return <LengthField label={label} unit="seconds" value={value} min={0} onValue={onValue} />;
  }
  if (look?.value_type === 'number' || typeof value === 'number') {
    return <NumberField label={label} value={value} unit={look?.unit ?? null} onValue={onValue} />;
  }
  return (
    <TextField
      label={label}
      value={value === null || value === undefined ? '' : String(value)}
      onValue={(text) => onValue(look === undefined ? literalFrom(text) : text)}
    />
  );
}

function optionsOf(look: Look | undefined): readonly (boolean | string)[] | undefined {
  if (look?.value_type === 'boolean') return [true, false];
  return look?.options ?? undefined;
}

/** The value in a text about something unknown: what looks like a number or yes or no is one. */
function literalFrom(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}
