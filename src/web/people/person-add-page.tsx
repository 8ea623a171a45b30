import { useState } from 'preact/hooks';
import { NewPasswordField } from '#web/form/new-password-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { EmailField, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { rolesUnder } from '#web/state/account/rights.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { RoleField } from './role-field.tsx';

/** Adds an account, with a role that one's own role may give. */
export function PersonAddPage() {
  const { client, account, messages, router } = useHub();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('resident');
  const [password, setPassword] = useState('');
  const form = useForm(['name', 'email', 'role', 'password'], { EMAIL_TAKEN: 'email' });
  const add = async (): Promise<void> => {
    await client.call('POST', '/user', { name: name.trim(), email: email.trim(), role, password });
    messages.show(settingsWords.people.added(name.trim()));
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
        needed={{ name, email, password }}
        onSubmit={add}
      >
        <TextField
          label={settingsWords.people.name}
          value={name}
          onValue={setName}
          error={form.faults['name']}
          input={NAME_INPUT}
        />
        <EmailField value={email} onValue={setEmail} error={form.faults['email']} />
        <NewPasswordField value={password} onValue={setPassword} error={form.faults['password']} of={{ name, email }} />
        <RoleField roles={rolesUnder(account.me.value?.role ?? '')} value={role} onValue={setRole} />
      </PanelForm>
    </div>
  );
}
