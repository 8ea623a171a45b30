import { useId } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import { MomentField } from '#web/form/moment-field.tsx';
import { useHub } from '#web/hub.ts';
import { timeWords } from '#web/strings/formats.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { ENDS, type Stay, stayEnds } from './stay.ts';

type Field<Value> = {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly error?: string | undefined;
};

/** The rooms that a new guest sees: all of them, or the chosen ones. */
export function RoomsField({ value, onValue }: Field<readonly string[] | null>) {
  const { home } = useHub();
  const rooms = home.rooms.value;
  if (rooms.length === 0) return null;
  const toggle = (id: string, isIn: boolean): void => {
    const chosen = (value ?? []).filter((one) => one !== id);
    const next = isIn ? [...chosen, id] : chosen;
    onValue(next.length === 0 ? null : next);
  };
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{settingsWords.limits.rooms}</legend>
      <Choice
        type="checkbox"
        label={settingsWords.limits.allRooms}
        isChosen={value === null}
        isDisabled={value === null}
        onChoice={() => onValue(null)}
      />
      {rooms.map(({ id, name }) => (
        <Choice
          key={id}
          type="checkbox"
          label={name}
          isChosen={value?.includes(id) === true}
          onChoice={(isIn) => toggle(id, isIn)}
        />
      ))}
    </fieldset>
  );
}

/** How long a new guest stays: what people usually say, or a moment of their choice. */
export function StayField({ value, onValue, error }: Field<Stay>) {
  const { time } = useHub();
  const name = useId();
  const moments = stayEnds(time.nowMs.peek());
  return (
    <>
      <fieldset class="choice-list">
        <legend class="field-label">{settingsWords.limits.until}</legend>
        {ENDS.map((end) => (
          <Choice
            key={end}
            type="radio"
            name={name}
            label={settingsWords.limits.ends[end]}
            note={end === 'sunday' || end === 'week' ? timeWords(moments[end], 'weekdayAndClock') : undefined}
            isChosen={end === value.end}
            onChoice={() => onValue({ ...value, end })}
          />
        ))}
      </fieldset>
      {value.end === 'other' ? (
        <MomentField
          label={settingsWords.limits.until}
          hint={settingsWords.limits.untilHint}
          value={value.other}
          onValue={(other) => onValue({ ...value, other })}
          error={error}
        />
      ) : null}
    </>
  );
}
