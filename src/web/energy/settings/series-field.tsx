import { useState } from 'preact/hooks';
import { SelectField } from '#web/form/select-field.tsx';
import { useHub } from '#web/hub.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { choicesOf, type Role } from '#web/energy/series-choices.ts';
import { withEntry } from './settings-draft.ts';

/** Every field of the form gets this. */
export type FieldContext = {
  /** The series that are chosen anywhere in the form. */
  readonly used: ReadonlySet<string>;
  /** What is wrong, by the pointers of the API. */
  readonly faults: Readonly<Record<string, string | undefined>>;
};

type Props = {
  readonly label: string;
  readonly role: Role;
  readonly value: string | null;
  readonly onValue: (series: string | null) => void;
  readonly pointer: string;
  readonly context: FieldContext;
  readonly hint?: string;
  /** The words of the choice that is none; `null` if there has to be one. */
  readonly none?: string | null;
};

/** Chooses one of the features that fit, except for those that are chosen elsewhere. */
export function SeriesField({
  label,
  role,
  value,
  onValue,
  pointer,
  context,
  hint,
  none = energyWords.set.none,
}: Props) {
  const { home } = useHub();
  const free = choicesOf(home.entries.value, role).filter(
    ({ series }) => series === value || !context.used.has(series),
  );
  const options = free.map(({ series, device, name, isPower }): readonly [string, string] => [
    series,
    isPower && role !== 'power' ? energyWords.set.addedUp(device, name) : energyWords.set.feature(device, name),
  ]);
  const isAbsent = value !== null && free.every(({ series }) => series !== value);
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      onValue={(series) => onValue(series === '' ? null : series)}
      options={[
        ...(none === null ? [] : [['', none] as const]),
        ...(isAbsent ? [[value, energyWords.set.absent(value)] as const] : []),
        ...options,
      ]}
      error={context.faults[pointer]}
      {...(hint !== undefined && { hint })}
    />
  );
}

type ListProps = Pick<Props, 'label' | 'role' | 'pointer' | 'context' | 'hint'> & {
  readonly list: readonly string[];
  readonly onList: (list: readonly string[]) => void;
};

/** A field for each meter of a flow; most homes have one, so another is asked for. */
export function SeriesList({ label, role, pointer, context, hint, list, onList }: ListProps) {
  const [isAdding, setIsAdding] = useState(false);
  const fields: readonly (string | null)[] = isAdding || list.length === 0 ? [...list, null] : list;
  return (
    <>
      {fields.map((series, index) => (
        <SeriesField
          // A choice in the empty field makes it one of the others: it keeps the focus.
          key={index}
          label={index === 0 ? label : energyWords.set.another(label, index + 1)}
          role={role}
          value={series}
          onValue={(chosen) => {
            setIsAdding(false);
            onList(withEntry(list, index, chosen));
          }}
          pointer={`${pointer}/${index}`}
          context={context}
          {...(index === 0 && hint !== undefined && { hint })}
        />
      ))}
      {fields.includes(null) ? null : (
        <button type="button" class="button button-plain" onClick={() => setIsAdding(true)}>
          {energyWords.set.addMeter(label)}
        </button>
      )}
    </>
  );
}
