import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { TextLook } from '#web/rule/sentence/form.ts';
import type { Json } from '#web/rule/sentence/json.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { literalWords } from '#web/rule/sentence/hole-words.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { type ControlProps, useEditing } from '#web/rule/editor/editing.ts';
import type { Option } from '#web/rule/editor/rule-home.ts';
import { isFit } from './settled.ts';

type Props = ControlProps & { readonly look: TextLook; readonly max: number };

/** A text with what the home has to choose from, where it has that. */
export function TextControl({ label, look, max, hole, spot: { value }, onValue }: Props) {
  const { home } = useEditing();
  const text = typeof value === 'string' ? value : '';
  const options = optionsFor(look, { home, hole });
  if (options !== undefined && options.length > 0) {
    return <Select label={label} value={text} options={options} onValue={onValue} />;
  }
  if (look === 'long') {
    return (
      <label class="field">
        <span class="field-label">{label}</span>
        <textarea
          class="input"
          rows={4}
          maxLength={max}
          value={text}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      </label>
    );
  }
  const isClock = look === 'clock' && /^(?:\d\d:\d\d)?$/.test(text);
  return (
    <TextField
      label={label}
      type={isClock ? 'time' : 'text'}
      value={text}
      onValue={onValue}
      hint={editorWords.hints[look]}
      input={{ maxLength: max, spellcheck: false, ...(look === 'url' && { inputMode: 'url' as const }) }}
    />
  );
}

type About = { readonly home: ReturnType<typeof useEditing>['home']; readonly hole: ControlProps['hole'] };

function optionsFor(look: TextLook, { home, hole }: About): readonly Option[] | undefined {
  switch (look) {
    case 'key':
      return home
        .features(hole.device)
        .filter((feature) => isFit(hole.say, feature))
        .map(({ key, name }) => ({ value: key, words: name }));
    case 'capability':
      return home.capabilities();
    case 'action': {
      const features = home.features(hole.device);
      const actions = hole.look?.kind === 'event' ? hole.look.options : null;
      if (actions !== null) return actions.map((one) => ({ value: one, words: pressWords(one) }));
      return features.filter(({ kind }) => kind === 'action').map(({ key, name }) => ({ value: key, words: name }));
    }
    case 'modeValue':
      return hole.look?.options?.map((one) => ({ value: one, words: literalWords(one, hole.look) }));
    case 'recipient':
      return home.recipients();
    case 'name':
      return hole.say === 'each' ? undefined : home.options('variable');
    default:
      return undefined;
  }
}

function pressWords(action: string): string {
  return ruleWords.inside(pageWords.presses[action] ?? enumWords(action));
}

type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
};

/** A select that keeps a value which is no longer offered. */
function Select({ label, value, options, onValue }: SelectProps) {
  const isKnown = options.some((option) => option.value === value);
  const rows = options.map((option) => [option.value, option.words] as const);
  return (
    <SelectField
      label={label}
      value={value}
      options={isKnown ? rows : [[value, value === '' ? editorWords.choose : value], ...rows]}
      onValue={onValue}
    />
  );
}

type ListProps = Props & { readonly list: readonly Json[]; readonly onList: (list: readonly Json[]) => void };

/** Several texts, one below the other. */
export function TextList({ list, onList, ...props }: ListProps) {
  const { label } = props;
  const shown = list.length === 0 ? [''] : list;
  return (
    <div class="rule-texts">
      {shown.map((one, index) => (
        <div key={index} class="rule-text">
          <TextControl
            {...props}
            label={shown.length === 1 ? label : `${label} ${index + 1}`}
            spot={{ pointer: `${props.spot.pointer}/${index}`, value: one }}
            onValue={(value) => onList(shown.map((before, at) => (at === index ? (value ?? '') : before)))}
          />
          {shown.length > 1 ? (
            <button
              type="button"
              class="button button-plain button-icon"
              aria-label={editorWords.dropOne(`${label} ${index + 1}`)}
              onClick={() => onList(shown.filter((_, at) => at !== index))}
            >
              <Icon name="close" size={18} />
            </button>
          ) : null}
        </div>
      ))}
      <button type="button" class="chip" onClick={() => onList([...shown, ''])}>
        <Icon name="plus" size={16} />
        {editorWords.another}
      </button>
    </div>
  );
}
