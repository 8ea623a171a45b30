import { useState } from 'preact/hooks';
import type { User } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { MomentField } from '#web/form/moment-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type Props = { readonly person: User; readonly onSaved: () => Promise<void> };

/** The rooms that a guest or resident sees, and until when. */
export function LimitsForm({ person, onSaved }: Props) {
  const { client, home, messages } = useHub();
  const [rooms, setRooms] = useState(person.rooms);
  const [until, setUntil] = useState(person.valid_until);
  const form = useForm(['rooms', 'valid_until']);
  const isSameRooms = inOrder(rooms) === inOrder(person.rooms);
  const change = {
    ...(isSameRooms ? {} : { rooms }),
    ...(until === person.valid_until ? {} : { valid_until: until }),
  };
  const save = async (): Promise<void> => {
    await client.call<User>('PATCH', `/user/${person.id}`, change);
    messages.show(settingsWords.saved);
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.limits.title}
      text={settingsWords.limits.text(person.name)}
      submit={settingsWords.save}
      isIdle={Object.keys(change).length === 0}
      onSubmit={save}
    >
      {person.ended ? <Notice text={settingsWords.limits.ended(person.name)} /> : null}
      <fieldset class="choice-list">
        <legend class="field-label">{settingsWords.limits.rooms}</legend>
        <Choice
          type="checkbox"
          label={settingsWords.limits.someRooms}
          note={settingsWords.limits.someRoomsNote}
          isChosen={rooms !== null}
          onChoice={(isLimited) => setRooms(isLimited ? [] : null)}
        />
        {rooms === null
          ? null
          : home.rooms.value.map(({ id, name }) => (
              <Choice
                key={id}
                type="checkbox"
                label={name}
                isChosen={rooms.includes(id)}
                onChoice={(isIn) => setRooms(isIn ? [...rooms, id] : rooms.filter((room) => room !== id))}
              />
            ))}
      </fieldset>
      <MomentField
        label={settingsWords.limits.until}
        hint={settingsWords.limits.untilHint}
        value={until}
        onValue={setUntil}
        error={form.faults['valid_until'] ?? form.faults['rooms']}
      />
    </PanelForm>
  );
}

function inOrder(rooms: readonly string[] | null): string | undefined {
  return rooms === null ? undefined : [...rooms].sort().join();
}
