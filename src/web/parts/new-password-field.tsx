import { t } from '#web/strings/strings.ts';
import { TextField } from './text-field.tsx';

const NEEDED = 10;

type Props = {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
  readonly label?: string;
};

/** A password that is being made up: its length is what counts, and is shown as it grows. */
export function NewPasswordField({ value, onValue, error, label = t.field.password }: Props) {
  const length = Array.from(value.normalize('NFC')).length;
  const part = Math.min(1, length / NEEDED);
  return (
    <TextField
      label={label}
      type="password"
      autocomplete="new-password"
      input={{ name: 'password', required: true }}
      value={value}
      onValue={onValue}
      error={error}
      hint={length === 0 ? t.field.passwordHint : t.field.passwordMeter(length, NEEDED)}
    >
      <div class="meter" aria-hidden="true">
        <div class="meter-fill" data-full={part === 1} style={{ transform: `scaleX(${part})` }} />
      </div>
    </TextField>
  );
}
