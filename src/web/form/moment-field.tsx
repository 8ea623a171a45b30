import { useId } from 'preact/hooks';
import { FieldError } from './text-field.tsx';

type Props = {
  readonly label: string;
  readonly hint: string;
  /** RFC 3339; `null` while the field is empty. */
  readonly value: string | null;
  readonly onValue: (value: string | null) => void;
  readonly error: string | undefined;
};

/** A day and a time of day, in the zone of the browser. */
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
          value={value === null ? '' : localMoment(value)}
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

/** `2026-11-29T18:00`, as the browser's field wants it. */
function localMoment(value: string): string {
  const at = new Date(value);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function readLocalMoment(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
