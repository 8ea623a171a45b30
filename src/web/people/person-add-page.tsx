import { useState } from 'preact/hooks';
import { NewPasswordField } from '#web/form/new-password-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { EmailField, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { rolesUnder } from '#web/state/account/rights.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { RoleField } from './role-field.tsx';
import { endOf, NO_END } from './stay.ts';
import { RoomsField, StayField } from './stay-fields.tsx';

/** Adds an account, with a role that one's own role may give. */
export function PersonAddPage() {
  const { client, account, messages, router, time } = useHub();
  const [role, setRole] = useState('resident');
  const [rooms, setRooms] = useState<readonly string[] | null>(null);
  const [stay, setStay] = useState(NO_END);
  const form = useForm(['name', 'email', 'role', 'password', 'valid_until'], { EMAIL_TAKEN: 'email' });
  const name = useField(form, 'name', '');
  const email = useField(form, 'email', '');
  const password = useField(form, 'password', '');
  const isGuest = role === 'guest';
  const add = async (): Promise<void> => {
    await client.call('POST', '/user', {
      name: name.value.trim(),
      email: email.value.trim(),
      role,
      password: password.value,
      ...(isGuest ? { rooms, valid_until: endOf(stay, time.nowMs.peek()) } : {}),
    });
    messages.show(settingsWords.people.added(name.value.trim()));
    router.go('/settings/people', 'replace');
  };
  return (
    <div class="page narrow">
      <PageHead
        title={settingsWords.people.add}
        back={{ href: '/settings/people', label: settingsWords.people.title }}
      />
      <PanelForm
        form={form}
        text={settingsWords.people.addText}
        submit={settingsWords.people.add}
        busy={settingsWords.people.adding}
        needed={{ name: name.value, email: email.value, password: password.value }}
        onSubmit={add}
      >
        <TextField label={settingsWords.people.name} {...name} input={NAME_INPUT} />
        <EmailField {...email} />
        <NewPasswordField {...password} of={{ name: name.value, email: email.value }} />
        <RoleField roles={rolesUnder(account.me.value?.role ?? '')} value={role} onValue={setRole} />
        {isGuest ? (
          <>
            <RoomsField value={rooms} onValue={setRooms} />
            <StayField value={stay} onValue={setStay} error={form.faults['valid_until']} />
          </>
        ) : null}
      </PanelForm>
    </div>
  );
}
