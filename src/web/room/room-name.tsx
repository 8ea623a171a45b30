import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { TextField } from '#web/form/text-field.tsx';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { t } from '#web/strings/strings.ts';

type Props = {
  readonly name?: string;
  readonly submit: string;
  readonly save: (name: string) => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onCancel?: () => void;
};

/** The name of a room, new or changed. */
export function RoomName({ name = '', submit, save, onSaved, onCancel }: Props) {
  const [value, setValue] = useState(name);
  const [fault, setFault] = useState<string | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    if (value.trim() === '') return setFault(t.field.required);
    setIsBusy(true);
    const words = await wordsIfRefused(() => save(value.trim()));
    setIsBusy(false);
    setFault(words);
    if (words === undefined) onSaved();
  };
  return (
    <form class="form" noValidate onSubmit={(event) => void send(event)}>
      <TextField label={t.room.name} value={value} onValue={setValue} error={fault} input={{ maxLength: 100 }} />
      <div class="dialog-buttons">
        {onCancel === undefined ? null : (
          <button type="button" class="button" onClick={onCancel}>
            {t.cancel}
          </button>
        )}
        <button type="submit" class="button button-main" aria-disabled={isBusy}>
          {isBusy ? t.edit.busy : submit}
        </button>
      </div>
    </form>
  );
}
