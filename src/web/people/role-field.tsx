import { useId } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import { s } from '#web/strings/settings-strings.ts';

type Props = {
  readonly roles: readonly string[];
  readonly value: string;
  readonly onValue: (role: string) => void;
};

export function RoleField({ roles, value, onValue }: Props) {
  const name = useId();
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{s.role}</legend>
      {roles.map((role) => (
        <Choice
          key={role}
          type="radio"
          name={name}
          label={s.roles[role] ?? role}
          note={s.roleNotes[role]}
          isChosen={role === value}
          onChoice={() => onValue(role)}
        />
      ))}
    </fieldset>
  );
}
