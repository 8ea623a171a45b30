import { useState } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import { inSight } from '#web/form/in-sight.ts';
import { TextField } from '#web/form/text-field.tsx';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import type { Option } from '#web/rule/editor/rule-home.ts';

type Props = {
  readonly label: string;
  /** The name of the radio buttons of this list, and of no other. */
  readonly name: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
  readonly isMany?: boolean;
};

const MOST = 40;
const SEARCH_FROM = 8;

/** One or several of a list that may be long: with a search, and all that are chosen in sight. */
export function PickList({ label, name, options, chosen, onChosen, isMany = false }: Props) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = options.filter(
    ({ value, words, note = '' }) => chosen.includes(value) || `${words} ${note}`.toLowerCase().includes(wanted),
  );
  const shown = inSight(found, ({ value }) => chosen.includes(value), MOST);
  const choose = (value: string, isChosen: boolean): void => {
    if (isMany) onChosen(isChosen ? [...chosen, value] : chosen.filter((one) => one !== value));
    else if (isChosen) onChosen([value]);
  };
  return (
    <>
      {options.length > SEARCH_FROM ? (
        <TextField label={editorWords.search} value={search} onValue={setSearch} />
      ) : null}
      <fieldset class="choice-list rule-picker">
        <legend class="unseen">{label}</legend>
        {shown.map(({ value, words, note }) => (
          <Choice
            key={value}
            type={isMany ? 'checkbox' : 'radio'}
            name={name}
            label={words}
            note={note}
            isChosen={chosen.includes(value)}
            onChoice={(isChosen) => choose(value, isChosen)}
          />
        ))}
      </fieldset>
      {options.length === 0 ? <p class="soft">{editorWords.noneThere}</p> : null}
      {found.length > shown.length ? <p class="soft">{editorWords.moreFound(found.length - shown.length)}</p> : null}
    </>
  );
}
