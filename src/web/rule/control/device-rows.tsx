import { useState } from 'preact/hooks';
import { TextField } from '#web/form/text-field.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { Option } from '#web/rule/editor/rule-home.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';

type Props = { readonly options: readonly Option[]; readonly onPick: (device: string) => void };

const SEARCH_FROM = 8;
const MOST = 40;

/** The devices to pick one from, by one tap: what comes next asks what it does. */
export function DeviceRows({ options, onPick }: Props) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = options.filter(({ words, note = '' }) => `${words} ${note}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, MOST);
  return (
    <>
      {options.length > SEARCH_FROM ? (
        <TextField label={editorWords.search} value={search} onValue={setSearch} />
      ) : null}
      {options.length === 0 ? <p class="soft">{editorWords.noneThere}</p> : null}
      {/* On a telephone, a search that has the focus would cover the list with the keyboard. */}
      <div class="rule-kinds" autofocus>
        <ul class="rows">
          {shown.map(({ value, words, note, icon = 'device' }) => (
            <li key={value}>
              <button type="button" class="row rule-kind" onClick={() => onPick(value)}>
                <Icon name={icon} />
                <span class="row-text">
                  <bdi class="row-title">{words}</bdi>
                  {note === undefined ? null : <span class="row-note">{note}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {found.length > shown.length ? <p class="soft">{editorWords.moreFound(found.length - shown.length)}</p> : null}
    </>
  );
}
