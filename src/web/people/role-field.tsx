import { useId } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type Props = {
  readonly roles: readonly string[];
  readonly value: string;
  readonly onValue: (role: string) => void;
};

export function RoleField({ roles, value, onValue }: Props) {
  const name = useId();
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{settingsWords.role}</legend>
      {roles.map((role) => (
        <Choice
          key={role}
          type="radio"
          name={name}
          label={settingsWords.roles[role] ?? role}
          note={settingsWords.roleNotes[role]}
          isChosen={role === value}
          onChoice={() => onValue(role)}
        />
      ))}
    </fieldset>
  );
}
