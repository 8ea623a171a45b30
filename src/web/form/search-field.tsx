import { Icon } from '#web/parts/icon.tsx';

/** Nobody types more, and each letter is looked for. */
const MOST_LETTERS = 100;

type Props = {
  readonly label: string;
  /** The label, where it is short enough for the field. */
  readonly placeholder: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

/** A field whose words are looked for at once. */
export function SearchField({ label, placeholder, value, onValue }: Props) {
  return (
    <search class="search">
      <Icon name="search" size={20} />
      <input
        class="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        maxLength={MOST_LETTERS}
        autocomplete="off"
        enterkeyhint="go"
      />
    </search>
  );
}
