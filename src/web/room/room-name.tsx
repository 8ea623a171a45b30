import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { IconChoices } from '#web/form/icon-choices.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { ROOM_ICONS } from '#web/icon-lines.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
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
  const [fault, setFault] = useState<string | undefined>();
  const [chosen, setChosen] = useState(icon ?? null);
  const [isBusy, setIsBusy] = useState(false);
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    if (value.trim() === '') return setFault(pageWords.field.required);
    setIsBusy(true);
    const words = await wordsIfRefused(() => save(value.trim(), chosen));
    setIsBusy(false);
    setFault(words);
    if (words === undefined) onSaved();
  };
  return (
    <form class="form" noValidate onSubmit={(event) => void send(event)}>
      <TextField
        label={pageWords.room.name}
        value={value}
        onValue={setValue}
        error={fault}
        input={{ maxLength: 100 }}
      />
      {icon === undefined ? null : <IconChoices icons={ROOM_ICONS} value={chosen} plain="room" onValue={setChosen} />}
      <div class="dialog-buttons">
        {onCancel === undefined ? null : (
          <button type="button" class="button" onClick={onCancel}>
            {pageWords.cancel}
          </button>
        )}
        <button type="submit" class="button button-main" aria-disabled={isBusy}>
          {isBusy ? pageWords.edit.busy : submit}
        </button>
      </div>
    </form>
  );
}
