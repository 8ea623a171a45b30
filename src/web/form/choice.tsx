type Props = {
  readonly type: 'radio' | 'checkbox';
  readonly name?: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly isChosen: boolean;
  readonly isDisabled?: boolean;
  readonly onChoice: (isChosen: boolean) => void;
};

/** A radio button or check box as large as a row. */
export function Choice({ type, name, label, note, isChosen, isDisabled = false, onChoice }: Props) {
  return (
    <label class="choice">
      <input
        type={type}
        name={name}
        checked={isChosen}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChoice(currentTarget.checked)}
      />
      <span class="row-text">
        <bdi>{label}</bdi>
        {note === undefined ? null : <span class="row-note">{note}</span>}
      </span>
    </label>
  );
}
