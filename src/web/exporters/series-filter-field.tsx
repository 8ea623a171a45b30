import { useId, useState } from 'preact/hooks';
import type { Exporter } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { inSight } from '#web/form/in-sight.ts';
import { TextField } from '#web/form/text-field.tsx';
import { isRecordable } from '#web/history/stretches.ts';
import { folded } from '#web/state/device/home-filter.ts';
import { useHub } from '#web/hub.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type SeriesFilter = Exporter['series'];
export const ALL_SERIES: SeriesFilter = { devices: null, rooms: null, keys: null };

type Props = { readonly value: SeriesFilter; readonly onValue: (filter: SeriesFilter) => void };

/** Which part of the history is sent. */
export function SeriesFilterField({ value, onValue }: Props) {
  const { home } = useHub();
  const name = useId();
  const [isOpen, setIsOpen] = useState(Object.values(value).some((names) => names !== null));
  const devices = home.entries.value.map(({ device }) => device.value);
  const keys = new Map(
    devices.flatMap(({ features }) => features.filter(isRecordable).map((one) => [one.key, one.name])),
  );
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{settingsWords.exporters.what}</legend>
      <Choice
        type="radio"
        name={name}
        label={settingsWords.exporters.everything}
        isChosen={!isOpen}
        onChoice={() => {
          setIsOpen(false);
          onValue(ALL_SERIES);
        }}
      />
      <Choice
        type="radio"
        name={name}
        label={settingsWords.exporters.part}
        note={settingsWords.exporters.partNote}
        isChosen={isOpen}
        onChoice={() => setIsOpen(true)}
      />
      {isOpen ? (
        <div class="places">
          <PickList
            legend={settingsWords.exporters.rooms}
            options={home.rooms.value.map(({ id, name: words }) => [id, words])}
            chosen={value.rooms}
            onChosen={(rooms) => onValue({ ...value, rooms })}
          />
          <PickList
            legend={settingsWords.exporters.features}
            options={[...keys]}
            chosen={value.keys}
            onChosen={(chosen) => onValue({ ...value, keys: chosen })}
          />
          <PickList
            legend={settingsWords.exporters.devices}
            options={devices.map(({ id, name: words }) => [id, words])}
            chosen={value.devices}
            onChosen={(chosen) => onValue({ ...value, devices: chosen })}
          />
        </div>
      ) : null}
    </fieldset>
  );
}

/** A house of a thousand devices is searched, not scrolled. */
const MOST_SHOWN = 20;

type ListProps = {
  readonly legend: string;
  readonly options: readonly (readonly [id: string, words: string])[];
  /** `null` for all. */
  readonly chosen: readonly string[] | null;
  readonly onChosen: (ids: readonly string[] | null) => void;
};

function PickList({ legend, options, chosen, onChosen }: ListProps) {
  const [search, setSearch] = useState('');
  const isIn = new Set(chosen);
  // What is gone from the home is shown as it is stored, so that it can be taken out.
  const known = new Set(options.map(([id]) => id));
  const all = [...options, ...[...isIn].filter((id) => !known.has(id)).map((id) => [id, id] as const)];
  const found = all.filter(([id, words]) => isIn.has(id) || folded(words).includes(folded(search)));
  const shown = inSight(found, ([id]) => isIn.has(id), MOST_SHOWN);
  if (all.length === 0) return null;
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{legend}</legend>
      {all.length > MOST_SHOWN ? (
        <TextField label={settingsWords.exporters.search(legend)} value={search} onValue={setSearch} />
      ) : null}
      {shown.map(([id, words]) => (
        <Choice
          key={id}
          type="checkbox"
          label={words}
          isChosen={isIn.has(id)}
          onChoice={(isWanted) => {
            const next = isWanted ? [...isIn, id] : [...isIn].filter((one) => one !== id);
            onChosen(next.length === 0 ? null : next);
          }}
        />
      ))}
      {found.length > shown.length ? (
        <p class="field-hint">{settingsWords.tokens.more(found.length - shown.length)}</p>
      ) : null}
    </fieldset>
  );
}
