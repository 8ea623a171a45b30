import { useId } from 'preact/hooks';
import { instantOf, localTime } from '#web/strings/hub-zone.ts';
import { FieldError } from './text-field.tsx';

type Props = {
  readonly label: string;
  readonly hint: string;
  /** RFC 3339; `null` while the field is empty. */
  readonly value: string | null;
  readonly onValue: (value: string | null) => void;
  readonly error: string | undefined;
};

/** A day and a time of day, in the zone of the hub. */
export function MomentField({ label, hint, value, onValue, error }: Props) {
  const id = useId();
  const described = `${id}-hint${error === undefined ? '' : ` ${id}-error`}`;
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <div class="field-box">
        <input
          id={id}
          class="input"
          type="datetime-local"
          value={value === null ? '' : localTime(value)}
          onChange={({ currentTarget }) => onValue(readLocalMoment(currentTarget.value))}
          aria-invalid={error !== undefined}
          aria-describedby={described}
        />
      </div>
      <p class="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

function readLocalMoment(text: string): string | null {
  const localMs = Date.parse(`${text}Z`);
  return Number.isNaN(localMs) ? null : new Date(instantOf(localMs)).toISOString();
}
