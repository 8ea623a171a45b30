import { useId, useState } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import { FieldError, TextField } from '#web/form/text-field.tsx';
import { useHub } from '#web/hub.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** Ids of rooms and devices; ignored unless `isLimited`. */
export type Places = {
  readonly isLimited: boolean;
  readonly rooms: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
};
export const EVERYWHERE: Places = { isLimited: false, rooms: new Set(), devices: new Set() };

/** A house of a thousand devices is searched, not scrolled. */
const MOST_SHOWN = 30;

type Props = {
  readonly value: Places;
  readonly onValue: (places: Places) => void;
  readonly error: string | undefined;
};

/** Whether something is for the whole home, or which rooms and devices it is for. */
export function PlacesField({ value, onValue, error }: Props) {
  const name = useId();
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{settingsWords.tokens.where}</legend>
      <Choice
        type="radio"
        name={name}
        label={settingsWords.tokens.everywhere}
        isChosen={!value.isLimited}
        onChoice={() => onValue({ ...value, isLimited: false })}
      />
      <Choice
        type="radio"
        name={name}
        label={settingsWords.tokens.somewhere}
        isChosen={value.isLimited}
        onChoice={() => onValue({ ...value, isLimited: true })}
      />
      {value.isLimited ? <PlaceLists value={value} onValue={onValue} /> : null}
      <FieldError text={error} />
    </fieldset>
  );
}

type Chosen = { readonly rooms: readonly string[]; readonly devices: readonly string[] };
type ChosenProps = {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: Chosen;
  readonly onValue: (chosen: Chosen) => void;
  readonly error: string | undefined;
};

/** Rooms and devices for which something is; none at first. */
export function ChosenPlacesField({ label, hint, value, onValue, error }: ChosenProps) {
  const { home } = useHub();
  const rooms = new Set(home.rooms.value.map(({ id }) => id));
  const devices = new Set(home.entries.value.map(({ device }) => device.value.id));
  // What is gone can be seen nowhere, so it leaves with the next change.
  const present = ({ rooms: inRooms, devices: named }: Places): Chosen => ({
    rooms: [...inRooms].filter((id) => rooms.has(id)),
    devices: [...named].filter((id) => devices.has(id)),
  });
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{label}</legend>
      {hint === undefined ? null : <p class="field-hint">{hint}.</p>}
      <PlaceLists
        value={{ isLimited: true, rooms: new Set(value.rooms), devices: new Set(value.devices) }}
        onValue={(places) => onValue(present(places))}
      />
      <FieldError text={error} />
    </fieldset>
  );
}

function PlaceLists({ value, onValue }: Omit<Props, 'error'>) {
  const { home } = useHub();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLocaleLowerCase();
  const found = home.entries.value
    .map(({ device }) => device.value)
    .filter(({ id, name }) => value.devices.has(id) || name.toLocaleLowerCase().includes(wanted));
  return (
    <div class="places">
      {home.rooms.value.length === 0 ? null : (
        <fieldset class="choice-list">
          <legend class="field-label">{settingsWords.tokens.rooms}</legend>
          {home.rooms.value.map(({ id, name }) => (
            <Choice
              key={id}
              type="checkbox"
              label={name}
              isChosen={value.rooms.has(id)}
              onChoice={(isChosen) => onValue({ ...value, rooms: toggled(value.rooms, id, isChosen) })}
            />
          ))}
        </fieldset>
      )}
      <fieldset class="choice-list">
        <legend class="field-label">{settingsWords.tokens.devices}</legend>
        <TextField label={pageWords.home.search} value={search} onValue={setSearch} />
        {found.slice(0, MOST_SHOWN).map(({ id, name, room }) => (
          <Choice
            key={id}
            type="checkbox"
            label={name}
            note={room?.name}
            isChosen={value.devices.has(id)}
            onChoice={(isChosen) => onValue({ ...value, devices: toggled(value.devices, id, isChosen) })}
          />
        ))}
        {found.length > MOST_SHOWN ? (
          <p class="field-hint">{settingsWords.tokens.more(found.length - MOST_SHOWN)}</p>
        ) : null}
      </fieldset>
    </div>
  );
}

function toggled(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  return new Set(isIn ? [...ids, id] : [...ids].filter((one) => one !== id));
}
