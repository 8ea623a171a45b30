import { useState } from 'preact/hooks';
import { IconChoices } from '#web/form/icon-choices.tsx';
import { FormButtons } from '#web/form/panel-form.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { ROOM_ICONS } from '#web/icon-lines.ts';
import { useTask } from '#web/parts/use-task.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

type Props = {
  readonly name?: string;
  readonly submit: string;
  /** Absent: no picture can be chosen. */
  readonly icon?: string | null;
  readonly save: (name: string, icon: string | null) => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onCancel?: () => void;
};

/** The name of a room, new or changed. */
export function RoomName({ name = '', icon, submit, save, onSaved, onCancel }: Props) {
  const [value, setValue] = useState(name);
  const [isMissing, setIsMissing] = useState(false);
  const [chosen, setChosen] = useState(icon ?? null);
  const send = useTask(async () => {
    setIsMissing(value.trim() === '');
    if (value.trim() === '') return;
    await save(value.trim(), chosen);
    onSaved();
  });
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send.run();
      }}
    >
      <TextField
        label={pageWords.room.name}
        value={value}
        onValue={setValue}
        error={isMissing ? pageWords.field.required : send.refusal}
        input={NAME_INPUT}
      />
      {icon === undefined ? null : <IconChoices icons={ROOM_ICONS} value={chosen} plain="room" onValue={setChosen} />}
      <FormButtons isBusy={send.isRunning} submit={submit} busy={pageWords.edit.busy} onCancel={onCancel} />
    </form>
  );
}
