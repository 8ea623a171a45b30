type Props<Name extends string> = {
  readonly label: string;
  readonly names: readonly Name[];
  readonly words: Readonly<Record<Name, string>>;
  /** `null` if none of them is. */
  readonly chosen: Name | null;
  readonly onChoose: (name: Name) => void;
};

/** A few buttons beside each other, one of which is pressed. */
export function Choices<Name extends string>({ label, names, words, chosen, onChoose }: Props<Name>) {
  return (
    <div class="choices" role="group" aria-label={label}>
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {words[name]}
        </button>
      ))}
    </div>
  );
}
