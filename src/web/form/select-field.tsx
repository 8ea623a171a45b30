import { useId } from 'preact/hooks';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onValue: (value: string) => void;
};

/** A list to choose one of several values from. */
export function SelectField({ label, value, options, onValue }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select id={id} class="input" value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
