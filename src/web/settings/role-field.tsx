import { useId } from 'preact/hooks';
import { s } from '#web/strings/settings-strings.ts';
import { Choice } from './choice.tsx';

/** From the one who may the most to the one who may the least. */
const ROLES = ['owner', 'admin', 'resident', 'guest'];

/** Roles that somebody of this role may give, and whose accounts they may change. */
export function rolesUnder(role: string): readonly string[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.slice(1) : [];
}

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
