import { useState } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { folded } from '#web/state/device/home-filter.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { history as historyWords } from '#web/strings/en/history.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { MOST_SERIES } from './history-address.ts';
import type { KnownSeries } from './use-known-series.ts';

type Props = {
  readonly all: readonly KnownSeries[];
  /** Their names. */
  readonly chosen: readonly string[];
  readonly onChosen: (names: readonly string[]) => void;
  readonly onClose: () => void;
};

/** A home of a thousand devices has more features than a phone draws at once: the search finds the others. */
const MOST_SHOWN = 60;

/** Asks which features to show. Nothing changes behind it until it is done. */
export function SeriesPicker({ all, chosen, onChosen, onClose }: Props) {
  const [names, setNames] = useState(chosen);
  const [search, setSearch] = useState('');
  const words = folded(search).split(/\s+/).filter(Boolean);
  const fitting = all.filter(({ deviceName, featureName, roomName }) => {
    const text = folded(`${deviceName} ${featureName} ${roomName}`);
    return words.every((word) => text.includes(word));
  });
  // What was chosen before comes first, and keeps its place while the dialog is open.
  const isFirst = ({ name }: KnownSeries): boolean => chosen.includes(name);
  const sorted = [...fitting.filter(isFirst), ...fitting.filter((one) => !isFirst(one))];
  const isFull = names.length >= MOST_SERIES;
  return (
    <Dialog title={historyWords.pick.title} onClose={onClose}>
      {(close) => (
        <>
          <TextField
            label={historyWords.pick.search}
            value={search}
            onValue={setSearch}
            input={{ spellcheck: false }}
          />
          <p class="soft" role="status">
            {isFull ? historyWords.pick.full(MOST_SERIES) : historyWords.pick.chosen(names.length, MOST_SERIES)}
          </p>
          <ul class="picker">
            {sorted.slice(0, MOST_SHOWN).map(({ name, deviceName, featureName, roomName }) => {
              const isChosen = names.includes(name);
              return (
                <li key={name}>
                  <Choice
                    type="checkbox"
                    label={historyWords.pick.series(deviceName, featureName)}
                    note={roomName}
                    isChosen={isChosen}
                    isDisabled={isFull && !isChosen}
                    onChoice={(isWanted) =>
                      setNames(isWanted ? [...names, name] : names.filter((other) => other !== name))
                    }
                  />
                </li>
              );
            })}
          </ul>
          {fitting.length === 0 ? <p class="soft">{historyWords.pick.nothing}</p> : null}
          {fitting.length > MOST_SHOWN ? (
            <p class="soft">{historyWords.pick.more(fitting.length - MOST_SHOWN)}</p>
          ) : null}
          <div class="dialog-buttons">
            <button type="button" class="button" onClick={close}>
              {pageWords.cancel}
            </button>
            <button
              type="button"
              class="button button-main"
              onClick={() => {
                onChosen(names);
                close();
              }}
            >
              {historyWords.pick.show}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
