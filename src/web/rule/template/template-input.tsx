import { useId } from 'preact/hooks';
import { DAYS } from '#web/client/vocabulary.ts';
import { Choice } from '#web/form/choice.tsx';
import { FieldError, TextField } from '#web/form/text-field.tsx';
import { useHub } from '#web/hub.ts';
import { LengthField, NumberField } from '#web/rule/control/number-fields.tsx';
import { PickList } from '#web/rule/control/pick-list.tsx';
import type { Option } from '#web/rule/editor/rule-home.ts';
import { isList, type Json } from '#web/rule/sentence/json.ts';
import { sceneName, useScenes } from '#web/readings/use-scenes.ts';
import { memberWord } from '#web/strings/rule/member-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { chosenOf, fitOptions, valueOf } from './input-options.ts';
import type { InputShown } from './use-template.ts';

type Props = {
  readonly name: string;
  readonly input: InputShown;
  readonly value: Json | undefined;
  readonly error: string | undefined;
  readonly onValue: (value: Json | undefined) => void;
};

/** The hub takes these as one line, which has its own label and hint. */
const LINES: ReadonlySet<string> = new Set(['text', 'time', 'number']);

/** One hole of a template, with the control that fits what it takes. */
export function TemplateInput(props: Props) {
  const { input, error } = props;
  const id = useId();
  const hint = [input.optional === true ? templateWords.optional : '', input.hint ?? ''].join(' ').trim();
  if (LINES.has(input.kind) && input.unit !== 's') return <Line {...props} hint={hint === '' ? undefined : hint} />;
  // A length has its own label, and its unit beside it.
  const isLength = input.kind === 'number';
  return (
    <section class="field template-input" aria-labelledby={id}>
      <p class={isLength ? 'unseen' : 'field-label'} id={id}>
        {input.label}
      </p>
      {hint === '' ? null : <p class="field-hint">{hint}</p>}
      <Control {...props} />
      <FieldError text={error} />
    </section>
  );
}

type LineProps = Props & { readonly hint: string | undefined };

/** A text, a time or a number with its unit. What is no number goes to the hub, which says what is wrong with it. */
function Line({ input: { kind, unit, label }, hint, value, error, onValue }: LineProps) {
  if (kind === 'number') {
    return (
      <NumberField
        label={label}
        value={value}
        unit={unit ?? null}
        hint={hint}
        error={error}
        onValue={onValue}
        onEmpty={() => onValue(undefined)}
      />
    );
  }
  return (
    <TextField
      label={label}
      type={kind === 'time' ? 'time' : 'text'}
      value={typeof value === 'string' ? value : ''}
      hint={hint}
      error={error}
      onValue={(text) => onValue(text === '' ? undefined : text)}
      input={{ maxLength: 200 }}
    />
  );
}

function Control({ name, input, value, onValue }: Props) {
  switch (input.kind) {
    case 'device':
    case 'feature':
      return <Devices name={name} input={input} value={value} onValue={onValue} />;
    case 'room':
    case 'scene':
      return <Place name={name} input={input} value={value} onValue={onValue} />;
    case 'days': {
      const has = (day: string): boolean => isList(value) && value.includes(day);
      return (
        <fieldset class="choice-list">
          <legend class="unseen">{input.label}</legend>
          {DAYS.map((day) => (
            <Choice
              key={day}
              type="checkbox"
              label={memberWord('', 'days', day)}
              isChosen={has(day)}
              onChoice={(isChosen) => {
                const days = DAYS.filter((one) => (one === day ? isChosen : has(one)));
                onValue(days.length === 0 ? undefined : days);
              }}
            />
          ))}
        </fieldset>
      );
    }
    case 'boolean':
      return <Choice type="checkbox" label={templateWords.yes} isChosen={value === true} onChoice={onValue} />;
    case 'number': {
      const min = input.min ?? 0;
      const unit = min < 0 ? 'offset' : 'seconds';
      return <LengthField label={input.label} unit={unit} min={min} value={value} onValue={onValue} />;
    }
    default: {
      const options = (input.options ?? []).map((one): Option => ({ value: one, words: enumWords(one) }));
      return <One name={name} input={input} options={options} value={value} onValue={onValue} />;
    }
  }
}

type InnerProps = Omit<Props, 'error'>;

/** The devices of the home that fit, and those that are chosen and fit no more. */
function Devices({ name, input, value, onValue }: InnerProps) {
  const { home } = useHub();
  const chosen = chosenOf(input, value);
  const options = fitOptions(input, (device, key) => {
    const found = home.find(device)?.device.value;
    return { room: found?.room?.name, feature: found?.features.find((one) => one.key === key)?.name ?? key };
  });
  const gone = chosen.filter((one) => !options.some((option) => option.value === one));
  const nameOf = (place: string): string =>
    home.find(place.split('/')[0] ?? '')?.device.value.name ?? ruleWords.gone(place);
  const all = [...gone.map((one): Option => ({ value: one, words: nameOf(one) })), ...options];
  if (input.many !== true) return <One name={name} input={input} options={all} value={value} onValue={onValue} />;
  return (
    <PickList
      label={input.label}
      name={name}
      options={all}
      chosen={chosen}
      onChosen={(next) => onValue(valueOf(input, next))}
      isMany
    />
  );
}

function Place({ name, input, value, onValue }: InnerProps) {
  const { home } = useHub();
  const scenes = useScenes().value.value ?? [];
  const options =
    input.kind === 'room'
      ? home.rooms.value.map((room): Option => ({ value: room.id, words: room.name }))
      : scenes.map((scene): Option => ({ value: scene.id, words: sceneName(scene) }));
  return <One name={name} input={input} options={options} value={value} onValue={onValue} />;
}

/** One of several, or none where the hole may stay empty. */
function One({ name, input, options, value, onValue }: InnerProps & { readonly options: readonly Option[] }) {
  const isDevice = input.kind === 'device' || input.kind === 'feature';
  const chosen = isDevice ? chosenOf(input, value) : typeof value === 'string' ? [value] : [];
  const isOptional = input.optional === true && options.length > 0;
  return (
    <PickList
      label={input.label}
      name={name}
      options={isOptional ? [{ value: '', words: templateWords.notChosen }, ...options] : options}
      chosen={chosen.length === 0 && isOptional ? [''] : chosen}
      onChosen={([first = '']) => onValue(first === '' ? undefined : isDevice ? valueOf(input, [first]) : first)}
    />
  );
}
